/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages between the processes of wm-analyze-mpi; only port_mpi.c knows
 * that they travel through MPI.
 *
 * Process 0 is the root.  Only the main thread of a process calls these.  An
 * error of MPI ends the job: there is nothing to be saved then.
 */
#ifndef WM_ANALYZE_PORT_H
#define WM_ANALYZE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WM_PORT_ANY (-1)

void wm_port_open(int *argc, char ***argv);
void wm_port_close(void);
/* The MPI behind it and its version, for messages. */
void wm_port_name(char *name, size_t size);
int wm_port_count(void); /* processes */
int wm_port_me(void);
/* Say why, and end all processes. */
void wm_port_abort(const char *why) __attribute__((noreturn));

/* Begin to send @data, which is malloc'ed and no longer the caller's. */
void wm_port_send(int to, int tag, uint8_t *data, size_t size);
/* Sends go on in here.  Returns how many are not done. */
size_t wm_port_progress(void);
/* Has a message come?  Sets *@from (a process or WM_PORT_ANY on entry) and
 * *@size, which may be a little more than what was sent. */
bool wm_port_poll(int *from, int tag, size_t *size);
/* Take it; @data has room for *@size. */
void wm_port_receive(int from, int tag, uint8_t *data, size_t size);

#endif
