#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent replay, to compare wm-analyze with.

oracle.py MAKE ANALYZE FIRST LAST
    For each seed: write a random description, let wmt-make (MAKE) make the
    run, let ANALYZE read it, and compare with what this file makes of the
    description.  Prints one line per difference, and at the end
    `N seeds, N differences`.

It shares no code and no data structure with the analyzer: plain lists and
dictionaries, a snapshot of everything at each new peak, and a merge that looks
at all threads for every event.
"""
import json
import math
import os
import random
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import oracle_nodes  # noqa: E402
from oracle_runs import (NAMES, PAGE, RUNTIME, SKEW,  # noqa: E402
                         START, describe)


# --- replay

KINDS = {"malloc": "malloc", "calloc": "calloc", "aligned": "aligned",
         "new": "realloc", "in": "realloc", "gone": "realloc",
         "free": "free", "failed": "failed", "newop": "new",
         "delete": "delete", "mpi": "mpi", "mpi-free": "mpi_free",
         "map": "map", "unmap": "unmap", "remap-in": "remap", "shm": "shm",
         "shm-gone": "shm_gone", "brk-up": "brk", "brk-down": "brk",
         "stack": "thread_stacks"}
FAMILIES = ["heap", "mapped", "shm", "mpi", "stacks"]
COMES = {"map": "mapped", "remap-in": "mapped", "brk-up": "mapped",
         "shm": "shm", "stack": "stacks"}
NOTES = ("phase", "name", "snapshot")
GOES = ("unmap", "remap-out", "brk-down", "shm-gone", "stack-gone")


class Rank:
    def __init__(self, rank, ranks, place):
        self.rank, self.ranks, self.host = rank, ranks, place.host
        self.place = place
        self.threads = {}
        self.ended = False
        self.last = START


def parse(lines):
    ranks, thread, shift, now = [], 0, 0, START
    place = oracle_nodes.Place()
    for line in lines:
        w = line.split()
        place.take(w)
        if w[0] == "shift":
            shift = int(w[1])
        elif w[0] == "rank":
            ranks.append(Rank(int(w[1]), int(w[3]), place.copy()))
            thread = 0
        elif w[0] == "thread":
            thread = int(w[1])
        elif w[0] == "end":
            ranks[-1].ended = True
        elif w[0] == "t":
            now = int(w[1])
            ranks[-1].last = now
            ranks[-1].threads.setdefault(thread, []).append(
                (now >> shift << shift, w[2:]))
    return ranks, shift


def site(path):
    if path == "-":
        return "?? (no call path)"
    frames = [f.split("+")[0] for f in path.split("<")][::-1]
    for f in frames:
        if f not in RUNTIME:
            return NAMES.get(f, f)
    return NAMES.get(frames[0], frames[0])


def chain(path, bottom_up):
    """Functions from the root of the tree on; each of them once."""
    if path == "-":
        return ("?? (no call path)",)
    frames = [f.split("+")[0] for f in path.split("<")]
    while len(frames) > 1 and frames[-1] in RUNTIME:
        frames.pop()
    out = []
    for f in frames[::-1] if bottom_up else frames:
        f = NAMES.get(f, f)
        if f in out:
            del out[out.index(f) + 1:]
        else:
            out.append(f)
    return tuple(out)


def tree(paths, bottom_up):
    """chain -> [bytes, blocks, bytes that end there, blocks]"""
    out = {}
    for path, (size, blocks) in paths.items():
        c = chain(path, bottom_up)
        for i in range(1, len(c) + 1):
            e = out.setdefault(c[:i], [0, 0, 0, 0])
            e[0] += size
            e[1] += blocks
        out[c][2] += size
        out[c][3] += blocks
    return out


def flat(node, above=()):
    out = {}
    for c in node["children"]:
        here = above + (c["name"],)
        out[here] = [c["bytes"], c["blocks"], c["self_bytes"],
                     c["self_blocks"]]
        out.update(flat(c, here))
    return out


class Pages:
    """Mapped memory: page -> (path, family, origin, piece, birth)."""

    def __init__(self):
        self.page, self.moving, self.pieces = {}, {}, 0

    def covered(self, a, n):
        return [p for p in range(a, a + n, PAGE) if p in self.page]

    def of_origin(self, a, family):
        return [p for p in self.page
                if self.page[p][1] == family and self.page[p][2] == a]

    def gone(self, w):
        """The pages that a statement takes away."""
        a = int(w[1], 16)
        n = int(w[2]) if len(w) > 2 else 0
        if w[0] == "stack-gone":
            return self.of_origin(a, "stacks")
        if w[0] == "shm-gone" and n == 0:
            return self.of_origin(a, "shm")
        return self.covered(a, n)

    def contradicts(self, w):
        a = int(w[1], 16)
        if w[0] in COMES:
            return a if self.covered(a, int(w[2])) else None
        if w[0] not in ("stack-gone", "shm-gone") and int(w[2]) == 0:
            return None
        return None if self.gone(w) else a

    def take_off(self, th, pages):
        self.moving[th] = []
        last = None
        for p in sorted(pages):
            what = self.page.pop(p)
            if last != (p - PAGE, what):
                self.pieces += 1
            self.moving[th].append(
                (p, what[:3] + (self.pieces, what[4])))
            last = p, what

    def put_back(self, th):
        self.page.update(dict(self.moving.pop(th)))

    def come(self, th, w, time):
        a, n, family = int(w[1], 16), int(w[2]), COMES[w[0]]
        self.pieces += 1
        if w[0] == "remap-in":
            for _p, what in self.moving.pop(th, []):
                family = what[1]
        for p in range(a, a + n, PAGE):
            self.page[p] = (w[3], family, a, self.pieces, time)
        return family

    def blocks(self):
        """[size, path, family, birth] of each piece"""
        out, last = [], None
        every = list(self.page.items())
        for m in self.moving.values():
            every += m
        for p, what in sorted(every, key=lambda e: (e[1][3], e[0])):
            if last == (p - PAGE, what):
                out[-1][0] += PAGE
            else:
                out.append([PAGE, what[0], what[1], what[4]])
            last = p, what
        return out


class Replay:
    """One rank.  A block is [size, path, name, birth]; flying: per thread, in
    realloc."""

    def __init__(self, rank, skew, moments=()):
        self.live, self.flying = {}, {}
        self.mpi, self.pages = {}, Pages()
        self.family_peak = dict.fromkeys(FAMILIES, 0)
        self.families_at_peak = dict.fromkeys(FAMILIES, 0)
        self.peak, self.peak_time, self.at_peak = 0, None, {}
        self.paths_at_peak = {}
        self.unknown = self.conflicts = 0
        # stamps disagree between threads only
        self.skew = skew if len(rank.threads) > 1 else 0
        self.recent, self.debts = {}, []
        # name -> [entered, peak, at the end]; name -> [given, highest]
        self.phases, self.phase = {None: [1, 0, 0]}, None
        self.names, self.snapshots, self.unsure = {}, [], False
        # time -> what was held then, or at its highest gain if that is more
        self.moments, self.highest_at = {}, {}
        self.levels, self.now = [], START   # [live bytes, ticks]
        self.made = []              # every block of the heap and of MPI
        self.lives = {}             # path -> Lives
        self.peak_sizes = {}
        self.history = []           # (time, what counts for the peak)
        self.eras, self.last_birth = [(0, None)], 0
        self.count = dict.fromkeys(
            sorted(set(KINDS.values())), 0)
        self.run(rank, skew, list(moments))
        self.stay(self.held(), rank.last)
        for m in moments:
            self.moments.setdefault(m, self.held())
            if m in self.highest_at and self.highest_at[m][0] >= \
                    sum(h[0] for h in self.moments[m].values()):
                self.moments[m] = self.highest_at[m][1]
        self.unknown += len(self.debts)
        self.phases[self.phase][2] = self.total()
        self.calls = sum(self.count.values()) - self.count["thread_stacks"]

    def blocks(self):
        """[size, path, family, birth] of each"""
        out = [b[:2] + ["heap", b[3]] for b in self.live.values()]
        out += [b[:2] + ["heap", b[3]] for b in self.flying.values() if b]
        out += [b[:2] + ["mpi", b[3]] for b in self.mpi.values()]
        return out + self.pages.blocks()

    def family(self):
        out = dict.fromkeys(FAMILIES, 0)
        for size, _path, family, _born in self.blocks():
            out[family] += size
        return out

    def held(self, by=site):
        out = {}
        for size, path, family, _born in self.blocks():
            if family == "stacks":
                continue
            e = out.setdefault(by(path), [0, 0])
            e[0] += size
            e[1] += 1
        return out

    def total(self):
        return sum(b[0] for b in self.blocks() if b[2] != "stacks")

    def gain(self, time, family="heap"):
        n, now = self.total(), self.family()
        self.track.append((time, n))
        self.tops.append(n)
        self.touched = family != "stacks"
        if time in self.asked and self.touched and \
                n > self.highest_at.get(time, (0,))[0]:
            self.highest_at[time] = n, self.held()
        for k in FAMILIES:
            self.family_peak[k] = max(self.family_peak[k], now[k])
        if n > self.peak:
            self.peak, self.peak_time, self.at_peak = n, time, self.held()
            self.paths_at_peak = self.held(str)
            self.peak_sizes = sizes(self.own().values())
            self.families_at_peak = now
        phase = self.phases[self.phase]
        phase[1] = max(phase[1], n)

    def named(self, name):
        """[bytes, blocks] of that name"""
        every = list(self.live.values()) + [b for b in self.flying.values()
                                            if b]
        return [sum(b[0] for b in every if b[2] == name),
                sum(1 for b in every if b[2] == name)]

    def note(self, w, time):
        name = None if w[-1] == "-" else w[-1]
        if w[0] == "phase":
            self.phases[self.phase][2] = self.total()
            self.phase = name
            self.eras.append((max(time, self.last_birth + 1,
                                  self.eras[-1][0]), name))
            phase = self.phases.setdefault(name, [0, 0, 0])
            phase[0] += 1
            phase[1] = max(phase[1], self.total())
        elif w[0] == "snapshot":
            held = self.held()
            self.snapshots.append([name, self.total(),
                                   sum(h[1] for h in held.values()), held])
        elif int(w[1], 16) in self.live:
            self.live[int(w[1], 16)][2] = name
            if name:
                self.names.setdefault(name, [0, 0])[0] += 1
                self.highest(name)
        else:
            self.unsure = True      # it may lie in another block

    def highest(self, name):
        n = self.names[name]
        n[1] = max(n[1], self.named(name)[0])

    def contradicts(self, w):
        """The address at which the event cannot be, or None."""
        if w[0] in COMES or w[0] in GOES:
            return self.pages.contradicts(w)
        if w[0] in ("free", "out", "delete", "mpi-free"):
            a = int(w[1], 16)
            return None if a in self.table(w[0]) else a
        if w[0] in ("malloc", "calloc", "aligned", "new", "newop", "in",
                    "mpi"):
            a = int(w[1], 16)
            return a if a in self.table(w[0]) else None
        return None

    def table(self, kind):
        return self.mpi if kind.startswith("mpi") else self.live

    def settles(self, th, w):
        """Has the thread's OUT of realloc lost its other half?"""
        return th in self.flying and w[0] not in ("in", "gone", "failed")

    def apply_range(self, th, time, w):
        if w[0] in COMES:
            self.gain(time, self.pages.come(th, w, time))
        elif w[0] == "remap-out":
            if th in self.pages.moving:
                self.pages.put_back(th)
            self.pages.take_off(th, self.pages.gone(w))
            self.moved_from[th] = int(w[1], 16)
        else:
            for p in self.pages.gone(w):
                del self.pages.page[p]
        return int(w[1], 16)

    def apply(self, th, time, w):
        """Returns the address that the event touched."""
        kind = w[0]
        if kind in KINDS:
            self.count[KINDS[kind]] += 1
        if self.settles(th, w):
            self.put_back(th)
        if kind in NOTES:
            return self.note(w, time)
        if kind in COMES or kind in GOES:
            return self.apply_range(th, time, w)
        if kind in ("free", "out", "delete", "mpi-free"):
            a = int(w[1], 16)
            block = self.table(kind).pop(a, None)
            if block is None:
                self.unknown += not self.is_early(kind, a, time)
            elif kind == "free":
                self.recent[a >> 4 & 4095] = a, time
            if kind == "out":
                self.flying[th] = block and Flying(block, a)
            return a
        if kind == "failed":
            return self.put_back(th)
        if kind == "gone":
            self.flying.pop(th, None)
            return None
        a, size, path = int(w[1], 16), int(w[2]), w[3]
        if a in self.table(kind):
            self.conflicts += 1
        name = None
        if kind == "in":
            old = self.flying.pop(th, None)
            name = old and old[2]
        self.made.append([size, path, name, time, len(self.made)])
        self.table(kind)[a] = list(self.made[-1])
        if name:
            self.highest(name)
        self.gain(time)
        self.history.append((time, self.counted()))
        if self.is_due(a, time):
            del self.table(kind)[a]
        return a

    def near(self, a, b):
        return abs(a - b) <= self.skew

    def is_early(self, kind, a, time):
        """A release of nothing, where another one was just now: that one was
        stamped early and belongs to the next block there."""
        found = self.recent.get(a >> 4 & 4095)
        if kind != "free" or not self.skew or not found or \
                found[0] != a or not self.near(found[1], time) or \
                len(self.debts) == 16:
            return False
        self.debts.append(self.recent.pop(a >> 4 & 4095))
        return True

    def is_due(self, a, time):
        """Has the block that begins been released already?"""
        for d in list(self.debts):
            if self.near(d[1], time) and d[0] != a:
                continue
            self.debts.remove(d)
            if self.near(d[1], time):
                return True
            self.unknown += 1
        return False

    def put_back(self, th):
        if th not in self.flying and th in self.pages.moving:
            self.pages.put_back(th)
            return self.moved_from[th]
        block = self.flying.pop(th, None)
        if not block:
            return None
        if block.address in self.live:
            self.conflicts += 1
        self.live[block.address] = list(block)
        return block.address

    def run(self, rank, skew, moments):
        queues = {t: list(q) for t, q in rank.threads.items()}
        waiting = {}                # thread -> address
        self.own_before, self.asked = {}, moments
        self.moved_from = {}        # thread -> address
        self.track = []             # (time, live bytes) after each event
        self.steps = []             # (thread, came, went, highest) of each
        self.tops, live = [], 0
        while any(queues.values()):
            def key(t):
                return queues[t][0][0] + (skew if t in waiting else 0), t
            ready = sorted((t for t in queues if queues[t]), key=key)
            t = ready[0]
            time, w = queues[t][0]
            if t in waiting:
                del waiting[t]      # its time is over
            elif len(ready) > 1:
                if self.settles(t, w):
                    # at once, whether the event itself has to wait or not
                    self.change(time, self.put_back, t)
                a = self.contradicts(w)
                if a is not None:
                    waiting[t] = a
                    continue
            queues[t].pop(0)
            self.tops = [live]
            a = self.change(time, self.apply, t, time, w)
            top, before, live = max(self.tops), live, self.total()
            self.steps.append((t, top - before, top - live,
                               top if top > before else live))
            for other in [o for o in waiting if waiting[o] == a]:
                del waiting[other]

    def change(self, time, do, *args):
        """Do it, and see what it changes at @time."""
        past = [m for m in self.asked if m < time]
        held, before, self.touched = self.held(), self.counted(), False
        made = len(self.made)
        a = do(*args)
        self.own_before = self.live_and_die(self.own_before, made, time)
        self.track.append((time, self.total()))
        after = self.counted()
        if before != after or self.touched:
            self.history.append((time, after))
            self.last_birth = max([self.last_birth] + [b[3] for b in after])
            self.stay(held, time)
            self.moments.update(dict.fromkeys(past, held))
            self.asked = [m for m in self.asked if m not in past]
        return a

    def at_most(self):
        """The peak with calls under way: between two events of it a thread
        may have what the first released or what the second allocated."""
        if self.skew == 0:
            return self.peak
        most = [s[3] for s in self.steps]
        for t in {s[0] for s in self.steps}:
            mine = [i for i, s in enumerate(self.steps) if s[0] == t]
            for a, b in zip([-1] + mine, mine + [len(most)]):
                n = max(self.steps[a][2] if a >= 0 else 0,
                        self.steps[b][1] if b < len(most) else 0)
                for i in range(max(a, 0), b):
                    most[i] += n
        return max([self.peak] + most)

    def stay(self, held, time):
        """Until @time it was so."""
        if time > self.now:
            self.levels.append([sum(h[0] for h in held.values()),
                                time - self.now])
            self.now = time

    def near_peak(self, percent):
        """Seconds at so much of the peak, to the unit of the analyzer."""
        unit = 1
        while self.peak >= 4096 * unit:
            unit *= 2
        least = -(-self.peak * percent // 100) // unit
        return self.peak and 1e-9 * sum(
            t for live, t in self.levels if live // unit >= least)

    def counted(self):
        return sorted(b for b in self.blocks() if b[2] != "stacks")

    def own(self):
        """number -> block, of the heap and of MPI"""
        every = list(self.live.values()) + list(self.mpi.values())
        every += [b for b in self.flying.values() if b]
        return {b[4]: b for b in every}

    def live_and_die(self, before, made, time):
        now = self.own()
        for number, b in before.items():
            if number not in now:
                self.die(b, time)
        for b in self.made[made:]:
            e = self.lives.setdefault(b[1], Lives())
            e.blocks, e.bytes, e.now = e.blocks + 1, e.bytes + b[0], e.now + 1
            e.most = max(e.most, e.now)
            if b[4] not in now:
                self.die(b, time)
        return now

    def die(self, b, time):
        e, age = self.lives[b[1]], max(0, time - b[3])
        e.now -= 1
        e.released += 1
        e.lives[sum(age >= 10 ** k for k in range(2, 12))] += 1

    def phase_of(self, birth):
        return [name for start, name in self.eras if start <= birth][-1]

    def bins(self, width, count, key):
        """Of each bin: highest, last, {key: bytes} when it was highest."""
        out, at, now = [], 0, []
        best = 0, now
        for time, blocks in self.history + [(START + width * count, None)]:
            while at < count and time >= START + width * (at + 1):
                sums = {}
                for b in best[1]:
                    sums[key(b)] = sums.get(key(b), 0) + b[0]
                live = sum(b[0] for b in now)
                out.append((best[0], live, sums))
                best = live, now
                at += 1
            if blocks is not None:
                now = blocks
                live = sum(b[0] for b in now)
                if live > best[0]:
                    best = live, now
        return out


class Lives:
    """Of a path."""

    def __init__(self):
        self.blocks = self.bytes = self.released = self.most = self.now = 0
        self.lives = [0] * 11


def sizes(blocks):
    out = {}
    for b in blocks:
        e = out.setdefault(1 << b[0].bit_length() >> 1, [0, 0])
        e[0] += 1
        e[1] += b[0]
    return out


class Flying(list):
    """A block in realloc's hands."""

    def __init__(self, block, address):
        super().__init__(block)
        self.address = address


# --- comparison

def by_name(entries):
    out = {}
    for e in entries:
        n = out.setdefault(e["name"], [0, 0])
        n[0] += e["bytes"]
        n[1] += e["blocks"]
    return out


def add(a, b):
    for k, v in b.items():
        e = a.setdefault(k, [0, 0])
        e[0] += v[0]
        e[1] += v[1]
    return a


def analyze(tool, *args):
    p = subprocess.run([tool, *args, "--json", "run.wm"],
                       capture_output=True, text=True)
    if p.returncode not in (0, 4):
        raise RuntimeError("status %d: %s" % (p.returncode, p.stderr))
    return json.loads(p.stdout), p.returncode


def check_list(entries, what, say):
    # leaks: the program's first
    order = [(e.get("runtime") is None, e["bytes"]) for e in entries]
    if order != sorted(order, reverse=True):
        say(what + " order", order, "descending")


def check_notes(got, r, say):
    phases = r.phases if len(r.phases) > 1 or r.phases[None][0] > 1 else {}
    say("phases", {p["name"]: [p["entered"], p["peak_bytes"], p["end_bytes"]]
                   for p in got["phases"]}, phases)
    names = {n["name"]: [n["named_blocks"], n["peak_bytes"],
                         n["unfreed_bytes"], n["unfreed_blocks"]]
             for n in got["names"]}
    if not r.unsure:
        say("names", names,
            {n: v + r.named(n) for n, v in r.names.items()})
    say("snapshots", [[s["name"], s["bytes"], s["blocks"],
                       by_name(s["functions"])] for s in got["snapshots"]],
        r.snapshots)
    for n in got["names"]:
        say("name at the peak", n["bytes"] <= got["heap"]["peak"]["max"], True)


def check_lives(tool, top, replays, begins, say):
    """--temporaries, --sizes and --leaks; @top: of the highest peak."""
    check_temporaries(tool, ["--rank", "max"], [replays[top]], say)
    check_temporaries(tool, [], replays, say)
    check_leaks(tool, ["--rank", "max"], [replays[top]], [begins[top]], say)
    check_leaks(tool, [], replays, begins, say)
    r = replays[top]
    rows = analyze(tool, "--sizes")[0]["sizes"]
    say("sizes", {e["from"]: [e["blocks"], e["bytes"]] for e in rows},
        sizes(r.made))
    say("sizes at the peak", {e["from"]: [e["peak_blocks"], e["peak_bytes"]]
                              for e in rows if e["peak_blocks"]},
        r.peak_sizes)


def check_temporaries(tool, args, replays, say):
    want, got = {}, {}
    for r in replays:
        for path, e in r.lives.items():
            n = want.setdefault(site(path), [0] * 16)
            new = [e.blocks - e.most, e.blocks, e.bytes, e.most, e.released]
            want[site(path)] = [x + y for x, y in zip(n, new + e.lives)]
    sites = analyze(tool, "--temporaries", *args)[0]["temporaries"]["sites"]
    for e in sites:
        n = got.setdefault(e["name"], [0] * 16)
        got[e["name"]] = [x + y for x, y in zip(n, [
            e["reusable"], e["blocks"], e["bytes"], e["most"],
            e["released"]] + e["lives"])]
    say("lives", got, want)


def check_leaks(tool, args, replays, begins, say):
    """What processes without END hold is apart."""
    never = analyze(tool, "--leaks", *args)[0]["never_freed"]
    got = never["sites"] + never["held_sites"]
    want = {}
    for r, begin in zip(replays, begins):
        for b in r.counted():
            want.setdefault(site(b[1]), []).append(
                ((begin + max(0, b[3] - START)) * 1e-9, b[0]))
    say("sites of leaks", {e["name"] for e in got}, set(want))
    for name, blocks in want.items():
        these = [e for e in got if e["name"] == name]
        say("leaks of a site",
            (sum(e["blocks"] for e in these), sum(e["bytes"] for e in these)),
            (len(blocks), sum(b[1] for b in blocks)))
        births = [b[0] for b in blocks]
        for key, pick in ("first_s", min), ("last_s", max):
            say(key, abs(pick(e[key] for e in these) - pick(births)) < 1e-6,
                True)


def check_layers(tool, by, replay, key, say):
    line = analyze(tool, "--timeline", "--by", by)[0]["timeline"][0]
    count = len(line["max_bytes"])
    want = replay.bins(round(line["bin_s"] * 1e9), count, key)
    say("bins", line["max_bytes"], [w[0] for w in want])
    say("ends of bins", line["end_bytes"], [w[1] for w in want])
    for i in range(count):
        sums = {}
        for l in line["layers"]:
            if l["bytes"][i]:
                sums[l["name"]] = sums.get(l["name"], 0) + l["bytes"][i]
        say("bin %d by %s" % (i, by), sums,
            {k: v for k, v in want[i][2].items() if v})


def check(seed, make, tool, say):
    lines = describe(seed)
    shutil.rmtree("run.wm", ignore_errors=True)
    with open("run.txt", "w") as f:
        # the two ways to write STACK and SIZE
        f.write("values %s\n" % ("seen", "seen", "plain")[seed % 3])
        f.write("\n".join(lines) + "\n")
    subprocess.run([make, "run.wm", "run.txt"], check=True)
    ranks, shift = parse(lines)
    skew = SKEW + 1 + (1 << shift)
    end = max(r.last for r in ranks)
    rng = random.Random(seed)
    moments = [rng.randint(START, end + 1000) for _ in range(2)]
    begins = oracle_nodes.begins(ranks)
    own = [[m - begin for m in moments] for begin in begins]
    replays = [Replay(r, skew, m) for r, m in zip(ranks, own)]
    peaks = [r.peak for r in replays]
    top, low = peaks.index(max(peaks)), peaks.index(min(peaks))

    got, status = analyze(tool, "--timeline", "-j", str(1 + seed % 3))
    whole = all(r.ended for r in ranks)
    say("status", status, 0 if whole else 4)
    say("complete", got["run"]["complete"], whole)
    say("salvaged", got["run"]["salvaged_ranks"],
        [r.rank for r in ranks if not r.ended])
    say("nodes", got["run"]["nodes"], len({r.host for r in ranks}))
    p = got["heap"]["peak"]
    say("max", (p["max"], p["max_rank"]), (peaks[top], top))
    say("min", (p["min"], p["min_rank"]), (peaks[low], low))
    mean = sum(peaks) / len(peaks)
    dev = math.sqrt(sum((x - mean) ** 2 for x in peaks) / len(peaks))
    say("mean", abs(p["mean"] - mean) < 1e-3 + mean * 1e-12, True)
    say("stddev", abs(p["stddev"] - dev) < 1e-3 + dev * 1e-9, True)
    for row, r, rank, begin in zip(got["ranks"], replays, ranks,
                                   begins):
        end = r.held().values()
        say("peak", row["peak_bytes"], r.peak)
        say("at most", row["peak_at_most_bytes"], r.at_most())
        if r.peak:
            t = (begin + max(0, r.peak_time - START)) * 1e-9
            say("time", abs(row["peak_time_s"] - t) < 1e-6, True)
        say("unfreed", (row["unfreed_bytes"], row["unfreed_blocks"]),
            (sum(e[0] for e in end), sum(e[1] for e in end)))
        for k in 99, 90:
            say("at %d %% of the peak" % k,
                abs(row["peak_%d_s" % k] - r.near_peak(k)) < 2e-6, True)
        say("rank events", row["events"], r.calls)
        say("node", row["node"], rank.host)
    for k in replays[0].count:
        say(k, got["events"][k], sum(r.count[k] for r in replays))
    say("total", got["events"]["total"], sum(r.calls for r in replays))
    for k in FAMILIES:
        f = got["families"][k]
        say(k + " at peak", f["at_peak"], replays[top].families_at_peak[k])
        say(k + " peak", f["peak"], max(r.family_peak[k] for r in replays))
        for row, r in zip(got["ranks"], replays):
            say(k + " of rank",
                (row[k + "_peak_bytes"], row[k + "_at_peak_bytes"],
                 row[k + "_unfreed_bytes"], row[k + "_unfreed_blocks"]),
                (r.family_peak[k], r.families_at_peak[k], r.family()[k],
                 sum(1 for b in r.blocks() if b[2] == k)))
    say("unknown", got["events"]["unknown_free"],
        sum(r.unknown for r in replays))
    say("conflicts", got["events"]["conflicts"],
        sum(r.conflicts for r in replays))
    say("functions", by_name(got["functions"]), replays[top].at_peak)
    say("leaks", by_name(got["leaks"]), replays[top].held())
    check_list(got["functions"], "functions", say)
    check_list(got["leaks"], "leaks", say)
    line = got["timeline"][0]
    say("timeline max", max(line["max_bytes"]), peaks[top])
    say("timeline end", line["end_bytes"][-1], replays[top].total())

    check_notes(got, replays[top], say)
    if seed % 3 == 0:
        check_lives(tool, top, replays, begins, say)
    elif seed % 3 == 1:
        check_layers(tool, "sites", replays[top], lambda b: site(b[1]), say)
    else:
        check_layers(tool, "phases", replays[top],
                     lambda b: replays[top].phase_of(b[3]), say)

    got, _ = analyze(tool, "--tree")
    say("tree", flat(got["tree"]), tree(replays[top].paths_at_peak, False))
    got, _ = analyze(tool, "--tree", "--bottom-up", "--rank", "all")
    every = {}
    for r in replays:
        add(every, r.paths_at_peak)
    say("tree from the sites", flat(got["tree"]), tree(every, True))
    got, _ = analyze(tool, "--imbalance", "-j", str(1 + seed % 3))
    say("peaks", [r["peak_bytes"] for r in got["ranks"]], peaks)
    parts = {r["rank"]: r["at_node_peak_bytes"] for r in got["ranks"]}
    oracle_nodes.check(got["imbalance"], parts, ranks, replays, START, say)

    got, _ = analyze(tool, "--rank", "min")
    say("min functions", by_name(got["functions"]), replays[low].at_peak)
    got, _ = analyze(tool, "--rank", "all", "-j", "2")
    every, left = {}, {}
    for r in replays:
        add(every, r.at_peak)
        add(left, r.held())
    say("all functions", by_name(got["functions"]), every)
    say("all leaks", by_name(got["leaks"]), left)

    got, _ = analyze(tool, "--timeline", "--at", "%dns" % (moments[0] - START))
    say("functions at a moment", by_name(got["functions"]),
        replays[top].moments[own[top][0]])
    got, _ = analyze(tool, "--at", "%.9f" % ((moments[1] - START) * 1e-9),
                     "--rank", "all", "--functions")
    every = {}
    for r, m in zip(replays, own):
        add(every, r.moments[m[1]])
    say("all functions at a moment", by_name(got["functions"]), every)


def main():
    make, tool, first, last = sys.argv[1:5]
    bad = 0
    for seed in range(int(first), int(last) + 1):
        def say(what, got, want):
            nonlocal bad
            if got != want:
                bad += 1
                print("seed %d: %s: got %s, want %s" % (seed, what, got, want))
        try:
            check(seed, os.path.abspath(make), os.path.abspath(tool), say)
        except (RuntimeError, KeyError, ValueError,
                subprocess.CalledProcessError) as e:
            bad += 1
            print("seed %d: %s" % (seed, e))
    print("%d seeds, %d differences" % (int(last) - int(first) + 1, bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
