/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variables that the runtime reads at start, those of launchers among
 * them: a NAME=VALUE a line.  The results keep their bounds.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/base/state.h"
#include "runtime/process/identity.h"
#include "wm/env_list.h"

#define MAX_LINES 60

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static void stop_unless(int good)
{
	if (!good)
		abort();
}

#define ENDS(text) stop_unless(memchr(text, 0, sizeof(text)) != NULL)

static void check_options(const struct wm_options *o)
{
	ENDS(o->warning);
	if (o->disable)
		return;
	ENDS(o->dir);
	ENDS(o->crash_buffer_dir);
	ENDS(o->name);
	ENDS(o->ranks);
	stop_unless(o->compress >= -2 && o->compress <= 9);
	stop_unless(o->buffer_bytes >= 4u << 10 && o->buffer_bytes <= 1u << 20);
	stop_unless(o->time_res_ns <= 1000000000);
	stop_unless(!strchr(o->name, '/'));
}

static void check_identity(const struct wm_identity *i)
{
	ENDS(i->program);
	ENDS(i->id);
	ENDS(i->exe);
	ENDS(i->host);
	ENDS(i->boot_id);
	stop_unless(!strchr(i->program, '/') && !strchr(i->id, '/'));
	stop_unless(i->rank >= 0 && (!i->ranks || i->rank < i->ranks));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *at, *line;
	char *lines[MAX_LINES + 1], **was = environ;
	size_t n = 0;

	if (!text)
		return -1;
	for (at = text; n < MAX_LINES && (line = strsep(&at, "\n"));)
		if (strchr(line, '='))
			lines[n++] = line;
	lines[n] = NULL;
	memset(&wm_options, 0, sizeof(wm_options));
	memset(&wm_identity, 0, sizeof(wm_identity));
	environ = lines;
	wm_options_read();
	if (!wm_options.disable) {
		wm_identity_begin();
		wm_identity_read();
	}
	environ = was;
	check_options(&wm_options);
	if (!wm_options.disable)
		check_identity(&wm_identity);
	free(text);
	return 0;
}

/* clang-format off */
static const char *const names[] = {
#define X(name, ...) #name,
	WM_ENV_LIST(X)
#undef X
	"PMI_RANK", "PMI_SIZE", "PMI_JOBID", "PMI_SPAWNED", "PMIX_RANK",
	"PMIX_NAMESPACE", "PALS_APID", "PALS_RANKID", "PALS_NRANKS",
	"PALS_NODEID", "ALPS_APP_ID", "ALPS_APP_PE", "MV2_COMM_WORLD_RANK",
	"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE",
	"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
	"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_PARENT_PORT", "SLURM_JOB_ID",
	"SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NUM_NODES",
	"SLURM_PROCID", "SLURM_NTASKS", "SLURM_NNODES", "MPI_LOCALRANKID",
	"MPI_LOCALNRANKS",
};
/* clang-format on */

/* A line gets another name or another value, or comes twice. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
			       unsigned seed)
{
	/* clang-format off */
	static const char *const value[] = {
		"0", "1", "-1", "4294967296", "18446744073709551616", "1K",
		"512K", "1G", "99999999999999999999G", "1us", "1000ms", "1e9",
		"auto", "store", "9", "table", "check", "fp", "none", "/",
		"/../..", "a/b", ".", "..", "", " ", "0,7,100-199", "0-4095:64",
		"host-12345", "StepId=1.2", "host#1.2.3.4$5678", "1.2-3",
		"65538", "65537.0", "65536",
		"4294967294", "2147483647", "2147483648",
	};
	/* clang-format on */
	struct fuzz_bytes b = { 0 };
	const char *w;
	size_t at, n;

	fuzz_seed(seed);
	if (!fuzz_below(4))
		return LLVMFuzzerMutate(data, size, room);
	at = fuzz_below(size + 1);
	while (at && data[at - 1] != '\n')
		at--;
	fuzz_put(&b, data, at);
	w = names[fuzz_below(sizeof(names) / sizeof(*names))];
	fuzz_put(&b, w, strlen(w));
	fuzz_put(&b, "=", 1);
	w = value[fuzz_below(sizeof(value) / sizeof(*value))];
	for (n = fuzz_below(40) ? 1 : 600; n--;)
		fuzz_put(&b, w, strlen(w));
	fuzz_put(&b, "\n", 1);
	if (fuzz_below(2))
		while (at < size && data[at++] != '\n')
			;
	fuzz_put(&b, data + at, size - at);
	n = b.n < room ? b.n : room;
	memcpy(data, b.p, n);
	free(b.p);
	return n;
}
