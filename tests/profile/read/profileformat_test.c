/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/read/profileformat.h"

#include "core/error.h"
#include "profile/exchange/pprofread.h"
#include "tests/profile/readers.h"

#define BYTES(text) (const guint8 *)(text), sizeof(text) - 1

static void assert_format(const guint8 *bytes, gsize length, ProfileFormat expected)
{
	ProfileFormat format = PROFILE_FORMAT_AUTO;
	g_autoptr(GError) error = NULL;
	if (!profile_format_detect(bytes, length, "test", &format, &error))
		fail_msg("%s", error->message);
	assert_int_equal(format, expected);
}

static void assert_stranger(const guint8 *bytes, gsize length, const char *word)
{
	ProfileFormat format = PROFILE_FORMAT_AUTO;
	g_autoptr(GError) error = NULL;
	assert_false(profile_format_detect(bytes, length, "test", &format, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	if (strstr(error->message, word) == NULL)
		fail_msg("no \"%s\" in \"%s\"", word, error->message);
	assert_int_equal(format, PROFILE_FORMAT_AUTO);
}

static void recordings_are_known_by_their_magic(void **state)
{
	(void)state;
	assert_format(BYTES("PERFILE2rest"), PROFILE_FORMAT_PERF_DATA);
	assert_format(BYTES("2ELIFREPrest"), PROFILE_FORMAT_PERF_DATA);
	assert_format(BYTES("PERFFILErest"), PROFILE_FORMAT_PERF_DATA);
}

static void text_of_perf_script_is_known_by_header_or_sample(void **state)
{
	(void)state;
	assert_format(BYTES("# ========\n# captured on    : Mon\n#\n"), PROFILE_FORMAT_PERF_SCRIPT);
	assert_format(BYTES("\nprog 7/8 [001] 1.5: 10 cycles:\n\t1 a (/x)\n"), PROFILE_FORMAT_PERF_SCRIPT);
	assert_format(BYTES("    prog   7  1.5:   10 cycles:  7f12 a (/x)\n"), PROFILE_FORMAT_PERF_SCRIPT);
	assert_format(BYTES("java 19983 cycles:\nffff a (/x)\n"), PROFILE_FORMAT_PERF_SCRIPT);
}

static void callgrind_files_are_known_by_their_headers(void **state)
{
	(void)state;
	assert_format(BYTES("# callgrind format\nversion: 1\n"), PROFILE_FORMAT_CALLGRIND);
	assert_format(BYTES("version: 1\ncreator: xdebug\n\nevents: Time\nfn=a\n1 5\n"), PROFILE_FORMAT_CALLGRIND);
}

static void heap_profiles_are_known_by_their_first_key(void **state)
{
	(void)state;
	assert_format(BYTES("{\"dhatFileVersion\":2\n,\"mode\":\"heap\""), PROFILE_FORMAT_DHAT);
	assert_format(BYTES("{\n  \"dhatFileVersion\": 2,\n"), PROFILE_FORMAT_DHAT);
}

static void folded_stacks_are_known_by_their_first_line(void **state)
{
	(void)state;
	assert_format(BYTES("# a remark\n\nprog;main 12\n"), PROFILE_FORMAT_FOLDED);
	assert_format(BYTES("\xef\xbb\xbfprog;main 1.5\r\n"), PROFILE_FORMAT_FOLDED);
	assert_format(BYTES("[unknown];main 12\n"), PROFILE_FORMAT_FOLDED);
}

/* "lexi 4711" looks like a stack with a count. */
static void frames_without_an_event_are_refused(void **state)
{
	(void)state;
	assert_stranger(BYTES("lexi    4711 \n\t          401000 parse\n\t          401100 main\n\n"), "no event");
	assert_stranger(BYTES("\t          401000 parse (/srv/lexi)\n\n"), "default fields");
	assert_format(BYTES("main;parse 5\n  face;b 3\n  faced 3\n"), PROFILE_FORMAT_FOLDED);
}

static void pprof_is_known_by_its_first_fields(void **state)
{
	(void)state;
	assert_format(BYTES("\x0a\x04\x08\x01\x10\x02\x12\x04\x0a\x01\x01\x12"), PROFILE_FORMAT_PPROF);
}

/* Letters can be fields of a protobuf message: `a` is field 12, `x` field 15. */
static void text_is_no_pprof_however_its_letters_read(void **state)
{
	(void)state;
	g_autoptr(GString) text = g_string_new("a;");
	for (guint i = 0; i < 105; i++)
		g_string_append_c(text, 'x');
	g_string_append(text, " 1\n");
	assert_true(pprof_detect((const guint8 *)text->str, text->len));
	assert_format((const guint8 *)text->str, text->len, PROFILE_FORMAT_FOLDED);
}

static void what_is_no_profile_is_called_by_its_name(void **state)
{
	(void)state;
	assert_stranger(BYTES(""), "empty");
	assert_stranger(BYTES("\x7f"
	                      "ELF\2\1\1"),
	        "ELF");
	assert_stranger(BYTES("\xff\xfem\0a\0"), "UTF-16");
	assert_stranger(BYTES("\x1f\x8b\x08\0\0\0\0\0"), "gzip");
	assert_stranger(BYTES("\x28\xb5\x2f\xfd...."), "zstd");
	assert_stranger(BYTES("<?xml version=\"1.0\"?>\n<svg width=\"1\">"), "SVG");
	assert_stranger(BYTES("<html>"), "HTML");
	assert_stranger(BYTES("{\"shared\": 1}"), "JSON");
	assert_stranger(BYTES("\1\2\3\0\0"), "binary");
	assert_stranger(BYTES("some words only\n"), "neither");
}

static void old_profiles_are_told_how_to_be_converted(void **state)
{
	(void)state;
	assert_stranger(BYTES("heap profile: 1: 2 [3: 4] @ heap/1\n"), "pprof -proto");
	assert_stranger(BYTES("heap_v2/524288\n  t*: 1: 2 [0: 0]\n"), "pprof -proto");
	assert_stranger(BYTES("--- contentionz 1 ---\n"), "pprof -proto");
	assert_stranger(BYTES("threadcreate profile: total 7\n1 @ 0x44cb3 0x45045\n"), "pprof -proto");
	assert_stranger(BYTES("goroutine profile: total 2\n1 @ 0x44cb3 0x45045\n"), "pprof -proto");
	assert_stranger(BYTES("\0\0\0\0\3\0\0\0\0\0\0\0"), "pprof -proto");
	assert_stranger(BYTES("\0\0\0\0\0\0\0\3\0\0\0\0"), "pprof -proto");
	assert_stranger(BYTES("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"), "pprof -proto");
	assert_stranger(BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3"), "pprof -proto");
}

static void two_counts_on_each_line_are_told_from_names_with_numbers(void **state)
{
	(void)state;
	assert_true(profile_format_has_two_counts(BYTES("main 1 2\nmain;a 40 42\nmain;b 0 3\nmain;c 1 1\n")));
	assert_true(profile_format_has_two_counts(BYTES("# of two\nm 1.5 2\n\nm;a 2.5 1\r\nm;b 0.25 3\nm;c 1 1")));
	assert_false(profile_format_has_two_counts(BYTES("main;op 1 5\nmain;op 2 5\nmain;op 3 5\n")));
	assert_false(profile_format_has_two_counts(BYTES("m;op 1 5\nm;op 2 5\nm;op 3 5\nm;op4 5\nm;op 5 5\n")));
	assert_false(profile_format_has_two_counts(BYTES("m 1\nm;a 2\nm;b 3\nm;c 4\n")));
	assert_false(profile_format_has_two_counts(BYTES("")));
}

static void stacks_after_another_line_are_told_how_to_be_read(void **state)
{
	(void)state;
	assert_stranger(BYTES("collected by us\nmain;parse 42\n"), "--format=folded");
	assert_stranger(BYTES("collected by us\non day 42\n"), "neither");
}

static void old_profiles_are_called_by_their_name(void **state)
{
	(void)state;
	static const char *const names[] = {"go.crc32.cpu", "java.cpu", "gobench.heap"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = shared_fixture("google-pprof/%s", names[i]);
		g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
		assert_stranger((const guint8 *)g_mapped_file_get_contents(file), g_mapped_file_get_length(file),
		        "of gperftools");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(recordings_are_known_by_their_magic),
	        cmocka_unit_test(text_of_perf_script_is_known_by_header_or_sample),
	        cmocka_unit_test(callgrind_files_are_known_by_their_headers),
	        cmocka_unit_test(heap_profiles_are_known_by_their_first_key),
	        cmocka_unit_test(folded_stacks_are_known_by_their_first_line),
	        cmocka_unit_test(frames_without_an_event_are_refused),
	        cmocka_unit_test(pprof_is_known_by_its_first_fields),
	        cmocka_unit_test(text_is_no_pprof_however_its_letters_read),
	        cmocka_unit_test(what_is_no_profile_is_called_by_its_name),
	        cmocka_unit_test(old_profiles_are_told_how_to_be_converted),
	        cmocka_unit_test(two_counts_on_each_line_are_told_from_names_with_numbers),
	        cmocka_unit_test(stacks_after_another_line_are_told_how_to_be_read),
	        cmocka_unit_test(old_profiles_are_called_by_their_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
