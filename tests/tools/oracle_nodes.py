# SPDX-License-Identifier: Apache-2.0
"""Nodes of the oracle (oracle.py): which ranks are on which, and how much the
ranks of one hold at the same time.

By brute force: all changes of all ranks of a node in one list, ordered by
(time, rank), and the sum of what each rank holds after every one of them.
"""
MONO = 5000000000
REAL = 1700000000000000000


def describe(rng, ranks, hosts):
    """Lines before each rank: its host, boot and clocks."""
    nodes = rng.choice([1, 1, 2, 3])
    boots = ["boot -" if rng.random() < .2 else "boot b%d" % n
             for n in range(nodes)]
    apart = rng.choice([0, 0, 1000, 3000000])
    out = []
    for rank in range(ranks):
        n = rng.randrange(nodes)
        out.append(["host %s%d" % (hosts, n), boots[n],
                    "mono %d" % (MONO + rng.randint(0, apart)),
                    "real %d" % (REAL + n * rng.randint(0, 500000))])
    return out


class Place:
    """Where a rank runs, and its clocks at the start."""

    def __init__(self):
        self.host, self.boot, self.mono, self.real = "node1", None, MONO, REAL

    def take(self, w):
        if w[0] in ("host", "boot"):
            setattr(self, w[0], w[1])
        elif w[0] in ("mono", "real"):
            setattr(self, w[0], int(w[1]))

    def copy(self):
        p = Place()
        p.__dict__.update(self.__dict__)
        return p

    def node(self):
        if self.boot == "-":
            return "host " + self.host
        return "boot " + (self.boot or "boot-" + self.host)

    def real_start(self):
        return self.real + self.mono

    def start(self):
        """On the clock of the node."""
        return self.real_start() if self.boot == "-" else self.mono


def changes(rank, replay, number, begin):
    """(time, rank, bytes that it holds from then on), in order"""
    out, last, before = [], 0, 0
    for ticks, held in replay.track:
        if held == before:
            continue
        before = held
        last = max(last, rank.place.start() + max(0, ticks - begin))
        out.append((last, number, held))
    if rank.ended:
        last = max(last, rank.place.start() + max(0, rank.last - begin))
        out.append((last, number, 0))
    return out


def peak(every):
    """(bytes, time, {rank: bytes}); every: lists of changes, rank by rank"""
    held = {c[0][1]: 0 for c in every if c}
    best = (0, None, {})
    # the sort is stable: changes of a rank stay in order
    for time, number, now in sorted((c for r in every for c in r),
                                    key=lambda c: c[:2]):
        held[number] = now
        if sum(held.values()) > best[0]:
            best = (sum(held.values()), time, dict(held))
    return best


def begins(ranks):
    """Of each rank: ns since the job's first process began."""
    first = {}
    for p in sorted((r.place for r in ranks), key=lambda p: p.start()):
        first.setdefault(p.node(), p)
    zero = min(p.real_start() for p in first.values())
    return [r.place.start() - first[r.place.node()].start() +
            first[r.place.node()].real_start() - zero for r in ranks]


def check(got, parts, ranks, replays, begin, say):
    """@parts: what each rank had at the peak of its node."""
    nodes = {}
    for rank, replay in zip(ranks, replays):
        nodes.setdefault(rank.place.node(), []).append((rank, replay))
    rows = dict(zip(sorted(nodes, key=lambda n: min(r.rank for r, _ in nodes[n])),
                    got["nodes"]))
    say("nodes", [n["ranks"] for n in got["nodes"]],
        [len(nodes[n]) for n in rows])
    first = {n: min(m, key=lambda e: e[0].place.start())[0].place
             for n, m in nodes.items()}
    zero = min(p.real_start() for p in first.values())
    for name, members in nodes.items():
        row = rows.get(name)
        if not row:
            continue
        high, time, held = peak([changes(r, x, r.rank, begin)
                                 for r, x in members])
        say("node's peak", row["peak_bytes"], high)
        say("sum of peaks", row["sum_of_peaks"],
            sum(x.peak for _, x in members))
        say("parts", {r.rank: parts[r.rank] for r, _ in members
                      if parts[r.rank]}, {k: v for k, v in held.items() if v})
        say("lower bound", row["lower_bound"],
            not all(r.ended for r, _ in members))
        if high:
            t = time - first[name].start() + first[name].real_start() - zero
            if abs(row["peak_time_s"] - t * 1e-9) > 1e-6:
                say("time of the node's peak", row["peak_time_s"], t * 1e-9)
    order = sorted(x.peak for x in replays)
    for p in (5, 25, 50, 75, 95):
        want = min(v for v in order
                   if sum(1 for x in order if x <= v) * 100 >= p * len(order))
        say("%d %%" % p, got["percentiles"][str(p)], want)
    top = max(order)
    say("worst", got["worst"]["bytes"], top)
    say("sites of the worst", sum(s["bytes"] for s in got["worst"]["sites"]),
        top)
    say("heat map", max((v for row in got["heatmap"]["rows"]
                         for v in row["max_bytes"] if v is not None),
                        default=0), top)
