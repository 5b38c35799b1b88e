/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled program and a written recording of it, to be folded: for tests of what becomes of a recording. */
#pragma once

#include "profile/fold/foldperf.h"
#include "profile/folded/folded.h"
#include "profile/perfdata/perfdata.h"
#include "tests/profile/compiled.h"
#include "tests/profile/perfwriter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MAPPED_AT G_GUINT64_CONSTANT(0x400000000)
#define USER PERF_DATA_MARKER_USER
#define KERNEL PERF_DATA_MARKER_KERNEL

static const char example_source[] = "volatile unsigned long sink;\n"
                                     "__attribute__((noinline)) void leaf(unsigned long n) { sink += n; }\n"
                                     "__attribute__((noinline)) void middle(unsigned long n) { leaf(n); sink++; }\n"
                                     "int main(int argc, char **argv) { (void)argv; middle(argc); return 0; }\n";

/* A compiled program, a table with one profile of one run, and a recording to be filled. */
typedef struct {
	char *folder, *program;
	guint64 leaf, middle, main_function, start; /* addresses of the functions as mapped */
	StackTable *table;
	Profile *profile;
	PerfWriter writer;
} Example;

static inline int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->folder = new_folder();
	e->program = compile(e->folder, "gcc", "-g -O2 -fno-omit-frame-pointer", "example.c", example_source, "prog");
	if (e->program != NULL) {
		e->leaf = MAPPED_AT + find_function(e->program, "leaf").offset;
		e->middle = MAPPED_AT + find_function(e->program, "middle").offset;
		e->main_function = MAPPED_AT + find_function(e->program, "main").offset;
		e->start = MAPPED_AT + find_function(e->program, "_start").offset;
	}
	e->table = stack_table_new();
	e->profile = profile_new(e->table, "", "");
	profile_add_run(e->profile);
	perf_writer_init(&e->writer, 1);
	put_comm(&e->writer, 7, 1, "my prog", TRUE);
	if (e->program != NULL)
		put_program(&e->writer, 7, 2, MAPPED_AT, e->program);
	*state = e;
	return 0;
}

static inline int tear_down(void **state)
{
	Example *e = *state;
	perf_writer_clear(&e->writer);
	profile_free(e->profile);
	stack_table_unref(e->table);
	remove_folder(e->folder);
	g_free(e->folder);
	g_free(e->program);
	g_free(e);
	return 0;
}

static inline void need_program(const Example *e)
{
	if (e->program != NULL && have_program("readelf"))
		return;
	print_message("skipped: no working gcc and readelf\n");
	skip();
}

static inline void add_sample(Example *e, guint64 time_ns, const guint64 *chain, guint chain_length)
{
	put_sample(&e->writer,
	        &(WrittenSample){
	                .pid = 7, .time_ns = time_ns, .period = 10, .chain = chain, .chain_length = chain_length});
}

#define ADD_SAMPLE(e, time_ns, ...)                                                                                    \
	do {                                                                                                           \
		const guint64 chain[] = {__VA_ARGS__};                                                                 \
		add_sample(e, time_ns, chain, G_N_ELEMENTS(chain));                                                    \
	} while (0)

/* The recording is of this machine unless the test says another one. */
static inline gboolean add_recording(
        Example *e, PerfFold *fold, const PerfFoldOptions *options, RunQuality *quality, GError **error)
{
	enum { FEATURE_HOSTNAME = 3 };
	if (e->writer.features[FEATURE_HOSTNAME] == NULL)
		put_this_machine(&e->writer);
	g_autoptr(GByteArray) file = perf_writer_file(&e->writer);
	g_autofree char *path = write_temporary(file, file->len);
	gboolean ok = perf_fold_add(fold, path, e->profile, 0, options, quality, error);
	g_unlink(path);
	return ok;
}

/* The recording as folded text; owned by the caller. */
static inline char *fold_to_text(Example *e, const PerfFoldOptions *options, RunQuality *quality)
{
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	g_autoptr(GError) error = NULL;
	assert_true(add_recording(e, fold, options, quality, &error));
	assert_true(perf_fold_finish(fold, NULL, &error));
	return folded_write(e->profile, 0, FOLDED_WEIGHT);
}

/* An MMAP2 record with the build-id of a file. */
static inline void put_mmap_of_build(Example *e, const Extent *at, gint32 pid, const char *path, const char *build_id)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u32(body, (guint32)pid);
	put_u32(body, (guint32)pid);
	put_u64(body, at->offset);
	put_u64(body, at->size);
	put_u64(body, 0);
	put_u32(body, 20);
	for (guint i = 0; i < 20; i++) {
		guint8 byte = (guint8)(g_ascii_xdigit_value(build_id[2 * i]) << 4 |
		                       g_ascii_xdigit_value(build_id[2 * i + 1]));
		put_bytes(body, &byte, 1);
	}
	put_u32(body, 5);
	put_u32(body, 2);
	put_text(body, path);
	put_trailer(&e->writer, body, pid, pid, 3);
	put_record(&e->writer, 10, 1 << 14 | 2, body);
}

/* As 40 digits, from readelf; owned by the caller. */
static inline char *read_build_id(const char *path)
{
	g_autofree char *notes = NULL;
	const char *const argv[] = {"readelf", "-nW", path, NULL};
	if (!run_command(argv, &notes))
		return NULL;
	const char *id = strstr(notes, "Build ID: ");
	return id != NULL && strlen(id) >= 50 ? g_strndup(id + 10, 40) : NULL;
}

/* Changes the sample written last: its processor mode, as the kernel numbers it, and its thread. */
static inline void change_sample(Example *e, guint before, guint8 cpu_mode, gint32 tid)
{
	enum { MISC_AT = 4, TID_AT = 8 + 8 + 4 };
	e->writer.records->data[before + MISC_AT] = cpu_mode;
	tid = GINT32_TO_LE(tid);
	memcpy(e->writer.records->data + before + TID_AT, &tid, sizeof tid);
}

/* Runs perf with arguments; FALSE with a message if there is no perf that can record here. */
static inline gboolean perf_record(const char *const *argv)
{
	if (have_program("perf") && run_command(argv, NULL))
		return TRUE;
	print_message("skipped: perf cannot record here\n");
	return FALSE;
}
