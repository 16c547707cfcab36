/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wmcc/inner*.c: copies of objects whose own calls are redirected, on objects
 * made here: good, cut off, damaged, large; and what debug information says of
 * programs that gcc makes.
 */
#include "wmcc/link/inner.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/tap.h"

static char dir[] = "/tmp/wmtest.XXXXXX";
static char path[64];

#define CODE 16 /* bytes of each function */

/* An object: malloc, free, which calls malloc, and functions that call it. */
struct built {
	uint8_t *p;
	size_t n, rela, relas; /* where the relocations are */
};

enum { NONE, TEXT, RELA, COMMENT, SYMTAB, STRTAB, SHSTRTAB, SECTIONS };

static size_t put(struct built *b, const void *p, size_t n)
{
	size_t at = (b->n + 7) & ~(size_t)7;
	uint8_t *more = realloc(b->p, at + n + 1);

	if (!more)
		abort();
	b->p = more;
	memset(b->p + b->n, 0, at - b->n);
	memcpy(b->p + at, p, n);
	b->n = at + n;
	return at;
}

static void section(Elf64_Shdr *s, struct built *b, uint32_t name,
		    uint32_t type, const void *p, size_t n)
{
	s->sh_name = name;
	s->sh_type = type;
	s->sh_offset = put(b, p, n);
	s->sh_size = n;
}

/* @callers of malloc, @compiler: what .comment says. */
static struct built build(size_t callers, const char *compiler)
{
	static const char names[] =
		"\0.text\0.rela.text\0.comment\0.symtab\0.strtab\0.shstrtab";
	static const char strings[] = "\0malloc\0free\0caller\0printf";
	struct built b = { 0 };
	Elf64_Shdr s[SECTIONS] = { 0 };
	Elf64_Ehdr eh = { .e_type = ET_REL,
			  .e_machine = EM_X86_64,
			  .e_shentsize = sizeof(*s),
			  .e_shnum = SECTIONS,
			  .e_shstrndx = SHSTRTAB };
	size_t n = callers + 4, bytes = (callers + 2) * CODE, i;
	Elf64_Sym *sym = calloc(n, sizeof(*sym));
	Elf64_Rela *rela = calloc(callers + 3, sizeof(*rela));
	uint8_t *code = calloc(1, bytes);
	uint32_t last = (uint32_t)n - 1;

	if (!sym || !rela || !code)
		abort();
	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	/* callers, printf, free, malloc */
	for (i = 1; i < n; i++)
		sym[i] = (Elf64_Sym){ .st_name = 13,
				      .st_info = ELF64_ST_INFO(STB_GLOBAL,
							       STT_FUNC),
				      .st_shndx = TEXT,
				      .st_value = (i - 1) * CODE,
				      .st_size = CODE };
	sym[n - 3] = (Elf64_Sym){
		.st_name = 20, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)
	};
	sym[n - 2].st_name = 8;
	sym[n - 2].st_value = callers * CODE;
	sym[n - 1].st_name = 1;
	sym[n - 1].st_value = (callers + 1) * CODE;
	for (i = 0; i <= callers; i++) /* and free */
		rela[i] = (Elf64_Rela){
			i * CODE + 1,
			ELF64_R_INFO((uint64_t)last, R_X86_64_PLT32), -4
		};
	/* the middle of it, and another function */
	rela[i++] = (Elf64_Rela){ 5,
				  ELF64_R_INFO((uint64_t)last, R_X86_64_PC32),
				  0 };
	rela[i++] = (Elf64_Rela){
		9, ELF64_R_INFO((uint64_t)last - 2, R_X86_64_PLT32), -4
	};
	put(&b, &eh, sizeof(eh));
	section(&s[TEXT], &b, 1, SHT_PROGBITS, code, bytes);
	s[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	section(&s[RELA], &b, 7, SHT_RELA, rela, i * sizeof(*rela));
	s[RELA].sh_link = SYMTAB;
	s[RELA].sh_info = TEXT;
	section(&s[COMMENT], &b, 18, SHT_PROGBITS, compiler, strlen(compiler));
	section(&s[SYMTAB], &b, 27, SHT_SYMTAB, sym, n * sizeof(*sym));
	s[SYMTAB].sh_link = STRTAB;
	section(&s[STRTAB], &b, 35, SHT_STRTAB, strings, sizeof(strings));
	section(&s[SHSTRTAB], &b, 43, SHT_STRTAB, names, sizeof(names));
	eh.e_shoff = put(&b, s, sizeof(s));
	memcpy(b.p, &eh, sizeof(eh));
	b.rela = s[RELA].sh_offset;
	b.relas = i;
	free(sym);
	free(rela);
	free(code);
	return b;
}

