/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/kernelmaps.h"

#include "core/durable.h"
#include "runner/record/recordlayout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct {
	char *folder, *kallsyms, *modules;
	GByteArray *records;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->folder = g_dir_make_tmp("firebreak-kernel-XXXXXX", NULL);
	f->kallsyms = g_build_filename(f->folder, "kallsyms", NULL);
	f->modules = g_build_filename(f->folder, "modules", NULL);
	f->records = g_byte_array_new();
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	durable_remove_tree(f->folder, NULL);
	g_byte_array_unref(f->records);
	g_free(f->modules);
	g_free(f->kallsyms);
	g_free(f->folder);
	g_free(f);
	return 0;
}

static void append(Fixture *f, const char *kallsyms, const char *modules)
{
	assert_true(g_file_set_contents(f->kallsyms, kallsyms, -1, NULL));
	if (modules != NULL)
		assert_true(g_file_set_contents(f->modules, modules, -1, NULL));
	kernel_maps_append_from(f->records, 99, f->kallsyms, f->modules);
}

enum { START_AT = 16, LENGTH_AT = 24, PAGE_OFFSET_AT = 32, NAME_AT = 40 };

#define SYMBOLS                                                                                                        \
	"0000000000000000 A fixed_percpu_data\n"                                                                       \
	"ffffffff81000000 T _stext\n"                                                                                  \
	"ffffffff81000000 T _text\n"                                                                                   \
	"ffffffff81200000 T read_zero\n"                                                                               \
	"ffffffff82000000 T _etext\n"

static void the_kernel_is_one_map(void **state)
{
	Fixture *f = *state;
	append(f, SYMBOLS, NULL);
	const guint8 *record = f->records->data;
	assert_int_equal(f->records->len, record_header(record).size);
	assert_int_equal(record_header(record).type, PERF_RECORD_MMAP);
	assert_int_equal(record_header(record).misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(record_u32(record, 8), G_MAXUINT32);
	assert_true(record_u64(record, START_AT) == 0xffffffff81000000);
	assert_int_equal(record_u64(record, LENGTH_AT), 0x1000000);
	assert_true(record_u64(record, PAGE_OFFSET_AT) == 0xffffffff81000000);
	assert_string_equal((const char *)record + NAME_AT, "[kernel.kallsyms]_text");
	RecordTrailer trailer = record_trailer(record, f->records->len);
	assert_int_equal(trailer.id, 99);
	assert_int_equal(trailer.time_ns, 0);
}

static void each_module_is_a_map(void **state)
{
	Fixture *f = *state;
	append(f, SYMBOLS,
	        "xfs 2097152 1 - Live 0xffffffffc0a00000\n"
	        "nonsense\n"
	        "hidden 4096 0 - Live 0x0000000000000000\n"
	        "ext4 8192 2 mbcache,jbd2, Live 0xffffffffc0900000 (E)\n");
	const guint8 *record = f->records->data + record_header(f->records->data).size;
	assert_string_equal((const char *)record + NAME_AT, "[xfs]");
	assert_true(record_u64(record, START_AT) == 0xffffffffc0a00000);
	assert_int_equal(record_u64(record, LENGTH_AT), 2097152);
	record += record_header(record).size;
	assert_string_equal((const char *)record + NAME_AT, "[ext4]");
	record += record_header(record).size;
	assert_ptr_equal(record, f->records->data + f->records->len);
}

static void hidden_addresses_make_no_map(void **state)
{
	Fixture *f = *state;
	append(f, "0000000000000000 T _stext\n0000000000000000 T _text\n0000000000000000 T _etext\n", "");
	assert_int_equal(f->records->len, 0);
}

static void symbols_that_cannot_be_read_make_no_map(void **state)
{
	Fixture *f = *state;
	kernel_maps_append_from(f->records, 99, "/nonexistent", "/nonexistent");
	append(f, "garbage\n\n", "");
	assert_int_equal(f->records->len, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(the_kernel_is_one_map),
	        TEST(each_module_is_a_map),
	        TEST(hidden_addresses_make_no_map),
	        TEST(symbols_that_cannot_be_read_make_no_map),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
