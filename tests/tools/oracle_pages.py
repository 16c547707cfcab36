#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oracle_pages.py SEED [DESCRIPTION]: who uses pages, block by block and page
by page.

Writes a random run to DESCRIPTION (for wmt-make) and what is true of its sites
as JSON; shares nothing with wm-analyze but the definitions in docs/json.md."""
import json
import random
import sys

PAGE, BASE = 4096, 0x10000
rnd = random.Random(int(sys.argv[1]))
sites = ["s%d" % i for i in range(rnd.randint(1, 6))]
pages = rnd.choice([6, 40, 300])
out, time, live, dying, dead = [], 1000000, [], [], []


class Block:
    def __init__(self, addr, size, site, born):
        self.addr, self.size, self.site, self.born = addr, size, site, born
        self.touched, self.written = set(), set()

    def pages(self):
        """page -> bytes of it"""
        at, end = self.addr, self.addr + self.size
        while at < end:
            n = min(end, (at // PAGE + 1) * PAGE) - at
            yield at // PAGE, n
            at += n


def none():
    return dict(bytes=0, touched_bytes=0, written_bytes=0, page_epochs=0,
                written_page_epochs=0, shared_page_epochs=0, first_s=None,
                last_s=None, last_write_s=None, end_bytes=0,
                end_untouched_bytes=0, cold_bytes=0, cold_since_s=None,
                read_only_bytes=0, read_only_since_s=None)


true = {s: none() for s in sites}
each = {s: [] for s in sites}  # bytes accessed in each epoch
accessed_in, written_in = {}, {}  # page -> the last epoch
now, most = {}, {}  # (page, site) -> bytes
slots = [(BASE * PAGE + rnd.randrange(pages * PAGE) // 16 * 16)
         for _ in range(200)]


def change(b, sign):
    for p, n in b.pages():
        k = (p, b.site)
        now[k] = now.get(k, 0) + sign * n
        most[k] = max(most.get(k, 0), now[k])


def alive(site):
    return sum(b.size for b in live if b.site == site)


def random_pages(of):
    how = rnd.randrange(5)
    if how == 0:
        return set(of)
    if how == 1:
        a = rnd.randrange(len(of) + 1)
        return set(of[a:a + rnd.randrange(len(of) + 1)])
    if how == 2 and last:
        return {p for p in last if rnd.random() < .9}
    return {p for p in of if rnd.random() < [.1, .5, .9][how - 2]}


def listed(pages):
    runs = []
    for p in sorted(pages):
        if runs and runs[-1][1] == p - 1:
            runs[-1][1] = p
        else:
            runs.append([p, p])
    return ",".join("0x%x-0x%x" % tuple(r) for r in runs) or "-"


def move(b):
    """realloc to another address, of whole pages, so that none is shared"""
    addr = (BASE + rnd.randrange(pages)) * PAGE
    size = rnd.randint(1, max(1, pages // 3)) * PAGE
    if b.addr % PAGE or b.size % PAGE or addr == b.addr or any(
            x.addr < addr + size and addr < x.addr + x.size for x in live):
        return False
    live.remove(b)
    to = Block(addr, size, rnd.choice(sites), epoch)
    for old, new in ((b.touched, to.touched), (b.written, to.written)):
        new |= {p - b.addr // PAGE + addr // PAGE for p in old
                if p - b.addr // PAGE < size // PAGE}
    live.append(to)
    out.append("t %d realloc 0x%x 0x%x %d main<%s" % (
        time, b.addr, addr, size, to.site))
    change(b, -1)
    change(to, 1)
    true[to.site]["bytes"] = max(true[to.site]["bytes"], alive(to.site))
    return True


def moves():
    """blocks come and go"""
    global time
    for _ in range(rnd.randrange(rnd.choice([1, 4, 60]))):
        time += 1
        if live and rnd.random() < .45:
            b = live.pop(rnd.randrange(len(live)))
            out.append("t %d free 0x%x" % (time, b.addr))
            dying.append(b)
            change(b, -1)
            continue
        if live and rnd.random() < .2 and move(rnd.choice(live)):
            continue
        size = rnd.choice([rnd.randint(1, 200), rnd.randint(1, 9000),
                           rnd.randint(1, pages * PAGE),
                           rnd.randint(1, pages) * PAGE])
        addr = rnd.choice(slots)
        if size % PAGE == 0:
            addr = addr // PAGE * PAGE
        if any(x.addr < addr + size and addr < x.addr + x.size for x in live):
            continue
        b = Block(addr, size, rnd.choice(sites), epoch)
        live.append(b)
        out.append("t %d malloc 0x%x %d main<%s" % (time, addr, size, b.site))
        change(b, 1)
        true[b.site]["bytes"] = max(true[b.site]["bytes"], alive(b.site))


def end_epoch(a, w):
    acc, extra, extra_w = {}, {}, {}
    for (p, s), n in most.items():
        if not n or p not in a:
            continue
        t = true[s]
        acc[s] = acc.get(s, 0) + n
        extra[s] = extra.get(s, 0) + n - now[p, s]
        t["page_epochs"] += 1
        t["shared_page_epochs"] += sum(
            q == p and m > 0 for (q, _), m in most.items()) > 1
        t["first_s"] = t["first_s"] or epoch / 100
        t["last_s"] = epoch / 100
        if p in w:
            extra_w[s] = extra_w.get(s, 0) + n - now[p, s]
            t["written_page_epochs"] += 1
            t["last_write_s"] = epoch / 100
    for p in a:
        accessed_in[p] = epoch
    for p in w:
        written_in[p] = epoch
    for b in dying:
        for p, n in b.pages():
            used = accessed_in.get(p, 0)
            if used < b.born:
                used = b.born if p in b.touched else 0
            dead.append((b.site, b.born, epoch, n, used, written_in.get(p, 0)))
    dying.clear()
    for b in live:
        b.touched |= {p for p, _ in b.pages() if p in a}
        b.written |= {p for p, _ in b.pages() if p in w}
    for s in sites:
        each[s].append(acc.get(s, 0))
        mine = [b for b in live if b.site == s]
        for key, of, more in (("touched_bytes", "touched", extra),
                              ("written_bytes", "written", extra_w)):
            n = sum(n for b in mine for p, n in b.pages()
                    if p in getattr(b, of))
            true[s][key] = max(true[s][key], n + more.get(s, 0))
    for k in list(most):
        most[k] = now[k]


epochs = rnd.choice([1, 2, 7, 30])
cpu = [rnd.choice([9000000, rnd.randint(1, 60000000)])
       for _ in range(epochs)] if rnd.random() < .7 else [9000000] * epochs
last, begun = set(), True
for epoch in range(1, epochs + 1):
    moves()
    a = random_pages(range(BASE, BASE + pages))
    w = {p for p in a if rnd.random() < rnd.choice([0, .3, 1])}
    end_epoch(a, w)
    last = a
    if begun:
        out.append("covered 0x%x-0x%x 1" % (BASE, BASE + 2 * pages))
    out.append("epoch %d %d %s %s %d %d" % (
        epoch * 10000000, sum(cpu[:epoch]), listed(a), listed(w), pages, pages))
    begun = rnd.random() < .3
    if begun:
        out.append("pages")
    time = 1000000 + epoch * 10000000 + 100000
out += ["pages", "end"]
half = sum(2 * sum(cpu[:n + 1]) <= sum(cpu) for n in range(epochs))


def median(values):
    """of the time, whose epochs are as long as they are"""
    passed = 0
    for value, ns in sorted(zip(values, cpu)):
        passed += ns
        if 2 * passed >= sum(cpu):
            return value
    return None


for b in live:
    t = true[b.site]
    for p, n in b.pages():
        t["end_bytes"] += n
        if p not in b.touched:
            t["end_untouched_bytes"] += n
        elif accessed_in[p] <= half:
            t["cold_bytes"] += n
            t["cold_since_s"] = max(t["cold_since_s"] or 0,
                                    accessed_in[p] / 100)
        elif written_in.get(p, 0) <= half:
            t["read_only_bytes"] += n
            if p in written_in:
                t["read_only_since_s"] = max(t["read_only_since_s"] or 0,
                                             written_in[p] / 100)
# freed in the last quarter of the time
for site, born, died, n, used, written in dead:
    t = true[site]
    if not used or born > half or sum(cpu[:died]) <= sum(cpu) - sum(cpu) // 4:
        continue
    if used <= half:
        t["cold_bytes"] += n
        t["cold_since_s"] = max(t["cold_since_s"] or 0, used / 100)
    elif written <= half:
        t["read_only_bytes"] += n
        if written:
            t["read_only_since_s"] = max(t["read_only_since_s"] or 0,
                                         written / 100)
for s in sites:
    t = true[s]
    t["last_epoch_bytes"] = each[s][-1]
    t["median_epoch_bytes"] = median(each[s])
    t["touched_bytes"] = min(t["touched_bytes"], t["bytes"])
    t["written_bytes"] = min(t["written_bytes"], t["touched_bytes"])
if len(sys.argv) > 2:
    with open(sys.argv[2], "w") as f:
        f.write("program app\nelf app\nid 1\nhost n1\nclock mono\n"
                "start 1000000\nrank 0 of 1\n" + "\n".join(out) + "\n")
print(json.dumps({s: t for s, t in true.items() if t["page_epochs"]}))
