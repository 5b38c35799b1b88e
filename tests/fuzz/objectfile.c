/* SPDX-License-Identifier: Apache-2.0 */
/* Object files, through everything that is read of them: symbols, debug information, source lines, call frame
 * information, listings. The input is a whole file. An empty corpus is begun with programs made by gcc, where there is
 * one. */
#include "profile/objects/listing.h"
#include "profile/objects/modulesymbols.h"
#include "profile/objects/unwindrows.h"
#include "tests/profile/compiled.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char source[] = "volatile unsigned long sink;\n"
                             "static inline __attribute__((always_inline)) void inner(unsigned long n)\n"
                             "{ for (unsigned long i = 0; i < n; i++) sink += i * n; }\n"
                             "__attribute__((noinline)) void outer(unsigned long n) { inner(n); sink++; }\n"
                             "void _start(void) { outer(3); }\n";

/* The corpus is the last argument that is a directory. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *const options[] = {
	        "-g -O2", "-g -O2 -gdwarf-4", "-O2", "-g -O2 -static-pie", "-g -O2 -gsplit-dwarf"};
	const char *folder = *argc > 1 ? (*argv)[*argc - 1] : "";
	g_autoptr(GDir) corpus = g_dir_open(folder, 0, NULL);
	if (corpus == NULL || g_dir_read_name(corpus) != NULL)
		return 0;
	for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
		g_autofree char *all = g_strconcat(options[i], " -nostdlib", NULL);
		g_autofree char *name = g_strdup_printf("program-%u", i);
		g_free(compile(folder, "gcc", all, "example.c", source, name));
	}
	return 0;
}

static void read_names(const char *path)
{
	enum { N_OFFSETS = 512, STEP = 16 };
	ModuleSymbols symbols = {0};
	guint64 offsets[N_OFFSETS];
	for (guint i = 0; i < N_OFFSETS; i++)
		offsets[i] = (guint64)i * STEP;
	const ModuleSymbolsRequest request = {
	        .path = path, .with_lines = TRUE, .with_code = TRUE, .offsets = offsets, .n_offsets = N_OFFSETS};
	module_symbols_resolve(&symbols, &request, NULL);
	module_symbols_clear(&symbols);
}

static void read_rows(const char *path)
{
	enum { END = 0x2000, STEP = 0x40 };
	ObjectFile file;
	g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(UnwindRow));
	if (!object_file_open(&file, path, NULL))
		return;
	for (guint64 offset = 0; offset < END; offset += STEP)
		unwind_rows_read(&file, offset, rows);
	object_file_close(&file);
}

static void read_listings(const char *path)
{
	enum { END = 0x2000, STEP = 0x200 };
	ObjectFile file;
	if (!object_file_open(&file, path, NULL))
		return;
	for (guint64 offset = 0; offset < END; offset += STEP) {
		FunctionListing listing = {0};
		const SymbolListingRequest request = {.path = path, .offset = offset};
		function_listing_read(&listing, &file, &request, NULL);
		function_listing_clear(&listing);
	}
	object_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		read_names(path);
		read_rows(path);
		read_listings(path);
	}
	close(fd);
	return 0;
}
