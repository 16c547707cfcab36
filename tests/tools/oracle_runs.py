# SPDX-License-Identifier: Apache-2.0
"""Random runs for the oracle (oracle.py): what threads of ranks do, as
descriptions for wmt-make."""
import random

import oracle_nodes

START = 1000000
PAGE = 4096
# below it a NAME is about no block (docs/trace-format.md, 5.11)
LOWEST = 4096
RANGES = 0x200000000
SKEW = 10000
RUNTIME = {"_Znwm", "_ZNSt6vectorIiSaIiEE9push_backEOi", "strdup",
           "_gfortran_internal_pack"}
NAMES = {"_Znwm": "operator new(unsigned long)",
         "_ZNSt6vectorIiSaIiEE9push_backEOi":
         "std::vector<int, std::allocator<int> >::push_back(int&&)",
         "_ZN4Mesh6refineEi": "Mesh::refine(int)",
         "__grid_MOD_setup": "grid::setup"}


# --- random descriptions

class Writer:
    """Simulates threads on one address space and writes what they do."""

    def __init__(self, rng, lines):
        self.rng, self.lines = rng, lines
        self.frames = ["main", "foo", "bar", "baz", "_ZN4Mesh6refineEi",
                       "__grid_MOD_setup", "solve", "f1", "f2", "f3"]

    def path(self):
        r = self.rng
        if r.random() < 0.02:
            return "-"
        p = ["main"] + r.choices(self.frames, k=r.randint(0, 5))
        p = [f + ("+%d" % r.randint(20, 90) if r.random() < .2 else "")
             for f in p]
        if r.random() < 0.3:
            p.append(r.choice(sorted(RUNTIME)))
        if r.random() < 0.01:
            p = [r.choice(sorted(RUNTIME))]
        return "<".join(p)

    def size(self):
        r = self.rng
        k = r.random()
        if k < 0.05:
            return 0
        if k < 0.1:
            return r.randint(1 << 31, 1 << 35)
        return r.randint(1, 5000)

    def address(self, used):
        r = self.rng
        while True:
            a = LOWEST + r.randint(1, 60) * 16 + 0x7f0000000000 * r.randint(0, 1)
            if r.random() < 0.1:
                a += 8
            if a not in used:
                return a

    def range(self, th, early, late, put, paths):
        """Mappings and the like, anywhere on a few pages."""
        r = self.rng
        a = RANGES + r.randint(0, 30) * PAGE
        n = r.randint(1, 9) * PAGE
        p = r.choice(paths)
        if th in self.moving:
            self.moving.discard(th)
            what = r.random()
            if what < .6:
                put(th, late, "remap-in 0x%x %d %s" % (a, n, p))
                return
            if what < .8:
                put(th, late, "failed %d %s" % (n, p))
                return
        what = r.choice(["map", "map", "map", "unmap", "unmap", "remap-out",
                         "remap-in", "shm", "shm-gone", "stack", "stack-gone",
                         "brk-up", "brk-down", "mpi", "mpi-free", "delete"])
        if what in ("map", "shm", "stack", "brk-up", "mpi", "remap-in"):
            put(th, late, "%s 0x%x %d %s" % (what, a, n, p))
        elif what in ("stack-gone", "mpi-free"):
            put(th, early, "%s 0x%x" % (what, a))
        elif what == "delete":
            put(th, early, "delete 0x%x" % (LOWEST + r.randint(1, 60) * 16))
        else:
            if what == "remap-out":
                self.moving.add(th)
                n = r.choice([n, 0])
            if what == "shm-gone":
                n = r.choice([n, 0, 0])
            put(th, early, "%s 0x%x %d" % (what, a, n))

    def note(self, th, stamp, put, live):
        """What the program says; names where it is certain whose."""
        r = self.rng
        what = r.choice(["phase", "phase", "snapshot", "name", "name"])
        name = r.choice(["-", "one", "two", "three", "four"])
        if what != "name":
            put(th, stamp, "%s %s" % (what, name))
        elif live:
            put(th, stamp, "name 0x%x %s" % (r.choice(sorted(live)), name))

    def rank(self, rank, ranks):
        self.moving = set()
        r, out = self.rng, self.lines
        out.append("rank %d of %d" % (rank, ranks))
        threads = r.choice([1, 1, 2, 3, 5])
        skew = r.choice([0, 200, 4000, 9000, 30000]) if threads > 1 else 0
        events = r.choice([0, 5, 60, 400])
        now = START + r.randint(0, 3000)
        clock = [now] * threads     # stamps of a thread never go back
        live, flying = {}, {}
        paths = [self.path() for _ in range(r.randint(1, 25))]
        current = None
        ranges = r.choice([0, 0, .15, .5])
        notes = r.choice([0, 0, .02, .2])

        def put(th, stamp, text):
            nonlocal current
            clock[th] = max(clock[th], stamp)
            if current != th:
                out.append("thread %d" % th)
                current = th
            out.append("t %d %s" % (clock[th], text))

        for _ in range(events):
            now += r.choice([0, 1, 50, 400, 20000])
            th = r.randrange(threads)
            early = max(START, now - r.randint(0, skew))
            late = now + r.randint(0, skew)
            if r.random() < notes:
                self.note(th, now, put, live if threads == 1 else {})
                continue
            what = r.random()
            if th not in flying and (th in self.moving or
                                     r.random() < ranges):
                self.range(th, early, late, put, paths)
                continue
            if th in flying:
                old = flying.pop(th)
                if what < 0.1:
                    put(th, late, "gone")
                elif what < 0.2:
                    live[old] = True
                    put(th, late, "failed %d %s" % (self.size(),
                                                   r.choice(paths)))
                elif what < 0.23:
                    pass            # its second half got lost
                else:
                    # realloc may give the address back or take another
                    a = old if old not in live and r.random() < .3 else \
                        self.address(live)
                    live[a] = True
                    put(th, late, "in 0x%x %d %s" % (a, self.size(),
                                                    r.choice(paths)))
                continue
            if what < 0.42 and live:
                a = r.choice(sorted(live))
                del live[a]
                put(th, early, "free 0x%x" % a)
            elif what < 0.52 and live:
                a = r.choice(sorted(live))
                del live[a]
                # no thread gets the address before the call is over
                flying[th] = a
                put(th, early, "out 0x%x" % a)
            elif what < 0.54:
                put(th, late, "failed %d %s" % (r.choice(
                    [1 << 62, 77, (1 << 64) - 1]), r.choice(paths)))
            elif what < 0.555:
                put(th, early, "free 0x%x" % (r.randint(1, 90) * 16))
            elif what < 0.565 and live:
                a = r.choice(sorted(live))
                put(th, late, "malloc 0x%x %d %s" % (a, self.size(),
                                                    r.choice(paths)))
            elif len(live) < 55:
                a = self.address(set(live) | set(flying.values()))
                live[a] = True
                put(th, late, "%s 0x%x %d %s" % (
                    r.choice(["malloc", "malloc", "calloc", "aligned",
                              "new", "newop"]), a, self.size(),
                    r.choice(paths)))
            if r.random() < 0.01:
                out.append("block")
            if r.random() < 0.005:
                out.append("generation")
        if r.random() < 0.9:
            out.append("end")


def describe(seed):
    rng = random.Random(seed)
    lines = ["elf app.wm", "build-id 0011223344556677",
             "shift %d" % rng.choice([0, 0, 4, 10, 13]),
             "level %d" % rng.choice([-1, -1, 1]),
             "block-events %d" % rng.choice([3, 17, 100, 16384])]
    ranks = rng.choice([1, 1, 1, 2, 3, 5])
    places = oracle_nodes.describe(rng, ranks, "node")
    for rank in range(ranks):
        lines += places[rank]
        Writer(rng, lines).rank(rank, ranks)
    return lines
