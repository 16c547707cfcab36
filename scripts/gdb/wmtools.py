# SPDX-License-Identifier: Apache-2.0
"""Commands of gdb for a traced program, or its core: docs/debugging.md.

    (gdb) source scripts/gdb/wmtools.py
    wm-trace              the trace file, and whether events are recorded
    wm-slots              a line for each slot: a thread's buffer of records
    wm-records [TID [N]]  the last N records (10) that are not written out yet
    wm-walk [TID]         the last call path of the table unwinder

Without TID a command is for the selected thread."""
import gdb

HOMES = {0: "new", 1: "private", 2: "crash buffer", 3: "private for good"}


def value(expression):
    return gdb.parse_and_eval(expression)


def state():
    """wm_state, or an error with its remedy."""
    try:
        gdb.lookup_type("struct wm_slot")
    except gdb.error:
        raise gdb.GdbError("the runtime in this program has no debug "
                           "information: docs/debugging.md")
    st = value("wm_state")
    if not int(st):
        raise gdb.GdbError("wm_state is NULL: no event so far")
    return st


def slots():
    slot = state()["slots"]
    while int(slot):
        yield slot
        slot = slot["next"]


def current_tid():
    thread = gdb.selected_thread()
    return (thread.ptid[1] or thread.ptid[0]) if thread else 0


def slot_of(words):
    """The slot of the thread in words[0], or of the selected one."""
    tid = int(words[0]) if words else current_tid()
    for slot in slots():
        if int(slot["tid"]) == tid:
            return slot
    raise gdb.GdbError("thread %d has no slot" % tid)


def filled(slot):
    return (int(slot["cur"]) - int(slot["base"])) // \
        gdb.lookup_type("struct wm_rec").sizeof


def word(number, enum, prefix):
    """The name of a number in an enum of the runtime."""
    name = str(gdb.Value(int(number)).cast(gdb.lookup_type(enum)))
    return name.replace(prefix, "").lower()


def place(ip):
    """Function, file and line of the call that returns to ip."""
    block = None
    try:
        block = gdb.block_for_pc(ip - 1)
    except RuntimeError:
        pass
    while block and not block.function:
        block = block.superblock
    if not block:
        return gdb.execute("info symbol %d" % (ip - 1), to_string=True).strip()
    line = gdb.find_pc_line(ip - 1)
    return "%s (%s:%d)" % (block.function.name, line.symtab.filename,
                           line.line)


def command(function):
    """Make the function a command with its name."""
    class Command(gdb.Command):
        __doc__ = function.__doc__

        def __init__(self):
            super().__init__(function.__name__.replace("_", "-"),
                             gdb.COMMAND_DATA)

        def invoke(self, text, from_tty):
            function(gdb.string_to_argv(text))
    Command()


@command
def wm_trace(words):
    """wm-trace: the trace file, and whether events are recorded."""
    st = state()
    print("file       %s" % (
        value("(char *)&wm_tracefile_path").string() or "none"))
    print("tracing    %s" % word(st["tracing"], "enum wm_tracing",
                                 "WM_TRACING_"))
    print("threads    %d" % int(st["threads"]))
    for name in ("dropped", "not_written", "skipped", "paths_cut"):
        if int(st[name]):
            print("%-10s %d events" % (name, int(st[name])))
    if st["drop_reason"].string():
        print("reason     %s" % st["drop_reason"].string())


@command
def wm_slots(words):
    """wm-slots: a line for each slot, that is a thread's buffer of records.
The selected thread has a star."""
    state()
    print("  thread      tid  records     room  events before  buffer")
    for slot in slots():
        size = gdb.lookup_type("struct wm_rec").sizeof
        room = max(int(slot["end"]) - int(slot["cur"]), 0) // size
        print("%s %6d %8d %8d %8d %14d  %s" % (
            "*" if int(slot["tid"]) == current_tid() else " ",
            int(slot["thread"]), int(slot["tid"]), filled(slot), room,
            int(slot["first"]), HOMES.get(int(slot["buffer_home"]), "?")))


@command
def wm_records(words):
    """wm-records [TID [N]]: the last N records (10) of a thread that are not
written out yet, the newest last."""
    slot = slot_of(words)
    n = filled(slot)
    most = int(words[1]) if len(words) > 1 else 10
    for i in range(max(n - most, 0), n):
        rec = slot["base"][i]
        print("%8d %-12s addr 0x%x size %d stack %d" % (
            int(slot["first"]) + i,
            word(int(rec["kind"]) & 0xff, "enum wmt_event", "WMT_EV_"),
            int(rec["addr"]),
            int(rec["size"]), int(rec["stack"])))


@command
def wm_walk(words):
    """wm-walk [TID]: the last call path that the table unwinder has walked in a
thread, the innermost frame first."""
    slot = slot_of(words)
    walk = slot["walk"]
    if not int(walk):
        raise gdb.GdbError("the thread has walked no path by tables")
    top = int(walk["top"])
    for depth, i in enumerate(range(top - 1, -1, -1)):
        frame = walk["frames"][i]
        ip = int(frame["ip"])
        print("#%-3d 0x%012x at 0x%x  %s" % (
            depth, ip, int(frame["slot"]), place(ip)))
