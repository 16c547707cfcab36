/* SPDX-License-Identifier: Apache-2.0 */
/* Trusts no number in the file: a damaged or growing file must cause an error,
 * never a crash. */
#include "analyze/symbols/bundle_tables.h"

#include <elf.h>
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wm/census_format.h"
#include "input/regular.h"

#define XZ_MEMORY_LIMIT (256u << 20)
/* The most bytes of the section headers, and of the table of their names. */
#define TABLE_MOST (64u << 20)
/* Limits of a decoded bundle: PLAIN_MOST, or PLAIN_RATIO times its size. */
#define PLAIN_MOST (16u << 20)
#define PLAIN_RATIO 100

struct file {
	const char *path;
	int fd;
	uint64_t size;
	struct wm_err *err;
};

static enum wm_status bad_file(const struct file *f, const char *why)
{
	return wm_err_set(f->err, WM_BAD_INPUT, "'%s': %s", f->path, why);
}

static enum wm_status file_failed(const struct file *f)
{
	return wm_err_set(f->err, errno == ENOMEM ? WM_NO_MEMORY : WM_IO,
			  "'%s': %s", f->path, strerror(errno));
}

static enum wm_status read_at(const struct file *f, void *p, uint64_t n,
			      uint64_t at)
{
	char *to = p;
	ssize_t got;

	if (at > f->size || n > f->size - at)
		return bad_file(f, "cut off");
	while (n) {
		got = pread(f->fd, to, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return file_failed(f);
		if (got == 0)
			return bad_file(f, "cut off");
		to += got;
		at += (uint64_t)got;
		n -= (uint64_t)got;
	}
	return WM_OK;
}

static enum wm_status copy_at(const struct file *f, uint64_t n, uint64_t at,
			      uint8_t **bytes)
{
	enum wm_status status;

	*bytes = NULL;
	if (at > f->size || n > f->size - at)
		return bad_file(f, "cut off");
	*bytes = malloc(n + 1);
	if (!*bytes)
		return file_failed(f);
	(*bytes)[n] = 0;
	status = read_at(f, *bytes, n, at);
	if (status != WM_OK) {
		free(*bytes);
		*bytes = NULL;
	}
	return status;
}

/* Stores the number of section headers in *@count, and the index of the section
 * with their names in *@names. */
static enum wm_status read_headers(const struct file *f, Elf64_Shdr **sections,
				   uint64_t *count, uint64_t *names)
{
	Elf64_Shdr first;
	uint8_t *bytes;
	Elf64_Ehdr eh;
	enum wm_status status = read_at(f, &eh, sizeof(eh), 0);

	if (status != WM_OK)
		return status;
	if (eh.e_ident[EI_CLASS] != ELFCLASS64 ||
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	    eh.e_ident[EI_DATA] != ELFDATA2LSB)
#else
	    eh.e_ident[EI_DATA] != ELFDATA2MSB)
#endif
		return bad_file(f, "an ELF file of another machine");
	if (!eh.e_shoff || eh.e_shentsize != sizeof(first))
		return bad_file(f, "an ELF file without section headers");
	status = read_at(f, &first, sizeof(first), eh.e_shoff);
	if (status != WM_OK)
		return status;
	*count = eh.e_shnum ? eh.e_shnum : first.sh_size;
	*names = eh.e_shstrndx == SHN_XINDEX ? first.sh_link : eh.e_shstrndx;
	if (*count > TABLE_MOST / sizeof(first) || *names >= *count)
		return bad_file(f, "an ELF file with bad section headers");
	status = copy_at(f, *count * sizeof(first), eh.e_shoff, &bytes);
	*sections = (void *)bytes;
	return status;
}

static enum wm_status find_section(const struct file *f, uint64_t *at,
				   uint64_t *size)
{
	uint64_t count = 0, names = 0, i;
	Elf64_Shdr *s = NULL;
	uint8_t *table = NULL;
	enum wm_status status = read_headers(f, &s, &count, &names);

	if (status != WM_OK)
		return status;
	if (s[names].sh_size > TABLE_MOST)
		status = bad_file(f, "an ELF file with bad section headers");
	else
		status = copy_at(f, s[names].sh_size, s[names].sh_offset,
				 &table);
	if (status != WM_OK)
		goto out;
	for (i = 0; i < count; i++)
		if (s[i].sh_name < s[names].sh_size &&
		    !strcmp((char *)table + s[i].sh_name, WMC_SECTION))
			break;
	if (i == count) {
		status = wm_err_set(
			f->err, WM_NOT_FOUND,
			"'%s': no section " WMC_SECTION
			": not relinked by wmcc (look for '%s.wm', or "
			"in the WM_TWIN_DIR of its build)",
			f->path, f->path);
	} else if (s[i].sh_type == SHT_NOBITS) {
		status = bad_file(f, "the section " WMC_SECTION " is empty");
	} else {
		*at = s[i].sh_offset;
		*size = s[i].sh_size;
	}
out:
	free(table);
	free(s);
	return status;
}

