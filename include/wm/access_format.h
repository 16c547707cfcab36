/* SPDX-License-Identifier: Apache-2.0 */
/* Column LOADS of a trace's blocks ACCESSES (docs/trace-format.md, 6.11): every
 * load and store of one thread, as tokens of the parts that were not predicted.
 * Writer and reader share only these numbers, which are never changed. */
#ifndef WM_ACCESS_FORMAT_H
#define WM_ACCESS_FORMAT_H

/* The first byte of a token has the next spot, the bytes of a jump, and the
 * number of predicted accesses before the token.  Then follow the rest of that
 * number as a varint, the number of a spot as a varint, and the jump. */
#define WMA_NEXT 0 /* the next spot is the predicted one */
#define WMA_OTHER 1 /* the other predicted spot */
#define WMA_NUMBER 2 /* a spot with a number */
#define WMA_SPECIAL 3 /* no access; a byte WMA_* is the last of the token */
#define WMA_WHERE 3 /* mask */
/* Bytes of the zigzag distance of an unpredicted address to the spot's last
 * address, low byte first: 1 to 6, or 7 for 8 bytes; 0: predicted. */
#define WMA_JUMP_SHIFT 2
#define WMA_JUMP_WIDE 7
#define WMA_RUN_SHIFT 5
#define WMA_RUN_MORE 7 /* this many, plus the varint */

/* After WMA_SPECIAL. */
#define WMA_NOTHING 0 /* only the accesses before it */
#define WMA_SPOT 1 /* a new spot: address, kind, bytes */
#define WMA_EVENTS 2 /* further events of the thread since the last token */
#define WMA_SIZE 3 /* bytes of the access of the next token */
#define WMA_RESET 4 /* all spots are forgotten */
#define WMA_GAP 5 /* accesses are missing here */
#define WMA_SEEN 6 /* positions of streams at the thread's last event */
#define WMA_SEEN_MOST 16 /* streams in one token of the writer */
#define WMA_SEEN_STREAMS 4096 /* numbers from this on have no differences */

/* The access of a spot: its kind, plus 4 times the way of access. */
#define WMA_READ 0
#define WMA_WRITE 1
#define WMA_MODIFY 2 /* read and write of one address in one operation */
#define WMA_FRAME 3 /* no access: a function begins */
#define WMA_KIND 3 /* mask */
#define WMA_HOW_SHIFT 2
#define WMA_PLAIN 0
#define WMA_ATOMIC 1
#define WMA_RANGE 2 /* bytes differ from call to call */
#define WMA_BLOCK 3 /* a block operation: memcpy and its like */

/* "Bytes" of a frame: the number of functions that ended since the thread's
 * last frame, and from this bit on 1 + the distance of the frame pointer above
 * the stack pointer, or 0. */
#define WMA_FRAME_SHIFT 16
#define WMA_FRAME_MOST_ENDED 65535 /* or more */

#endif