static const char *const names[] = { "malloc", "calloc", "free" };
#define NAMES (sizeof(names) / sizeof(*names))

/* A copy of @n bytes and no more, redirected; frees it. */
static int redirect(const uint8_t *p, size_t n, struct wm_inner_object *found)
{
	uint8_t *copy = malloc(n ? n : 1);
	int status;

	if (!copy)
		abort();
	memcpy(copy, p, n);
	wm_inner_defines(copy, n, names, NAMES);
	status = wm_inner_redirect(&copy, &n, names, NAMES, found);
	free(copy);
	return status;
}

/* Name of the symbol of relocation @i of the object @p. */
static const char *target(const uint8_t *p, const struct built *b, size_t i)
{
	const Elf64_Ehdr *eh = (const void *)p;
	const Elf64_Shdr *s = (const void *)(p + eh->e_shoff);
	const Elf64_Rela *r = (const void *)(p + b->rela);
	const Elf64_Sym *sym = (const void *)(p + s[SYMTAB].sh_offset);

	return (const char *)p + s[STRTAB].sh_offset +
	       sym[ELF64_R_SYM(r[i].r_info)].st_name;
}

static void test_good(void)
{
	struct built b = build(3, "GCC: (Debian 12) 12.2.0");
	struct wm_inner_object found;
	uint8_t *p = malloc(b.n);
	size_t n = b.n, i, wrapped = 0;

	if (!p)
		abort();
	memcpy(p, b.p, n);
	ok(wm_inner_defines(p, n, names, NAMES) &&
		   !wm_inner_defines(p, n, names + 1, 1),
	   "it defines malloc, not calloc");
	ok(!wm_inner_redirect(&p, &n, names, NAMES, &found),
	   "it can be redirected");
	ok(found.redirected == 4 && found.outside == 3,
	   "four calls, one of them from free: %zu, %zu", found.redirected,
	   found.outside);
	ok(found.others && !found.clang && !found.parts,
	   "gcc's, with other functions");
	for (i = 0; i < b.relas; i++)
		wrapped += !strcmp(target(p, &b, i), "__wrap_malloc");
	ok(wrapped == 4 && !strcmp(target(p, &b, 4), "malloc") &&
		   !strcmp(target(p, &b, 5), "printf"),
	   "calls have the new name, others their own: %zu", wrapped);
	free(p);
	free(b.p);
	b = build(1, "Debian clang version 14.0.6");
	ok(!redirect(b.p, b.n, &found) && found.clang, "clang's");
	free(b.p);
	b = build(1, "clang version 14.0.6 GCC: (Debian 12)");
	ok(!redirect(b.p, b.n, &found) && !found.clang, "of both");
	ok(redirect((const uint8_t *)"no object", 9, &found) < 0,
	   "what is no object");
	((Elf64_Ehdr *)(void *)b.p)->e_machine = EM_AARCH64;
	ok(redirect(b.p, b.n, &found) < 0, "another machine");
	free(b.p);
}