static const char *xz_reason(lzma_ret ret)
{
	switch (ret) {
	case LZMA_FORMAT_ERROR:
		return "not a bundle: no .xz data";
	case LZMA_DATA_ERROR:
		return "damaged bundle: CRC mismatch or bad .xz data";
	case LZMA_OPTIONS_ERROR:
		return "damaged bundle: unknown .xz options";
	case LZMA_MEMLIMIT_ERROR:
		return "damaged bundle: it asks for too much memory";
	default:
		return "bundle cut off";
	}
}

static size_t bundle_most(size_t packed)
{
	if (packed < PLAIN_MOST / PLAIN_RATIO)
		return PLAIN_MOST;
	return packed < WMC_MAX_BYTES / PLAIN_RATIO ? packed * PLAIN_RATIO :
						      WMC_MAX_BYTES;
}

/* The Stream must fill @in. */
static enum wm_status decode_stream(const struct file *f, const uint8_t *in,
				    size_t in_size, uint8_t **bytes,
				    size_t *size)
{
	lzma_stream strm = LZMA_STREAM_INIT;
	size_t capacity = 0, want = 4 * in_size + 4096;
	size_t most = bundle_most(in_size);
	enum wm_status status = WM_OK;
	uint8_t *out = NULL, *more;
	lzma_ret ret = lzma_stream_decoder(&strm, XZ_MEMORY_LIMIT, 0);

	strm.next_in = in;
	strm.avail_in = in_size;
	while (ret == LZMA_OK) {
		if (strm.total_out == capacity) {
			if (capacity >= most) {
				status = wm_err_set(f->err, WM_BAD_INPUT,
						    "'%s': damaged bundle: "
						    "more than %zu bytes from "
						    "%zu",
						    f->path, most, in_size);
				goto out;
			}
			capacity = want < most ? want : most;
			want = 2 * capacity;
			more = realloc(out, capacity);
			if (!more) {
				status = file_failed(f);
				goto out;
			}
			out = more;
		}
		strm.next_out = out + strm.total_out;
		strm.avail_out = capacity - strm.total_out;
		ret = lzma_code(&strm, LZMA_FINISH);
	}
	if (ret == LZMA_MEM_ERROR)
		status = wm_err_set(f->err, WM_NO_MEMORY, "'%s': out of memory",
				    f->path);
	else if (ret != LZMA_STREAM_END)
		status = bad_file(f, xz_reason(ret));
	else if (strm.avail_in)
		status = bad_file(f,
				  "damaged bundle: something follows its end");
out:
	if (status != WM_OK)
		free(out);
	else
		*bytes = out;
	*size = strm.total_out;
	lzma_end(&strm);
	return status;
}

enum wm_status wm_bundle_load(const char *path, uint8_t **bytes, size_t *size,
			      struct wm_err *err)
{
	struct file f = { path, -1, 0, err };
	uint64_t at = 0, packed = 0;
	unsigned char magic[6];
	enum wm_status status;
	uint8_t *in = NULL;
	struct stat st;

	*bytes = NULL;
	f.fd = wm_regular_open(path);
	if (f.fd < 0)
		return errno == EINVAL ? bad_file(&f, "not a file") :
					 file_failed(&f);
	if (fstat(f.fd, &st) < 0) {
		status = file_failed(&f);
		goto out;
	}
	f.size = packed = (uint64_t)st.st_size;
	status = read_at(&f, magic, sizeof(magic), 0);
	if (status == WM_OK && !memcmp(magic, ELFMAG, SELFMAG))
		status = find_section(&f, &at, &packed);
	else if (status == WM_OK && memcmp(magic,
					   "\xfd"
					   "7zXZ",
					   6) != 0)
		status = bad_file(&f,
				  "neither a relinked program nor a bundle");
	if (status == WM_OK && packed > WMC_MAX_BYTES)
		status = bad_file(&f, "damaged bundle: too large");
	if (status == WM_OK)
		status = copy_at(&f, packed, at, &in);
	if (status == WM_OK)
		status = decode_stream(&f, in, packed, bytes, size);
out:
	free(in);
	close(f.fd);
	return status;
}
