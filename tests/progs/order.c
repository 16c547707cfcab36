/* order [THREADS [EVENTS [LIVES [fork]]]]: allocates, frees and reallocates in THREADS
 * threads, EVENTS events in all, nearly half of the blocks released by another
 * thread than the one that allocated them; the blocks that still lie in hands
 * and queues at the end stay.  The counts are printed as JSON.  With fork,
 * a child does the same first.
 * Default: 8 threads, 400,000 events, 10 lives. */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread 0 is main: it works alone for a while, so that the others come late.
 * Each of the others lives LIVES times: it ends, and a new thread takes over
 * its hands and queues.
 *
 * Each block knows who allocated it: thread id and number of the event there.
 * A release adds a hash of (its own id and number, those of the allocation)
 * to a sum; whoever replays the trace comes to the same sum if, and only if,
 * every release met its own allocation (tests/tools/order-check.c).  In those
 * numbers only the program's own events count: all of a thread, of main those
 * after calloc(1, 99999).  Other callocs have odd sizes, those of the C
 * library's thread creation even ones.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX 64
#define HANDS 128
#define QUEUE 16

struct head {
	uint64_t id, size;
};

static struct worker {
	struct head *hand[HANDS];
	uint64_t rnd, quota, done, per_life;
	uint64_t counts[7], blocks, bytes, sum;
	uint64_t id; /* thread id and number of the last event */
	int number;
} workers[MAX];

enum { MALLOC, CALLOC, ALIGNED, REALLOC, NEW, GONE, FREE };

/* one writer and one reader each */
static struct queue {
	_Alignas(64) _Atomic unsigned in;
	_Alignas(64) _Atomic unsigned out;
	struct head *block[QUEUE];
} queues[MAX][MAX];

static int threads = 8;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static int running;

static unsigned rnd(struct worker *w, unsigned n)
{
	w->rnd ^= w->rnd << 13;
	w->rnd ^= w->rnd >> 7;
	w->rnd ^= w->rnd << 17;
	return (unsigned)(w->rnd >> 33) % n;
}

static uint64_t mix(uint64_t release, uint64_t alloc)
{
	uint64_t h = (release ^ alloc << 32 ^ alloc >> 32) *
		     UINT64_C(0x9E3779B97F4A7C15);

	h = (h ^ h >> 29 ^ alloc) * UINT64_C(0xBF58476D1CE4E5B9);
	return h ^ h >> 32;
}

static void count(struct worker *w, int what)
{
	w->counts[what]++;
	w->done++;
}

/* a block has come */
static struct head *note(struct worker *w, int what, void *p, size_t size)
{
	struct head *h = p;

	if (!h)
		abort();
	count(w, what);
	w->blocks++;
	w->bytes += size;
	h->id = w->id++;
	h->size = size;
	return h;
}

/* a block is about to go */
static void note_release(struct worker *w, const struct head *h)
{
	w->sum += mix(w->id++, h->id);
	w->blocks--;
	w->bytes -= h->size;
}

static size_t some_size(struct worker *w)
{
	switch (rnd(w, 64)) {
	case 0: /* arenas, beyond the thread's cache */
		return 1100 + rnd(w, 20000);
	case 1:
		return rnd(w, 8) ? 2000 : 131000 + rnd(w, 300) * 1000;
	default:
		return 16 + rnd(w, 12) * 16;
	}
}

static struct head *get(struct worker *w, size_t size)
{
	switch (rnd(w, 16)) {
	case 0:
		size |= 1;
		return note(w, CALLOC, calloc(1, size), size);
	case 1:
		return note(w, ALIGNED, aligned_alloc(64, size), size);
	case 2:
		return note(w, NEW, realloc(NULL, size), size);
	default:
		return note(w, MALLOC, malloc(size), size);
	}
}

static void put(struct worker *w, struct head *h)
{
	if (!h)
		return;
	note_release(w, h);
	if (rnd(w, 32) == 0) {
		count(w, GONE);
		w->done++;
		w->id++;
		h = realloc(h, 0);
		if (h)
			abort();
		return;
	}
	count(w, FREE);
	free(h);
}

static struct head *change(struct worker *w, struct head *h)
{
	size_t size = some_size(w);

	note_release(w, h);
	w->done++;
	return note(w, REALLOC, realloc(h, size), size);
}

static int send(struct worker *w, int to, struct head *h)
{
	struct queue *q = &queues[w->number][to];
	unsigned in = atomic_load_explicit(&q->in, memory_order_relaxed);

	if (in - atomic_load_explicit(&q->out, memory_order_acquire) == QUEUE)
		return 0;
	q->block[in % QUEUE] = h;
	atomic_store_explicit(&q->in, in + 1, memory_order_release);
	return 1;
}

