/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/holders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <time.h>

#include "wm/search.h"
#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/peek.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/callpath/modules.h"
#include "runtime/trace/names.h"
#include "runtime/trace/writer.h"

#define BITS 16 /* bits of a hash of an address */
#define WORDS (1u << (BITS - 6))
#define MODULES 64u
#define CHUNK 512u /* entries of the page map that are read at once */
#define PIECE (16u << 10) /* bytes of static memory that are read at once */

#define PAGE_IS_THERE (UINT64_C(1) << 63)
#define PAGE_IS_OF_FILE (UINT64_C(1) << 61) /* or shared */

struct pair {
	uint64_t at, block;
	bool stale; /* the address of a freed block */
};

/* Mapped, because a scan of static memory would find addresses in it. */
struct holders {
	_Atomic uint64_t known[WORDS]; /* large blocks so far, by their
				        * addresses */
	_Atomic uint64_t fresh[WORDS]; /* large blocks since the last scan */
	_Atomic uint64_t told[WORDS]; /* fresh at the beginning of the scan */
	struct pair pair[2][WM_HOLDERS_PAIRS];
	size_t count[2];
	int last; /* index of the last scan in pair and count */
	struct wm_holder list[WM_HOLDERS_PAIRS];
	uint32_t names;
	struct wm_module_range module[MODULES];
	uint64_t page[CHUNK];
	uint64_t word[PIECE / sizeof(uint64_t)];
};

static struct holders *holders;
static bool impossible;

size_t wm_holders_bytes(void)
{
	return sizeof(struct holders);
}

static uint32_t bit_of(uint64_t address)
{
	return (uint32_t)((address >> 3) * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - BITS));
}

static bool has_bit(const _Atomic uint64_t *bits, uint64_t address)
{
	uint32_t b = bit_of(address);

	return atomic_load_explicit(&bits[b >> 6], memory_order_relaxed) >>
		       (b & 63) &
	       1;
}

static void set_bit(_Atomic uint64_t *bits, uint64_t address)
{
	uint32_t b = bit_of(address);

	atomic_fetch_or_explicit(&bits[b >> 6], UINT64_C(1) << (b & 63),
				 memory_order_relaxed);
}

static void look_at_words(struct holders *h, uint64_t from, size_t bytes)
{
	int now = !h->last;

	for (size_t i = 0; i < bytes / sizeof(uint64_t); i++) {
		uint64_t v = h->word[i];

		if (!v || v & 7 || !has_bit(h->known, v) ||
		    h->count[now] == WM_HOLDERS_PAIRS)
			continue;
		h->pair[now][h->count[now]++] = (struct pair){
			from + i * sizeof(v), v, false
		};
	}
}

static void read_range(struct holders *h, uint64_t from, uint64_t to)
{
	while (from < to) {
		size_t n = to - from < PIECE ? to - from : PIECE;
		size_t got = wm_peek(from, h->word, n);

		look_at_words(h, from, got);
		/* skips a page that is protected or unmapped */
		from += got ? got : WM_PAGE_LEAST - from % WM_PAGE_LEAST;
	}
}

static void look_at_pages(struct holders *h, uint64_t first, size_t n,
			  uint64_t size)
{
	size_t from = 0;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && (h->page[i] & (PAGE_IS_THERE | PAGE_IS_OF_FILE)) ==
				     PAGE_IS_THERE)
			continue;
		if (i > from)
			read_range(h, (first + from) * size,
				   (first + i) * size);
		from = i + 1;
	}
}

/* Returns false if no time is left, or if present pages are not known. */
static bool look_at_module(struct holders *h, int fd,
			   const struct wm_module_range *m, uint64_t until)
{
	uint64_t size = getauxval(AT_PAGESZ);
	uint64_t at = m->lo / size, end = (m->hi + size - 1) / size;

	while (at < end) {
		size_t n = end - at < CHUNK ? end - at : CHUNK;
		long r = WM_SYS4(SYS_pread64, fd, h->page, n * 8, at * 8);

		if (r < 8 || wm_clock_ns(CLOCK_THREAD_CPUTIME_ID) > until)
			return false;
		look_at_pages(h, at, (size_t)r / 8, size);
		at += (uint64_t)r / 8;
	}
	return true;
}

