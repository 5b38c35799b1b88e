/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/read/profileread.h"

#include "core/error.h"
#include "profile/perfdata/perfdata.h"
#include "tests/profile/perfwriter.h"
#include "tests/profile/readers.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

static const char script[] = "prog 7/8 1.5: 10 cycles:\n\t1 a (/x)\n\n";
static const char callgrind[] = "events: Ir\nfn=a\n1 5\n";
static const char folded[] = "prog;a 3\nprog;b 4\n";
static const char pprof[] =
        "\x0a\x04\x08\x01\x10\x02\x12\x06\x0a\x01\x01\x12\x01\x09\x22\x08\x08\x01\x22\x04\x08\x01\x10"
        "\x03\x2a\x04\x08\x01\x10\x03\x32\x00\x32\x03"
        "cpu\x32\x0bnanoseconds\x32\x04main";

static char *temporary(const char *bytes, gsize length)
{
	g_autoptr(GError) error = NULL;
	char *path = NULL;
	int fd = g_file_open_tmp("firebreak-XXXXXX", &path, &error);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), length);
	close(fd);
	return path;
}

typedef struct {
	StackTable *table;
	Profile *profile;
	ProfileReader *reader;
} Example;

static int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->table = stack_table_new();
	e->profile = profile_new(e->table, "", "");
	profile_add_run(e->profile);
	profile_add_run(e->profile);
	e->reader = profile_reader_new(e->table);
	*state = e;
	return 0;
}

static int tear_down(void **state)
{
	Example *e = *state;
	profile_reader_free(e->reader);
	profile_free(e->profile);
	stack_table_unref(e->table);
	g_free(e);
	return 0;
}

static gboolean add(Example *e, const char *bytes, gsize length, const ProfileReadOptions *options, RunQuality *quality,
        GError **error)
{
	g_autofree char *path = temporary(bytes, length);
	gboolean ok = profile_reader_add(e->reader, path, e->profile, 0, options, quality, error);
	g_unlink(path);
	return ok;
}

static void assert_adds(Example *e, const char *bytes, gsize length, const char *expected)
{
	g_autoptr(GError) error = NULL;
	if (!add(e, bytes, length, NULL, NULL, &error))
		fail_msg("%s", error->message);
	assert_true(profile_reader_finish(e->reader, NULL, NULL));
	g_autofree char *text = folded_write(e->profile, 0, FOLDED_WEIGHT);
	assert_string_equal(text, expected);
}

static void assert_refused(Example *e, const char *text, const ProfileReadOptions *options, const char *word)
{
	g_autoptr(GError) error = NULL;
	assert_false(add(e, text, strlen(text), options, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	if (strstr(error->message, word) == NULL)
		fail_msg("no \"%s\" in \"%s\"", word, error->message);
	assert_int_equal(profile_run_total(e->profile, 0).samples, 0);
}

static void text_of_perf_script_is_read(void **state)
{
	assert_adds(*state, script, strlen(script), "prog;a 10\n");
}

static void callgrind_is_read(void **state)
{
	assert_adds(*state, callgrind, strlen(callgrind), "a 5\n");
}

static void folded_stacks_are_read(void **state)
{
	assert_adds(*state, folded, strlen(folded), "prog;a 3\nprog;b 4\n");
}

static void pprof_is_read(void **state)
{
	assert_adds(*state, pprof, sizeof(pprof) - 1, "main 9\n");
}

static GByteArray *recording(void)
{
	static const guint64 chain[] = {PERF_DATA_MARKER_USER, 0x1010};
	PerfWriter writer;
	perf_writer_init(&writer, 1);
	put_comm(&writer, 7, 10, "prog", TRUE);
	put_sample(
	        &writer, &(WrittenSample){.pid = 7, .time_ns = 20, .period = 700, .chain = chain, .chain_length = 2});
	GByteArray *bytes = perf_writer_file(&writer);
	perf_writer_clear(&writer);
	return bytes;
}

static void a_recording_is_read(void **state)
{
	g_autoptr(GByteArray) bytes = recording();
	assert_adds(*state, (const char *)bytes->data, bytes->len, "prog;[unknown] 700\n");
}

static void add_from_pipe(Example *e, const char *bytes, gsize length, const char *path, GError **error)
{
	int ends[2], kept = dup(STDIN_FILENO);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], bytes, length), length);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	profile_reader_add(e->reader, path, e->profile, 0, NULL, NULL, error);
	dup2(kept, STDIN_FILENO);
	close(kept);
}

static void a_recording_is_read_from_standard_input(void **state)
{
	Example *e = *state;
	g_autoptr(GByteArray) bytes = recording();
	add_from_pipe(e, (const char *)bytes->data, bytes->len, "-", NULL);
	assert_true(profile_reader_finish(e->reader, NULL, NULL));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 700);
}