static void test_damage(void)
{
	struct built b = build(3, "GCC: (Debian 12) 12.2.0");
	const Elf64_Ehdr *eh = (const void *)b.p;
	struct wm_inner_object found;
	size_t i, good = 0, odd = 0;

	for (i = 0; i < b.n; i++)
		good += !redirect(b.p, i, &found);
	ok(!good, "cut off at any byte: an error");
	for (i = 0; i < 8 * b.n; i++) {
		b.p[i / 8] ^= (uint8_t)(1 << i % 8);
		if (!redirect(b.p, b.n, &found))
			odd += found.redirected > 5 ||
			       found.outside > found.redirected;
		b.p[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	ok(!odd, "each bit: an error, or no call that is not there");
	/* numbers of the headers that are far outside */
	for (i = eh->e_shoff; i + 8 <= b.n; i += 8) {
		static const uint64_t bad[] = {
			UINT64_MAX, INT64_MAX, 1ull << 63,    UINT32_MAX,
			8,	    0,	       (uint64_t)-64,
		};
		uint64_t old;

		memcpy(&old, b.p + i, 8);
		for (size_t k = 0; k < sizeof(bad) / sizeof(*bad); k++) {
			memcpy(b.p + i, &bad[k], 8);
			if (!redirect(b.p, b.n, &found))
				odd += found.outside > found.redirected;
		}
		memcpy(b.p + i, &old, 8);
	}
	ok(!odd, "headers that point far away");
	free(b.p);
}

/*
 * The table of strings is described where the file's header is: its new place
 * becomes the place of all headers, which are others then.
 */
static void test_overlap(void)
{
	struct built b = build(40, "GCC: (Debian 12) 12.2.0");
	Elf64_Ehdr eh;
	Elf64_Shdr *s;
	struct wm_inner_object found;
	uint8_t *p;

	memcpy(&eh, b.p, sizeof(eh));
	b.p = realloc(b.p, b.n + 4096); /* room, so that all lies inside */
	if (!b.p)
		abort();
	memset(b.p + b.n, 0, 4096);
	b.n += 4096;
	s = (Elf64_Shdr *)(void *)(b.p + eh.e_shoff);
	p = b.p;
	/* section 0, at byte 16: type, offset, size of a table of strings */
	memcpy(p + 16 + sizeof(*s) * SYMTAB, &s[SYMTAB], sizeof(*s));
	memcpy(p + 16 + sizeof(*s) * SHSTRTAB, &s[SHSTRTAB], sizeof(*s));
	((Elf64_Shdr *)(void *)(p + 16 + sizeof(*s) * SYMTAB))->sh_link = 0;
	eh.e_version = SHT_STRTAB;
	eh.e_shoff = 16;
	memcpy(p, &eh, sizeof(eh));
	ok(redirect(p, b.n, &found) <= 0, "headers inside one another");
	free(b.p);
}

static void test_large(void)
{
	struct built b = build(50000, "GCC: (Debian 12) 12.2.0");
	struct wm_inner_object found;
	clock_t start = clock();
	double s;

	ok(!redirect(b.p, b.n, &found) && found.redirected == 50001 &&
		   found.outside == 50000,
	   "50,000 functions that call malloc");
	s = (double)(clock() - start) / CLOCKS_PER_SEC;
	ok(s < 2, "do not take long: %.2f s", s);
	free(b.p);
}

/* ---- copies ---- */

static void write_object(const uint8_t *p, size_t n)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(p, 1, n, f) != n || fclose(f))
		abort();
}

/* Make the copy for a program whose malloc is in @path, and @plain. */
static void make(struct wm_inner *in, const char *plain)
{
	struct wm_program_info o = { .is_static = true };
	struct wm_givers g;

	memset(&g, 0, sizeof(g));
	o.found[WM_FOUND_malloc] = 0x401000;
	o.found[WM_FOUND_free] = 0x401010;
	g.of[WM_FOUND_malloc] = g.of[WM_FOUND_free] = path;
	wm_inner_make(in, &o, &g, plain, path);
	if (in->n && g.copy[WM_FOUND_malloc] != in->copy[0])
		abort();
}

