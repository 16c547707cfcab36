# SPDX-License-Identifier: Apache-2.0
"""The tables of tests/bench/bench."""
import os
import platform
import shutil
import subprocess
import sys
import textwrap

from statistics import median

from workloads import SRC


def large_program(f, functions=260000):
    """Assembler text of 44 MB of code with 3 rows of unwind information in
    each function; main returns 0."""
    f.write(".text\n.globl main\nmain:\n.cfi_startproc\nxor %eax,%eax\nret\n"
            ".cfi_endproc\n")
    for i in range(functions):
        f.write("f%d:\n.cfi_startproc\nsub $24,%%rsp\n"
                ".cfi_adjust_cfa_offset 24\n.skip 160,0x90\nadd $24,%%rsp\n"
                ".cfi_adjust_cfa_offset -24\nret\n.cfi_endproc\n" % i)
    f.write('.section .note.GNU-stack,"",@progbits\n')


def text_size(program):
    out = subprocess.run(["size", program], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    return int(out.splitlines()[1].split()[0])


def first_line(*command):
    r = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return r.stdout.splitlines()[0] if r.stdout else "?"


def value_of(file, key):
    for line in open(file):
        name, _, value = line.partition("=" if "=" in line else ":")
        if name.strip() == key:
            return value.strip().strip('"')
    return "?"


def commit():
    if not shutil.which("git"):
        return "not known (no git)"
    git = ["git", "-C", SRC]
    name = first_line(*git, "rev-parse", "--short", "HEAD")
    changed = subprocess.run(git + ["diff", "--quiet", "HEAD", "--", "runtime",
                                    "wrappers", "include", "tests/bench"])
    return name + (" with changes" if changed.returncode else "")


def machine(about):
    memory = int(value_of("/proc/meminfo", "MemTotal").split()[0])
    text = ("Machine: %d CPUs, %s, %.0f GB; %s, Linux %s, %s. Commit %s. "
            "The load average before each run was %.1f to %.1f (median "
            "%.1f). There were %d rounds, and %d with the other tools, in "
            "%.0f minutes." %
            (os.cpu_count(), value_of("/proc/cpuinfo", "model name"),
             memory / 1e6, value_of("/etc/os-release", "PRETTY_NAME"),
             platform.release(), first_line("gcc", "--version"), commit(),
             min(about["load"]), max(about["load"]), median(about["load"]),
             about["rounds"], about["peers"], about["minutes"]))
    return textwrap.fill(text, 118) + "\n"


def cpu(costs):
    return median(c.cpu for c in costs)


def memory(costs):
    return median(c.memory for c in costs)


def added(costs, native, events):
    """ns per event; means nothing where there are few."""
    if events < 10000:
        return "-"
    return "%+.1f" % ((cpu(costs) - cpu(native)) * 1e9 / events)


def table(head, rows, left=1):
    """Markdown; the first @left columns are text."""
    lines = ["| " + " | ".join(head) + " |",
             "|" + "---|" * left + "--:|" * (len(head) - left)]
    lines += ["| " + " | ".join(r) + " |" for r in rows]
    return "\n".join(lines) + "\n"


def traced_table(rows):
    lines = []
    for r in rows:
        native, traced, events = r["native"], r["traced"], r["events"]
        lines.append([
            r["workload"].name, r["workload"].what,
            "{:,}".format(events), "%.2f" % cpu(native),
            "%.2f" % cpu(traced), "%.2f" % (cpu(traced) / cpu(native)),
            added(traced, native, events), "%.2f" % (r["bytes"] / events),
            "%.2f" % (r["repacked"] / events),
            "%+.1f" % ((memory(traced) - memory(native)) / 1e3)])
    return table(["workload", "program", "events", "native, CPU s",
                  "traced, CPU s", "slowdown", "added, ns per event",
                  "bytes per event", "repacked", "memory added, MB"],
                 lines, left=2)


def added_by(costs, native):
    return cpu(costs) - cpu(native)


def peer_cells(r, name):
    """Slowdown and memory added, in MB, of a peer over its native program."""
    costs = [c for c in r["peers"].get(name, []) if c]
    if not costs:
        return ["failed", "-"]
    return ["%.2f" % (cpu(costs) / cpu(r["native"])),
            "%+.0f" % ((memory(costs) - memory(r["native"])) / 1e3)]


def peers_table(rows):
    """Ours and the peers, the same arguments; heaptrack --raw is the only
    one that records as we do."""
    lines = []
    for r in rows:
        raw = [c for c in r["peers"].get("heaptrack raw", []) if c]
        few = r["events"] < 10000 or not raw
        ours = added_by(r["traced"], r["static"])
        cells = [peer_cells(r, name) for name in r["peers"]]
        lines.append([
            r["workload"].name,
            "%.1f" % (added_by(raw, r["native"]) / ours)
            if not few and ours > 0 else "-",
            "%.2f" % (cpu(r["traced"]) / cpu(r["static"]))] +
            [c[0] for c in cells] +
            ["-" if few else "%.2f" % (r["bytes"] / median(
                c.bytes for c in raw))] + [c[1] for c in cells])
    names = list(rows[0]["peers"])
    return table(["workload", "CPU added by heaptrack raw / by wmtools"] +
                 ["slowdown, " + n for n in ["wmtools"] + names] +
                 ["bytes of wmtools / of heaptrack raw"] +
                 ["MB added, " + n for n in names], lines)


def start_table(start):
    lines = []
    for name in ("empty", "large"):
        s = start[name]
        lines.append(["start-up, program of %.1f MB of text" %
                      (start["text"][name] / 1e6),
                      "%.2f ms of CPU, %.2f ms elapsed" %
                      (s["cpu"], s["elapsed"])])
    one, many = (median(start["memory"][k]) / 1e3 for k in ("0", "16"))
    lines.append(["resident memory, one thread", "%.1f MB" % one])
    lines.append(["resident memory, each of 16 further threads",
                  "%.2f MB" % ((many - one) / 16)])
    return table(["added", "by tracing"], lines)


def text(rows, peer_rows, start, about):
    parts = [machine(about)]
    if rows:
        parts += [traced_table(rows)]
    if peer_rows:
        parts += ["The same workloads with other tools, with arguments of "
                  "half the size:\n",
                  peers_table(peer_rows)]
    if start:
        parts += ["Start-up (mean of 200 runs; 20 of the large program) and "
                  "memory (median):\n", start_table(start)]
    return "\n".join(parts)


def write(new, out, target="bench"):
    """Between the two marks of a target of make in the file @out; '-' prints."""
    if out == "-":
        sys.stdout.write(new)
        return
    with open(out) as f:
        old = f.read()
    marks = ["<!-- make %s: %s -->\n" % (target, which)
             for which in ("begin", "end")]
    before, begin, rest = old.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not begin or not end:
        sys.exit("bench: no marks in '%s':\n%s%s" % (out, *marks))
    with open(out, "w") as f:
        f.write(before + begin + "\n" + new + "\n" + end + after)
    print("bench: wrote '%s'" % out, file=sys.stderr)
