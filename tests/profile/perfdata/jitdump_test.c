/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/jitdump.h"

#include "tests/profile/jitdumpwriter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *name_at(JitDump *dump, guint64 time_ns, guint64 address)
{
	JitSymbol symbol;
	jit_dump_advance(dump, time_ns);
	return jit_dump_find(dump, address, &symbol) ? symbol.name : "nothing";
}

/* Takes what was written. */
static JitDump *parse(JitWriter *writer)
{
	JitDump *dump = jit_dump_parse(writer->bytes->data, writer->bytes->len);
	g_byte_array_unref(writer->bytes);
	return dump;
}

static void code_is_known_by_address_and_source(void **state)
{
	(void)state;
	for (int is_big_endian = 0; is_big_endian < 2; is_big_endian++) {
		JitSymbol symbol;
		JitWriter writer = jit_writer_new(is_big_endian, 0);
		jit_source(&writer, 0x1000, "app.js", 12);
		jit_load(&writer, &(JitLoad){10, 0x1000, 0x20, 0, "parse"});
		jit_load(&writer, &(JitLoad){10, 0x2000, 0x20, 1, "emit"});
		g_autoptr(JitDump) dump = parse(&writer);
		jit_dump_advance(dump, 10);
		assert_true(jit_dump_find(dump, 0x101f, &symbol));
		assert_string_equal(symbol.name, "parse");
		assert_string_equal(symbol.file, "app.js");
		assert_int_equal(symbol.line, 12);
		assert_true(jit_dump_find(dump, 0x2000, &symbol));
		assert_string_equal(symbol.name, "emit");
		assert_null(symbol.file);
		assert_false(jit_dump_find(dump, 0x1020, &symbol));
	}
}

static void memory_that_is_used_again_has_another_name_later(void **state)
{
	(void)state;
	JitWriter writer = jit_writer_new(FALSE, 0);
	jit_load(&writer, &(JitLoad){10, 0x1000, 0x20, 0, "first"});
	jit_load(&writer, &(JitLoad){20, 0x1010, 0x20, 1, "second"});
	g_autoptr(JitDump) dump = parse(&writer);
	assert_string_equal(name_at(dump, 15, 0x1018), "first");
	assert_string_equal(name_at(dump, 20, 0x1018), "second");
	assert_string_equal(name_at(dump, 30, 0x1008), "first");
}

static void code_that_moves_keeps_its_name(void **state)
{
	(void)state;
	const guint64 move[] = {0x5000, 0x1000, 0x5000, 0x20, 3};
	JitWriter writer = jit_writer_new(FALSE, 0);
	jit_load(&writer, &(JitLoad){10, 0x1000, 0x20, 3, "mover"});
	jit_move(&writer, 20, move);
	g_autoptr(JitDump) dump = parse(&writer);
	assert_string_equal(name_at(dump, 10, 0x1000), "mover");
	assert_string_equal(name_at(dump, 20, 0x5010), "mover");
	assert_string_equal(name_at(dump, 20, 0x1000), "nothing");
}

static void advancing_tells_whether_anything_changed(void **state)
{
	(void)state;
	JitWriter writer = jit_writer_new(FALSE, 0);
	jit_load(&writer, &(JitLoad){10, 0x1000, 0x20, 0, "first"});
	g_autoptr(JitDump) dump = parse(&writer);
	guint before = jit_dump_advance(dump, 5);
	assert_int_equal(jit_dump_advance(dump, 9), before);
	assert_int_not_equal(jit_dump_advance(dump, 10), before);
}

static void with_another_clock_the_end_of_the_dump_counts(void **state)
{
	(void)state;
	JitWriter writer = jit_writer_new(FALSE, 0);
	jit_load(&writer, &(JitLoad){G_MAXUINT64 / 2, 0x1000, 0x20, 0, "late"});
	g_autoptr(JitDump) dump = parse(&writer);
	assert_string_equal(name_at(dump, 5, 0x1000), "late");
	JitWriter cycles = jit_writer_new(FALSE, 1);
	jit_load(&cycles, &(JitLoad){1, 0x1000, 0x20, 0, "first"});
	jit_load(&cycles, &(JitLoad){2, 0x1000, 0x20, 0, "last"});
	g_autoptr(JitDump) counted = parse(&cycles);
	assert_string_equal(name_at(counted, 1, 0x1000), "last");
}

static void what_follows_a_close_or_damage_is_left_aside(void **state)
{
	(void)state;
	JitWriter writer = jit_writer_new(FALSE, 0);
	jit_load(&writer, &(JitLoad){10, 0x1000, 0x20, 0, "good"});
	jit_head(&writer, 4, 8, 11); /* unwinding information is skipped */
	jit_u64(&writer, 0);
	jit_load(&writer, &(JitLoad){12, 0x2000, 0x20, 1, "also"});
	jit_head(&writer, 3, 0, 13);
	jit_load(&writer, &(JitLoad){14, 0x3000, 0x20, 2, "closed"});
	g_autoptr(JitDump) dump = parse(&writer);
	assert_string_equal(name_at(dump, 20, 0x1000), "good");
	assert_string_equal(name_at(dump, 20, 0x2000), "also");
	assert_string_equal(name_at(dump, 20, 0x3000), "nothing");
}

static void a_dump_can_be_cut_anywhere(void **state)
{
	(void)state;
	JitWriter writer = jit_writer_new(FALSE, 0);
	jit_source(&writer, 0x1000, "app.js", 12);
	jit_load(&writer, &(JitLoad){10, 0x1000, 0x20, 0, "parse"});
	for (guint cut = 0; cut < writer.bytes->len; cut++) {
		/* a copy of that size, so that a sanitizer sees what is read beyond it */
		g_autofree guint8 *copy = g_memdup2(writer.bytes->data, cut);
		g_autoptr(JitDump) dump = jit_dump_parse(copy, cut);
		assert_true((dump != NULL) == (cut >= 40));
		if (dump != NULL)
			assert_string_equal(name_at(dump, 10, 0x1000), "nothing");
	}
	g_byte_array_unref(writer.bytes);
}

static void other_files_are_no_dumps(void **state)
{
	(void)state;
	static const guint8 text[64] = "this is no dump";
	assert_null(jit_dump_parse(text, sizeof text));
	assert_null(jit_dump_read("/nowhere/jit-1.dump", 1));
	assert_true(jit_dump_is_path("/home/me/.debug/jit/x/jit-4711.dump"));
	assert_false(jit_dump_is_path("/usr/lib/jit-4711.dump/libc.so"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(code_is_known_by_address_and_source),
	        cmocka_unit_test(memory_that_is_used_again_has_another_name_later),
	        cmocka_unit_test(code_that_moves_keeps_its_name),
	        cmocka_unit_test(advancing_tells_whether_anything_changed),
	        cmocka_unit_test(with_another_clock_the_end_of_the_dump_counts),
	        cmocka_unit_test(what_follows_a_close_or_damage_is_left_aside),
	        cmocka_unit_test(a_dump_can_be_cut_anywhere),
	        cmocka_unit_test(other_files_are_no_dumps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