static void test_copies(void)
{
	struct built b = build(3, "clang version 14.0.6");
	struct wm_inner in;
	size_t i, odd = 0, copies = 0;

	write_object(b.p, b.n);
	make(&in, "/nonexistent");
	ok(in.n == 1 && !strcmp(in.object[0], path) &&
		   !access(in.copy[0], R_OK),
	   "a copy of clang's");
	ok(in.unseen && strstr(in.unseen, "with -g it is known"),
	   "without debug information: %s", in.unseen);
	wm_inner_release(&in);
	unlink(path);
	make(&in, "/nonexistent");
	ok(!in.n && in.unseen && strstr(in.unseen, "it cannot be read"),
	   "an object that is gone: %s", in.unseen);
	wm_inner_release(&in);
	for (i = 0; i < 8 * b.n; i += 97) {
		b.p[i / 8] ^= (uint8_t)(1 << i % 8);
		write_object(b.p, b.n);
		b.p[i / 8] ^= (uint8_t)(1 << i % 8);
		make(&in, "/nonexistent");
		odd += !in.unseen && in.n != 1;
		copies += in.n;
		wm_inner_release(&in);
	}
	ok(copies && !odd, "damaged: a copy, or it is told");
	free(b.p);
}

/* ---- debug information ---- */

static const char program[] =
	"static inline void *get(unsigned long n)\n"
	"{ static char heap[64]; static int at; at += n; return heap + at; }\n"
	"void *malloc(unsigned long n) { return get(n); }\n"
	"int caller(void) { return *(char *)malloc(3); }\n"
	"void end(void) { caller(); for (;;) ; }\n";

/* Compile it with @flags; what is said of its malloc. */
static struct wm_inner_source ask(const char *flags)
{
	struct wm_inner_source none = { false, false, false };
	static const char *const one[] = { "malloc" };
	struct wm_program_info o;
	char cmd[1024], err[256] = "";

	snprintf(cmd, sizeof(cmd),
		 "printf '%%s' '%s' | gcc -w -x c - -fno-builtin -nostdlib "
		 "-static -Wl,-e,end -o %s %s",
		 program, path, flags);
	if (system(cmd) || wm_program_info_read(&o, path, err, sizeof(err)) ||
	    !o.found[WM_FOUND_malloc])
		return none;
	return wm_inner_source(path, &o.found[WM_FOUND_malloc], one, 1);
}

static void test_debug(void)
{
	static const char *const one[] = { "malloc" };
	struct wm_inner_source s;
	uint64_t address = 0;
	FILE *f;

	s = ask("-g -O0");
	ok(s.known && s.unoptimized && !s.inlined, "gcc -O0");
	s = ask("-g -O1 -fno-inline");
	ok(s.known && !s.unoptimized && !s.inlined, "gcc -O1, nothing inline");
	s = ask("-O2");
	ok(!s.known && !s.inlined, "gcc -O2, no debug information");
	s = ask("-g -O2");
	ok(s.known && !s.unoptimized && s.inlined, "gcc -O2, inline");
	s = wm_inner_source("/nonexistent", &address, one, 1);
	ok(!s.known, "no program");
	f = fopen(path, "w");
	ok(f && !fclose(f), "an empty file");
	s = wm_inner_source(path, &address, one, 1);
	ok(!s.known, "tells nothing");
}

/* Each byte of the debug information damaged in some way: an answer. */
static void test_debug_damage(void)
{
	static const char *const one[] = { "malloc" };
	uint64_t address = 0x401000;
	size_t i, n, told = 0;
	uint8_t *p;
	FILE *f;

	ask("-g -O2");
	f = fopen(path, "r");
	if (!f || fseek(f, 0, SEEK_END))
		abort();
	n = (size_t)ftell(f);
	p = malloc(n);
	rewind(f);
	if (!p || fread(p, 1, n, f) != n || fclose(f))
		abort();
	/* behind the code */
	for (i = 4096; i < n; i += 53) {
		uint8_t old = p[i];

		p[i] = (uint8_t)(i % 3 ? old ^ 1 << i % 8 : 255);
		write_object(p, n);
		p[i] = old;
		told += wm_inner_source(path, &address, one, 1).known;
	}
	ok(told, "damaged debug information: %zu answers", told);
	free(p);
}

int main(void)
{
	char cmd[64];

	tap_plan(27);
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/own.o", dir);
	test_good();
	test_damage();
	test_overlap();
	test_large();
	test_copies();
	test_debug();
	test_debug_damage();
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd) != 0 || tap_done();
}
