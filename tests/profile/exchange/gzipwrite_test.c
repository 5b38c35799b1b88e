/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/gzipwrite.h"

#include "profile/exchange/gunzip.h"
#include "tests/profile/readers.h"

/* Compresses `length` bytes in pieces and compares what comes out again. */
static void assert_comes_back(const guint8 *bytes, gsize length, gsize piece)
{
	GzipWriter *writer = gzip_writer_new();
	for (gsize at = 0; at < length; at += piece)
		gzip_writer_add(writer, bytes + at, MIN(piece, length - at));
	GString *packed = gzip_writer_finish(writer);
	g_autoptr(GByteArray) content = gunzip((const guint8 *)packed->str, packed->len, length + 1, NULL);
	assert_non_null(content);
	assert_int_equal(content->len, length);
	assert_memory_equal(content->data, bytes, length);
	g_string_free(packed, TRUE);
}

static void what_was_added_comes_back(void **state)
{
	(void)state;
	enum { LENGTH = 3000000 };
	g_autofree guint8 *bytes = g_malloc(LENGTH);
	guint32 seed = 1;
	for (guint i = 0; i < LENGTH; i++) {
		seed = seed * 1664525 + 1013904223;
		bytes[i] = (guint8)(seed >> (i % 3 == 0 ? 24 : 30));
	}
	assert_comes_back(bytes, LENGTH, LENGTH);
	assert_comes_back(bytes, LENGTH, 99991);
	assert_comes_back(bytes, 1, 1);
}

static void nothing_is_an_empty_file(void **state)
{
	(void)state;
	assert_comes_back((const guint8 *)"", 0, 1);
}

static void there_is_no_time_and_no_name(void **state)
{
	(void)state;
	static const char header[] = {0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0};
	GzipWriter *writer = gzip_writer_new();
	gzip_writer_add(writer, "lexi", 4);
	GString *packed = gzip_writer_finish(writer);
	assert_memory_equal(packed->str, header, sizeof(header));
	g_string_free(packed, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_was_added_comes_back),
	        cmocka_unit_test(nothing_is_an_empty_file),
	        cmocka_unit_test(there_is_no_time_and_no_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
