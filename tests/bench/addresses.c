/* SPDX-License-Identifier: Apache-2.0 */
/* Reads addresses of an object file, one per line, and prints the functions there as addr2line does: the address, then
 * the innermost function and its source line, then what it is inlined into; firebreak's way from addresses to names, as
 * a program to be measured and compared.
 *
 *     addresses FIREBREAK-SYMBOLS FILE names|lines|raw <addresses
 *
 * `raw` is `lines` with linkage names. */
#include "profile/symbols/symbolizer.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program headers of a file. */
typedef struct {
	Elf64_Phdr *headers;
	guint n;
} Segments;

static gboolean read_segments(const char *path, Segments *segments)
{
	Elf64_Ehdr head;
	FILE *file = fopen(path, "rb");
	if (file == NULL)
		return FALSE;
	gboolean ok = fread(&head, sizeof head, 1, file) == 1 && head.e_phentsize == sizeof(Elf64_Phdr) &&
	              fseek(file, (long)head.e_phoff, SEEK_SET) == 0;
	if (ok) {
		segments->headers = g_new0(Elf64_Phdr, head.e_phnum + 1);
		segments->n = (guint)fread(segments->headers, sizeof(Elf64_Phdr), head.e_phnum, file);
	}
	fclose(file);
	return ok;
}

static guint64 file_offset(const Segments *segments, guint64 address)
{
	for (guint i = 0; i < segments->n; i++) {
		const Elf64_Phdr *header = &segments->headers[i];
		if (header->p_type == PT_LOAD && address >= header->p_vaddr &&
		        address - header->p_vaddr < header->p_filesz)
			return address - header->p_vaddr + header->p_offset;
	}
	return 0;
}

static void print_frames(const SymbolFrame *frames, guint n, gboolean is_raw)
{
	if (n == 0)
		fputs("??\n??:0\n", stdout);
	for (guint i = n; i-- > 0;) {
		fputs(is_raw && frames[i].raw_name != NULL ? frames[i].raw_name : frames[i].name, stdout);
		fputc('\n', stdout);
		if (frames[i].at_file != NULL)
			printf("%s:%u\n", frames[i].at_file, frames[i].at_line);
		else
			fputs("??:0\n", stdout);
	}
}

int main(int argc, char **argv)
{
	char line[64];
	Segments segments = {0};
	if (argc != 4 || !read_segments(argv[2], &segments)) {
		fputs("usage: addresses FIREBREAK-SYMBOLS FILE names|lines|raw <addresses\n", stderr);
		return 2;
	}
	gboolean is_raw = g_str_equal(argv[3], "raw");
	const SymbolizerOptions options = {.with_lines = !g_str_equal(argv[3], "names")};
	g_autoptr(SymbolChild) child = symbol_child_new_with(argv[1], 600 * 1000);
	g_autoptr(Symbolizer) symbolizer = symbolizer_new(child);
	g_autoptr(GArray) addresses = g_array_new(FALSE, FALSE, sizeof(guint64));
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint32));
	symbolizer_set_options(symbolizer, &options);
	guint module = symbolizer_add_module(symbolizer, argv[2], NULL, 0);
	while (fgets(line, sizeof line, stdin) != NULL) {
		guint64 address = strtoull(line, NULL, 16);
		guint32 row = symbolizer_add_address(symbolizer, module, file_offset(&segments, address));
		g_array_append_val(addresses, address);
		g_array_append_val(rows, row);
	}
	symbolizer_resolve(symbolizer);
	SymbolizerReport report = symbolizer_report(symbolizer, module);
	if (report.failure != NULL) {
		fprintf(stderr, "addresses: %s\n", report.failure);
		return 1;
	}
	for (guint i = 0; i < rows->len; i++) {
		guint n;
		const SymbolFrame *frames = symbolizer_frames(symbolizer, g_array_index(rows, guint32, i), &n);
		printf("0x%016" G_GINT64_MODIFIER "x\n", g_array_index(addresses, guint64, i));
		print_frames(frames, n, is_raw);
	}
	g_free(segments.headers);
	return 0;
}