static void text_is_read_from_a_pipe_with_a_name(void **state)
{
	Example *e = *state;
	add_from_pipe(e, script, strlen(script), "/proc/self/fd/0", NULL);
	assert_int_equal(profile_run_total(e->profile, 0).weight, 10);
}

static void a_damaged_recording_from_standard_input_is_called_that(void **state)
{
	Example *e = *state;
	g_autoptr(GByteArray) bytes = recording();
	g_autoptr(GError) error = NULL;
	add_from_pipe(e, (const char *)bytes->data, bytes->len / 2, "-", &error);
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_true(g_str_has_prefix(error->message, "standard input: "));
	assert_null(strstr(error->message, "/proc"));
}

static void empty_input_is_refused_whatever_the_format(void **state)
{
	Example *e = *state;
	assert_refused(e, "", NULL, "empty");
	assert_refused(e, "", &(ProfileReadOptions){.format = PROFILE_FORMAT_FOLDED}, "empty");
}

static void a_directory_is_refused(void **state)
{
	Example *e = *state;
	g_autoptr(GError) error = NULL;
	assert_false(profile_reader_add(e->reader, "/", e->profile, 0, NULL, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
}

static void a_file_that_is_not_there_cannot_be_read(void **state)
{
	Example *e = *state;
	g_autoptr(GError) error = NULL;
	assert_false(profile_reader_add(e->reader, "/nowhere/x", e->profile, 0, NULL, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
}

static void files_of_one_event_add_up(void **state)
{
	Example *e = *state;
	assert_true(add(e, script, strlen(script), NULL, NULL, NULL));
	assert_true(add(e, script, strlen(script), NULL, NULL, NULL));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 20);
	assert_string_equal(e->profile->event, "cycles");
	assert_string_equal(e->profile->unit, "cycles");
}

static void files_of_two_events_do_not_add_up(void **state)
{
	Example *e = *state;
	g_autoptr(GError) error = NULL;
	assert_true(add(e, script, strlen(script), NULL, NULL, NULL));
	assert_false(add(e, callgrind, strlen(callgrind), NULL, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_non_null(strstr(error->message, "recorded Ir"));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 10);
}

static void filters_that_a_format_does_not_have_are_refused(void **state)
{
	Example *e = *state;
	assert_refused(e, folded, &(ProfileReadOptions){.fold = {.pid = 1}}, "do not tell");
	assert_refused(e, folded, &(ProfileReadOptions){.fold = {.event = "cycles"}}, "do not tell");
	assert_refused(e, script, &(ProfileReadOptions){.fold = {.comm = "x"}, .stackcollapse_rules = TRUE}, "no such");
	assert_refused(e, script, &(ProfileReadOptions){.two_columns = TRUE}, "two columns");
	assert_refused(e, folded, &(ProfileReadOptions){.root_tid = TRUE}, "only stacks of perf script");
}

static void filters_reach_the_reader(void **state)
{
	Example *e = *state;
	assert_refused(e, script, &(ProfileReadOptions){.fold = {.comm = "other"}}, "filters");
	assert_true(add(
	        e, script, strlen(script), &(ProfileReadOptions){.fold = {.pid = 7}, .root_tid = TRUE}, NULL, NULL));
	g_autofree char *text = folded_write(e->profile, 0, FOLDED_WEIGHT);
	assert_string_equal(text, "prog-7/8;a 10\n");
}

static void two_columns_are_two_runs(void **state)
{
	Example *e = *state;
	assert_true(add(e, "m;a 3 4\n", 8, &(ProfileReadOptions){.two_columns = TRUE}, NULL, NULL));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 3);
	assert_int_equal(profile_run_total(e->profile, 1).weight, 4);
}

static void two_columns_are_read_strictly(void **state)
{
	Example *e = *state;
	assert_refused(e, "m;a 3 4\nm;a 3\n", &(ProfileReadOptions){.two_columns = TRUE}, ":2: not a stack with 2");
}

static void an_open_file_is_read_as_often_as_wanted(void **state)
{
	Example *e = *state;
	InputFile file;
	g_autofree char *path = temporary("m;a 3\n", 6);
	assert_true(input_file_open(&file, path, NULL));
	g_unlink(path);
	for (guint run = 0; run < 2; run++)
		assert_true(profile_reader_add_file(e->reader, &file, e->profile, run, NULL, NULL, NULL));
	input_file_close(&file);
	assert_int_equal(profile_run_total(e->profile, 0).weight, 3);
	assert_int_equal(profile_run_total(e->profile, 1).weight, 3);
}

static void a_format_that_is_said_is_not_guessed(void **state)
{
	Example *e = *state;
	const char *text = "events: 5\n";
	const ProfileReadOptions options = {.format = PROFILE_FORMAT_FOLDED};
	assert_true(add(e, text, strlen(text), &options, NULL, NULL));
	g_autofree char *read = folded_write(e->profile, 0, FOLDED_WEIGHT);
	assert_string_equal(read, "events: 5\n");
}

static void the_rules_of_stackcollapse_are_followed_if_asked(void **state)
{
	Example *e = *state;
	const char *text = "pp 1 1.0: 5 cycles:\n\t1 a\"b (/x)\n\npp 1 1.1: 5 cycles:\n\t1 lost (/x)\n";
	const ProfileReadOptions options = {.stackcollapse_rules = TRUE};
	assert_true(add(e, text, strlen(text), &options, NULL, NULL));
	g_autofree char *read = folded_write(e->profile, 0, FOLDED_AS_IS);
	assert_string_equal(read, "pp;ab 5\n");
}

static void quality_tells_samples_and_weight(void **state)
{
	Example *e = *state;
	RunQuality quality = {0};
	assert_true(add(e, folded, strlen(folded), NULL, &quality, NULL));
	assert_int_equal(quality.samples, 7);
	assert_true(add(e, script, strlen(script), NULL, &quality, NULL));
	assert_int_equal(quality.samples, 1);
	assert_int_equal(quality.weight_total, 10);
	assert_int_equal(quality.depth1, 1);
}

static void fractions_add_up_with_whole_numbers(void **state)
{
	Example *e = *state;
	RunQuality quality = {0};
	const char *fractions = "main;parse 1.5\nmain 0.25\n";
	assert_true(add(e, folded, strlen(folded), NULL, NULL, NULL));
	assert_true(add(e, fractions, strlen(fractions), NULL, &quality, NULL));
	assert_string_equal(e->profile->unit, "counts");
	assert_int_equal(e->profile->scale, 1000);
	assert_int_equal(profile_run_total(e->profile, 0).weight, 8750);
	assert_int_equal(quality.weight_total, 1);
}

/* A period of a recording would else count as a thousandth of one. */
static void fractions_add_up_with_nothing_else(void **state)
{
	Example *e = *state;
	g_autoptr(GError) error = NULL, reversed = NULL;
	const char *fractions = "main;parse 1.5\nmain 0.25\n";
	assert_true(add(e, fractions, strlen(fractions), NULL, NULL, NULL));
	assert_false(add(e, script, strlen(script), NULL, NULL, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	g_autoptr(Profile) other = profile_new(e->table, "", "");
	profile_add_run(other);
	profile_free(e->profile);
	e->profile = g_steal_pointer(&other);
	assert_true(add(e, script, strlen(script), NULL, NULL, NULL));
	assert_false(add(e, fractions, strlen(fractions), NULL, NULL, &reversed));
	assert_int_equal(reversed->code, FIREBREAK_ERROR_USAGE);
}

static void what_a_reader_should_know_is_a_finding(void **state)
{
	Example *e = *state;
	g_autoptr(FindingList) findings = finding_list_new();
	const char *text = "prog 7/8 1.5: 10 Ir:\n\t1 a (/x)\n\nwhat\n";
	assert_true(add(e, text, strlen(text), NULL, NULL, NULL));
	assert_true(add(e, callgrind, strlen(callgrind), NULL, NULL, NULL));
	assert_true(profile_reader_finish(e->reader, findings, NULL));
	assert_true(finding_has(findings, "no_call_chains"));
	assert_true(finding_has(findings, "lines_not_read"));
	assert_true(finding_has(findings, "no_call_paths"));
}

#define READER_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        READER_TEST(text_of_perf_script_is_read),
	        READER_TEST(callgrind_is_read),
	        READER_TEST(folded_stacks_are_read),
	        READER_TEST(pprof_is_read),
	        READER_TEST(a_recording_is_read),
	        READER_TEST(a_recording_is_read_from_standard_input),
	        READER_TEST(text_is_read_from_a_pipe_with_a_name),
	        READER_TEST(a_damaged_recording_from_standard_input_is_called_that),
	        READER_TEST(empty_input_is_refused_whatever_the_format),
	        READER_TEST(a_directory_is_refused),
	        READER_TEST(a_file_that_is_not_there_cannot_be_read),
	        READER_TEST(files_of_one_event_add_up),
	        READER_TEST(files_of_two_events_do_not_add_up),
	        READER_TEST(filters_that_a_format_does_not_have_are_refused),
	        READER_TEST(filters_reach_the_reader),
	        READER_TEST(two_columns_are_two_runs),
	        READER_TEST(two_columns_are_read_strictly),
	        READER_TEST(an_open_file_is_read_as_often_as_wanted),
	        READER_TEST(a_format_that_is_said_is_not_guessed),
	        READER_TEST(the_rules_of_stackcollapse_are_followed_if_asked),
	        READER_TEST(quality_tells_samples_and_weight),
	        READER_TEST(fractions_add_up_with_whole_numbers),
	        READER_TEST(fractions_add_up_with_nothing_else),
	        READER_TEST(what_a_reader_should_know_is_a_finding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
