# SPDX-License-Identifier: Apache-2.0
"""The workloads of tests/bench/bench: how to build them, what to run."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.dirname(os.path.dirname(HERE))


class Workload:
    """A program and its arguments as a function of the scale.

    what: one line for the table.  sources: files here, or of a component of
    scripts/setup --bench.  inputs: writes a file for a scale, if one is
    needed; its name is the argument "FILE".
    """

    def __init__(self, name, what, sources, arguments, component=None,
                 compiler="gcc", flags="-O2 -g", libs="", inputs=None):
        self.name, self.what, self.sources = name, what, sources
        self.arguments, self.component = arguments, component
        self.compiler, self.flags, self.libs = compiler, flags, libs
        self.inputs = inputs

    def files(self):
        if not self.component:
            return [os.path.join(HERE, s) for s in self.sources]
        r = subprocess.run([os.path.join(SRC, "scripts", "setup"),
                            "--print-prefix", self.component],
                           stdout=subprocess.PIPE, text=True)
        if r.returncode:
            return None
        return [os.path.join(r.stdout.strip(), "lib", s)
                for s in self.sources]

    def command(self, scale, work):
        """Arguments for this scale; makes the input file, once."""
        args = self.arguments(scale)
        if not self.inputs:
            return args
        file = os.path.join(work, "%s-%g.in" % (self.name, scale))
        if not os.path.exists(file):
            with open(file, "w") as f:
                self.inputs(f, scale)
        return [a.replace("FILE", file) for a in args]


def count(n, scale):
    return str(max(1, round(n * scale)))


SQL = """UPDATE t SET b = replace(b, 'name', 'node') || hex(a);
SELECT upper(substr(b, 1, 7)) AS k, count(*), sum(c), length(group_concat(b))
    FROM t GROUP BY k ORDER BY 2, 1;
SELECT count(DISTINCT printf('%s-%d', lower(b), a % 100)) FROM t;
SELECT sum(length(trim(replace(upper(b), 'N', '--')))) FROM t
    WHERE b LIKE '%7%';
SELECT x.k, max(y.v) FROM (SELECT lower(hex(b)) AS k, a FROM t) x
    JOIN (SELECT quote(b) AS v, a FROM t) y USING(a)
    GROUP BY x.k HAVING length(x.k) > 100;
"""


def sql_script(f, scale):
    n = int(count(120000, scale))
    f.write("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL);\n"
            "CREATE INDEX tb ON t(b);\nBEGIN;\n")
    for i in range(n):
        f.write("INSERT INTO t VALUES(%d, 'name %d', %d.5);\n" %
                (i, i * 7919 % n, i))
    f.write("COMMIT;\n")
    for i in range(n // 20):
        f.write("SELECT a, b || 'x', upper(replace(b, 'name', 'n')) FROM t"
                " WHERE b >= 'name %d' ORDER BY b LIMIT 20;\n" % i)
    f.write(SQL)


def xml_file(f, scale):
    f.write("<root>")
    for i in range(int(count(250000, scale))):
        f.write('<item id="%d" kind="k%d"><name>node %d</name><val unit="ms">'
                '%d</val><g><h a="1">x%d</h></g></item>\n' %
                (i, i % 7, i, i * 37 % 1001, i % 13))
    f.write("</root>\n")


WORKLOADS = (
    Workload("W1", "malloc and free at depth 13 from 200 call paths",
             ["churn.c"], lambda s: [count(30e6, s)]),
    Workload("W2", "few large blocks and a stencil",
             ["blocks.c"], lambda s: [count(12, s)]),
    Workload("W3", "5 M live blocks, freed in random order",
             ["live.c"], lambda s: [count(5e6, s), "0"]),
    Workload("W3-replace", "5 M live blocks, replaced at random",
             ["live.c"], lambda s: [count(5e6, s), count(5e6, s)]),
    Workload("W4", "two threads, each frees what the other allocates",
             ["ring.c"], lambda s: [count(8e6, s)]),
    Workload("threads-16", "16 threads and the main one, each for itself",
             ["crowd.c"], lambda s: ["16", count(2e6, s)]),
    Workload("paths", "262,144 call paths, taken at random",
             ["paths.c"], lambda s: ["18", count(4e6, s)],
             flags="-O2 -g -fno-optimize-sibling-calls"),
    Workload("recursion", "malloc on each level of a recursion, 5,000 deep",
             ["../progs/runtime/deep_paths.c"],
             lambda s: ["levels", "5000", count(2e6, s)],
             flags="-O2 -g -fno-optimize-sibling-calls"),
    Workload("SQLite", "SQLite's shell with its pool of small blocks off",
             ["shell.o", "libsqlite3.a"],
             lambda s: ["-lookaside", "0", "0", ":memory:", ".read FILE"],
             component="sqlite", libs="-lm", inputs=sql_script),
    Workload("SQLite-pool", "the same with the pool on, which is the default",
             ["shell.o", "libsqlite3.a"], lambda s: [":memory:", ".read FILE"],
             component="sqlite", libs="-lm", inputs=sql_script),
    Workload("xmllint", "libxml2 parses a file and counts by an XPath",
             ["xmllint.o", "libxml2.a"],
             lambda s: ["--huge", "--xpath",
                        "count(//item[@kind='k3']/name)", "FILE"],
             component="libxml2", libs="-lm", inputs=xml_file),
    Workload("words", "C++: strings in a map of sets",
             ["words.cpp"], lambda s: [count(100000, s)], compiler="g++"),
)