static struct head *receive(struct worker *w, int from)
{
	struct queue *q = &queues[from][w->number];
	unsigned out = atomic_load_explicit(&q->out, memory_order_relaxed);
	struct head *h;

	if (atomic_load_explicit(&q->in, memory_order_acquire) == out)
		return NULL;
	h = q->block[out % QUEUE];
	atomic_store_explicit(&q->out, out + 1, memory_order_release);
	return h;
}

static void step(struct worker *w)
{
	struct head **hand = &w->hand[rnd(w, HANDS)], *h = *hand;
	int peer = (int)rnd(w, (unsigned)threads);
	size_t size;

	switch (rnd(w, 8)) {
	case 0:
	case 1: /* the same address again, and on to another thread at once */
		size = h ? h->size : 48;
		put(w, h);
		*hand = NULL;
		h = get(w, size);
		if (!send(w, peer, h))
			*hand = h;
		break;
	case 2: /* and on, again and again */
	case 3:
		h = receive(w, peer);
		if (!h)
			break;
		size = h->size;
		put(w, h);
		h = get(w, size);
		if (!send(w, (int)rnd(w, (unsigned)threads), h))
			put(w, h);
		break;
	case 4:
		h = receive(w, peer);
		if (h)
			h = change(w, h);
		put(w, *hand);
		*hand = h;
		break;
	case 5:
		if (h)
			*hand = change(w, h);
		break;
	case 6:
		for (int i = 0; i < threads; i++)
			put(w, receive(w, i));
		break;
	default:
		put(w, h);
		*hand = get(w, some_size(w));
	}
}

static void work(struct worker *w, uint64_t until)
{
	while (w->done < until)
		step(w);
}

static void *live(void *arg);

static void start(struct worker *w)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 128 << 10);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&t, &attr, live, w))
		abort();
	pthread_attr_destroy(&attr);
}

static void *live(void *arg)
{
	struct worker *w = arg;
	uint64_t until = w->done + w->per_life;

	w->id = (uint64_t)gettid() << 40;
	work(w, until < w->quota ? until : w->quota);
	if (w->done < w->quota) {
		start(w);
		return NULL;
	}
	pthread_mutex_lock(&lock);
	running--;
	pthread_cond_signal(&ended);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void print(void)
{
	static const char *const name[] = { "MALLOC", "CALLOC", "ALIGNED",
		"REALLOC_IN", "REALLOC_NEW", "REALLOC_GONE", "FREE" };
	uint64_t n[7] = { 0 }, blocks = 0, bytes = 0, sum = 0;
	char line[1000];
	int at = 0;

	for (int i = 0; i < threads; i++) {
		for (int j = 0; j < 7; j++)
			n[j] += workers[i].counts[j];
		blocks += workers[i].blocks;
		bytes += workers[i].bytes;
		sum += workers[i].sum;
	}
	for (int j = 0; j < 7; j++)
		at += sprintf(line + at, "%s\"%s\":%llu", j ? "," : "{",
			      name[j], (unsigned long long)n[j]);
	at += sprintf(line + at,
		      ",\"blocks\":%llu,\"bytes\":%llu,\"sum\":\"%016llx\"}\n",
		      (unsigned long long)blocks, (unsigned long long)bytes,
		      (unsigned long long)sum);
	if (write(1, line, (size_t)at) != at)
		abort();
}

int main(int argc, char **argv)
{
	uint64_t events = argc > 2 ? strtoull(argv[2], NULL, 0) : 400000;
	uint64_t lives = argc > 3 ? strtoull(argv[3], NULL, 0) : 10;
	void *volatile mark;

	if (argc > 1)
		threads = atoi(argv[1]);
	if (threads < 1 || threads > MAX || !lives)
		return 2;
	mallopt(M_MMAP_THRESHOLD, 128 << 10); /* and do not raise it */
	for (int i = 0; i < threads; i++) {
		workers[i].number = i;
		workers[i].rnd = (uint64_t)(i + 1) * 0x2545F4914F6CDD1D;
		workers[i].quota = events / (uint64_t)threads;
		workers[i].per_life = workers[i].quota / lives + 1;
	}
	if (argc > 4 && fork())
		wait(NULL);
	mark = calloc(1, 99999);
	workers[0].id = (uint64_t)gettid() << 40;
	work(&workers[0], workers[0].per_life);
	running = threads - 1;
	for (int i = 1; i < threads; i++)
		start(&workers[i]);
	work(&workers[0], workers[0].quota);
	pthread_mutex_lock(&lock);
	while (running)
		pthread_cond_wait(&ended, &lock);
	pthread_mutex_unlock(&lock);
	print();
	return mark ? 0 : 1;
}
