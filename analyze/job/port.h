/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the processes of wm-analyze-mpi; only port_mpi.c calls MPI.
 * Process 0 is the root.  Only the main thread of a process calls these
 * functions.  An error of MPI ends the job. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WM_PORT_ANY (-1)

void wm_port_open(int *argc, char ***argv);
void wm_port_close(void);
/* Stores the name and version of the MPI, for messages. */
void wm_port_name(char *name, size_t size);
int wm_port_count(void);
int wm_port_me(void);
/* Prints @why, and ends all processes. */
void wm_port_abort(const char *why) __attribute__((noreturn));
/* Returns @n zero bytes, which the caller frees; aborts without memory. */
void *wm_port_memory(size_t n);

/* Begins to send @data, which is malloc'ed and now belongs to the port. */
void wm_port_send(int to, int tag, uint8_t *data, size_t size);
/* Continues sends, and returns how many are not done. */
size_t wm_port_progress(void);
/* Returns whether a message has arrived.  *@from is a process or WM_PORT_ANY,
 * and becomes the sender.  *@size may exceed the size sent. */
bool wm_port_poll(int *from, int tag, size_t *size);
/* Takes the message that wm_port_poll() found; @data has @size bytes. */
void wm_port_receive(int from, int tag, uint8_t *data, size_t size);