static void add_hex(struct wm_text *t, uint64_t v)
{
	static const char digit[] = "0123456789abcdef";
	int shift = 60;

	while (shift && !(v >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		wm_text_char(t, digit[v >> shift & 15]);
}

/* Returns the number of the name of the word at @at (WMT_STATIC_PREFIX). */
static uint32_t name_of(struct holders *h, size_t modules, uint64_t at,
			bool *added)
{
	char text[64];
	struct wm_text t = wm_text_on(text, sizeof(text));
	uint32_t number;
	int fresh = 0;

	for (size_t i = 0; i < modules; i++) {
		const struct wm_module_range *m = &h->module[i];

		if (at < m->lo || at >= m->hi || !m->id_size)
			continue;
		wm_text_add(&t, WMT_STATIC_PREFIX);
		add_hex(&t, at - m->bias);
		wm_text_char(&t, WMT_STATIC_IN);
		for (size_t k = 0; k < m->id_size; k++) {
			if (m->id[k] < 16)
				wm_text_char(&t, '0');
			add_hex(&t, m->id[k]);
		}
		/* Most names are for the program's own. */
		if (h->names == WM_HOLDERS_PAIRS)
			return wm_names_find(text, t.len);
		number = wm_names_add(text, t.len, &fresh);
		h->names += fresh != 0;
		*added |= fresh;
		return number;
	}
	return 0;
}

static const struct pair *find_pair(const struct pair *p, size_t count,
				    uint64_t at)
{
	size_t n = WM_FIRST(i, count, p[i].at >= at);

	return n < count && p[n].at == at ? &p[n] : NULL;
}

static void sort_pairs(struct pair *p, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k && p[k].at < p[k - 1].at; k--) {
			struct pair x = p[k];

			p[k] = p[k - 1];
			p[k - 1] = x;
		}
}

static size_t make_list(struct holders *h, size_t modules)
{
	struct pair *p = h->pair[!h->last];
	size_t n = 0, count = h->count[!h->last];
	bool added = false;

	sort_pairs(p, count);
	for (size_t i = 0; i < count; i++) {
		const struct pair *old = find_pair(h->pair[h->last],
						   h->count[h->last], p[i].at);
		bool same = old && old->block == p[i].block;

		p[i].stale = same && old->stale;
		if (p[i].stale || (same && !has_bit(h->told, p[i].block)))
			continue;
		h->list[n] = (struct wm_holder){ p[i].at, p[i].block,
						 name_of(h, modules, p[i].at,
							 &added) };
		n += h->list[n].name != 0;
	}
	h->last = !h->last;
	if (added)
		wm_writer_names();
	return n;
}

size_t wm_holders_scan(const struct wm_holder **list)
{
	struct holders *h = holders;
	uint64_t until = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID) + WM_HOLDERS_NS;
	size_t modules;
	int fd = -1;

	if (!h || impossible)
		return 0;
	fd = wm_sys_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0) {
		impossible = fd != -EMFILE && fd != -ENFILE;
		return 0;
	}
	for (size_t i = 0; i < WORDS; i++)
		atomic_init(&h->told[i],
			    atomic_exchange_explicit(&h->fresh[i], 0,
						     memory_order_relaxed));
	modules = wm_modules_list(h->module, MODULES);
	h->count[!h->last] = 0;
	for (size_t i = 0; i < modules; i++)
		if (!look_at_module(h, fd, &h->module[i], until))
			break;
	wm_sys_close(fd);
	*list = h->list;
	return make_list(h, modules);
}

bool wm_holders_gain(const void *p)
{
	uint64_t block = (uintptr_t)p, is;
	struct holders *h = holders;

	if (impossible)
		return false;
	if (!h)
		h = holders = wm_pool_map(sizeof(*h));
	if (!h)
		return false;
	for (size_t i = 0; has_bit(h->known, block) && i < h->count[h->last];
	     i++) {
		struct pair *x = &h->pair[h->last][i];

		if (x->block == block &&
		    wm_peek(x->at, &is, sizeof(is)) == sizeof(is))
			x->stale = is == block;
	}
	set_bit(h->known, block);
	set_bit(h->fresh, block);
	return true;
}

void wm_holders_forget(void)
{
	/* Another thread of the parent may have been changing it. */
	holders = NULL;
}

bool wm_holders_is_large(const void *p)
{
	return holders && has_bit(holders->known, (uintptr_t)p);
}
