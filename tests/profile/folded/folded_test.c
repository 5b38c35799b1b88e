/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/folded/folded.h"

#include "core/error.h"
#include "tests/profile/sharedfile.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	StackTable *table;
	Profile *profile;
} Example;

static int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->table = stack_table_new();
	e->profile = profile_new(e->table, "", "samples");
	profile_add_run(e->profile);
	profile_add_run(e->profile);
	*state = e;
	return 0;
}

static int tear_down(void **state)
{
	Example *e = *state;
	profile_free(e->profile);
	stack_table_unref(e->table);
	g_free(e);
	return 0;
}

/* Reads text of one column into run 0 and gives it back as it is written. */
static char *round_trip(Example *e, const char *text)
{
	assert_true(folded_read(text, strlen(text), "test", NULL, e->profile, 0, NULL, NULL));
	return folded_write(e->profile, 0, FOLDED_WEIGHT);
}

static void one_column_is_read_and_written_sorted(void **state)
{
	static const struct {
		const char *text, *written;
	} cases[] = {
	        {"b;c 2\na;b 1\n", "a;b 1\nb;c 2\n"},
	        {"a;b 1", "a;b 1\n"},
	        {"a;b 1\r\na;c 2\r\n", "a;b 1\na;c 2\n"},
	        {"\xef\xbb\xbf"
	         "a 1\n",
	                "a 1\n"},
	        {"# a comment 5\n\n  \na 1\n#\n", "a 1\n"},
	        {"a\t3\n", "a 3\n"},
	        {"a;b 0\na 1\n", "a 1\n"},
	        /* a byte that is no UTF-8 stays */
	        {"a\xff;b 1\n", "a\xff;b 1\n"},
	        /* a name that extends another one sorts between it and its children */
	        {"a;b 10\na;b(int) 10\na;b;c 10\n", "a;b 10\na;b(int) 10\na;b;c 10\n"},
	        /* equal stacks add up */
	        {"a;b 1\na;b 2\n", "a;b 3\n"},
	        {"18446744073709551615 1\n", "18446744073709551615 1\n"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		void *fresh;
		set_up(&fresh);
		g_autofree char *written = round_trip(fresh, cases[i].text);
		assert_string_equal(written, cases[i].written);
		tear_down(&fresh);
	}
	(void)state;
}

static void stacks_with_a_common_beginning_share_frames(void **state)
{
	Example *e = *state;
	g_autofree char *text = round_trip(e, "a;b 10\na;b(int) 10\na;b;c 10\n");
	assert_int_equal(stack_table_n_stacks(e->table), 5);
	assert_int_equal(strlen(text), strlen("a;b 10\na;b(int) 10\na;b;c 10\n"));
}

static void the_command_at_the_root_is_no_function_of_its_name(void **state)
{
	Example *e = *state;
	const char *text = "sort;main;sort 1\nmain;sort;main 2\n";
	assert_true(folded_read(text, strlen(text), "test", NULL, e->profile, 0, NULL, NULL));
	assert_int_equal(stack_table_n_frames(e->table), 4);
	for (guint i = 1; i < stack_table_n_stacks(e->table); i++) {
		gboolean is_root = stack_table_parent(e->table, (StackId){i}).index == STACK_ROOT.index;
		FrameId leaf = stack_table_leaf(e->table, (StackId){i});
		assert_int_equal(stack_table_get_frame(e->table, leaf)->kind, is_root ? FRAME_COMMAND : FRAME_USER);
	}
}

/* All shares would be wrong. */
static void counts_without_a_sum_are_refused(void **state)
{
	Example *e = *state;
	static const char *const texts[] = {
	        "m;a 18446744073709551615\nm;b 1\n",
	        "m;a 18446744073709551615\nm;a 18446744073709551615\n",
	        "m;a 18446744073709551615\nm;b 18446744073709551615\n",
	        "m;a 9223372036854775808\nm;b 9223372036854775807.7\n",
	};
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		assert_false(folded_read(texts[i], strlen(texts[i]), "test", NULL, e->profile, 0, NULL, &error));
		assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
		assert_non_null(strstr(error->message, "more than 18446744073709551615"));
		assert_true(profile_run_total(e->profile, 0).weight == 0);
	}
	assert_true(folded_read("m;a 18446744073709551615\n", 25, "test", NULL, e->profile, 0, NULL, NULL));
	assert_true(profile_run_total(e->profile, 0).weight == G_MAXUINT64);
	assert_false(folded_read("m;b 1\n", 6, "test", NULL, e->profile, 0, NULL, NULL));
}

static void a_frame_that_ends_in_a_number_is_no_second_column(void **state)
{
	Example *e = *state;
	assert_true(folded_read("a;op 3 10\n", 10, "test", NULL, e->profile, 0, NULL, NULL));
	StackId last = {stack_table_n_stacks(e->table) - 1};
	assert_string_equal(stack_table_frame_name(e->table, stack_table_leaf(e->table, last)), "op 3");
	assert_int_equal(profile_cell(e->profile, 0, last).weight, 10);
}

static void two_columns_are_read_when_told(void **state)
{
	Example *e = *state;
	const FoldedOptions options = {.columns = 2};
	const char *text = "a;b 1 5\na;b 2 12\n";
	assert_true(folded_read(text, strlen(text), "test", &options, e->profile, 0, NULL, NULL));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 3);
	assert_int_equal(profile_run_total(e->profile, 1).weight, 17);
}

static void a_vanished_stack_and_an_empty_head_are_kept(void **state)
{
	Example *e = *state;
	const FoldedOptions options = {.columns = 2};
	const char *text = "m;gone 40 0\n";
	assert_true(folded_read(text, strlen(text), "test", &options, e->profile, 0, NULL, NULL));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 40);
	assert_int_equal(profile_run_total(e->profile, 1).weight, 0);
}

static void a_line_with_one_number_among_two_columns_is_bad(void **state)
{
	Example *e = *state;
	const FoldedOptions options = {.columns = 2, .strict = TRUE};
	g_autoptr(GError) error = NULL;
	const char *text = "a;b 1 5\na;c 2\n";
	assert_false(folded_read(text, strlen(text), "in.txt", &options, e->profile, 0, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_true(g_str_has_prefix(error->message, "in.txt:2: "));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 0);
}

static void bad_lines_are_counted_and_the_first_is_shown(void **state)
{
	static const char *const bad[] = {
	        "a;b", "a;b -1", "a;b 1e3", "a;b 0x10", "a;b 1.", "a;b .5", "7", "a;b 18446744073709551616", "a;b +1"};
	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		void *fresh;
		set_up(&fresh);
		FoldedSummary summary = {0};
		g_autofree char *text = g_strdup_printf("x 1\n%s\n%s\n", bad[i], bad[i]);
		assert_true(
		        folded_read(text, strlen(text), "test", NULL, ((Example *)fresh)->profile, 0, &summary, NULL));
		assert_int_equal(summary.stack_lines, 1);
		assert_int_equal(summary.bad_lines, 2);
		assert_int_equal(summary.first_bad_line, 2);
		assert_string_equal(summary.first_bad_text, bad[i]);
		folded_summary_clear(&summary);
		tear_down(&fresh);
	}
	(void)state;
}

static void fractions_add_up_before_they_are_rounded(void **state)
{
	Example *e = *state;
	g_autofree char *text = round_trip(e, "a 0.4\na 0.4\na 0.4\nb 1.5\nc 0.001\nd 9007199254740993\n");
	assert_string_equal(text, "a 1\nb 2\nc 1\nd 9007199254740993\n");
}

/* Costs in seconds would all become 1. */
static void small_fractions_are_read_in_smaller_units(void **state)
{
	Example *e = *state;
	const FoldedOptions options = {.columns = 1, .scale_small = TRUE};
	static const char *const texts[] = {"a 0.001\nb 0.4\n", "a 0.000002\n", "a 1000.25\nb 7\n"};
	static const char *const written[] = {"a 0.001\nb 0.4\n", "a 0.000002\n", "a 1000\nb 7\n"};
	static const guint64 scales[] = {1000, 1000000, 1};
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(Profile) profile = profile_new(e->table, "", "counts");
		profile_add_run(profile);
		assert_true(folded_read(texts[i], strlen(texts[i]), "test", &options, profile, 0, NULL, NULL));
		assert_int_equal(profile->scale, scales[i]);
		g_autofree char *text = folded_write(profile, 0, FOLDED_WEIGHT);
		assert_string_equal(text, written[i]);
	}
}

static void texts_of_different_scales_add_up(void **state)
{
	Example *e = *state;
	const FoldedOptions options = {.columns = 1, .scale_small = TRUE};
	static const char *const texts[] = {"a 3\n", "a 1.5\nb 0.25\n", "a 4\n", "b 0.000002\n"};
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		assert_true(folded_read(texts[i], strlen(texts[i]), "test", &options, e->profile, 0, NULL, NULL));
	g_autofree char *text = folded_write(e->profile, 0, FOLDED_WEIGHT);
	assert_string_equal(text, "a 8.5\nb 0.250002\n");
}

static void what_is_no_folded_text_is_refused(void **state)
{
	Example *e = *state;
	static const struct {
		const char *text;
		gsize length;
	} cases[] = {{"", 0}, {"# only a comment\n", 17},
	        {"\xff\xfe"
	         "a\0",
	                4},
	        {"\n\n", 2}, {"no counts\n", 10}};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		assert_false(folded_read(cases[i].text, cases[i].length, "test", NULL, e->profile, 0, NULL, &error));
		assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	}
}

static void suffixes_and_brackets_say_the_kind_of_a_frame(void **state)
{
	Example *e = *state;
	static const struct {
		const char *name;
		FrameKind kind;
	} frames[] = {{"prog", FRAME_COMMAND}, {"f", FRAME_USER}, {"g_[i]", FRAME_INLINED}, {"j_[j]", FRAME_JIT},
	        {"[unknown]", FRAME_SYNTHETIC}, {"sys_read_[k]", FRAME_KERNEL}};
	const char *text = "prog;f;g_[i];j_[j];[unknown];sys_read_[k] 1\n";
	assert_true(folded_read(text, strlen(text), "test", NULL, e->profile, 0, NULL, NULL));
	for (guint i = 0; i < G_N_ELEMENTS(frames); i++) {
		FrameId frame = stack_table_leaf(e->table, (StackId){i + 1});
		assert_string_equal(stack_table_frame_name(e->table, frame), frames[i].name);
		assert_int_equal(stack_table_get_frame(e->table, frame)->kind, frames[i].kind);
	}
}

static void a_module_before_a_backquote_is_read_when_told(void **state)
{
	Example *e = *state;
	const FoldedOptions options = {.columns = 1, .dtrace_names = TRUE, .plain_root = TRUE};
	const char *text = "libc.so`read;f 1\n";
	assert_true(folded_read(text, strlen(text), "test", &options, e->profile, 0, NULL, NULL));
	FrameId frame = stack_table_leaf(e->table, (StackId){1});
	assert_string_equal(stack_table_frame_name(e->table, frame), "read");
	assert_string_equal(stack_table_frame_module(e->table, frame), "libc.so");
}

static void names_are_made_safe_for_the_format(void **state)
{
	Example *e = *state;
	StackId stack = stack_table_push(
	        e->table, STACK_ROOT, stack_table_frame_named(e->table, "a[u8; 8]\n x 42", NULL, FRAME_USER));
	profile_add(e->profile, 0, stack, (ProfileCell){3, 7});
	g_autofree char *weights = folded_write(e->profile, 0, FOLDED_WEIGHT);
	g_autofree char *samples = folded_write(e->profile, FOLDED_ALL_RUNS, FOLDED_SAMPLES);
	assert_string_equal(weights, "a[u8: 8]  x_42 7\n");
	assert_string_equal(samples, "a[u8: 8]  x_42 3\n");
}

static void frames_of_two_modules_with_one_name_share_a_line(void **state)
{
	Example *e = *state;
	FrameId one = stack_table_frame_named(e->table, "f", "one.so", FRAME_USER);
	FrameId two = stack_table_frame_named(e->table, "f", "two.so", FRAME_USER);
	profile_add(e->profile, 0, stack_table_push(e->table, STACK_ROOT, one), (ProfileCell){1, 1});
	profile_add(e->profile, 1, stack_table_push(e->table, STACK_ROOT, two), (ProfileCell){1, 2});
	g_autofree char *text = folded_write(e->profile, FOLDED_ALL_RUNS, FOLDED_WEIGHT);
	assert_string_equal(text, "f 3\n");
}

static void two_profiles_are_written_as_two_columns(void **state)
{
	Example *e = *state;
	g_autoptr(Profile) head = profile_new(e->table, "", "samples");
	profile_add_run(head);
	const char *base_text = "m;gone 40\nm;keep 100\n", *head_text = "m;keep 160\nm;new 5\n";
	assert_true(folded_read(base_text, strlen(base_text), "base", NULL, e->profile, 0, NULL, NULL));
	assert_true(folded_read(head_text, strlen(head_text), "head", NULL, head, 0, NULL, NULL));
	g_autofree char *text = folded_write_diff(e->profile, head, FOLDED_WEIGHT);
	assert_string_equal(text, "m;gone 40 0\nm;keep 100 160\nm;new 0 5\n");
}

static void a_real_file_keeps_its_total_and_its_stacks(void **state)
{
	Example *e = *state;
	g_autofree char *base = shared_fixture("async-profiler/sample1.collapsed");
	g_autofree char *head = shared_fixture("async-profiler/sample2.collapsed");
	FoldedSummary summary = {0};
	assert_true(folded_read_file(base, NULL, e->profile, 0, &summary, NULL));
	assert_int_equal(summary.stack_lines, 17);
	folded_summary_clear(&summary);
	assert_true(folded_read_file(head, NULL, e->profile, 1, NULL, NULL));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 185);
	assert_int_equal(profile_run_total(e->profile, 1).weight, 188);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lines in byte order, however they came. */
static char *sorted_lines(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();
	for (char **line = lines; *line != NULL; line++)
		if (**line != '\0')
			g_ptr_array_add(kept, *line);
	g_ptr_array_sort(kept, compare_lines);
	g_ptr_array_add(kept, NULL);
	g_autofree char *joined = g_strjoinv("\n", (char **)kept->pdata);
	return g_strconcat(joined, "\n", NULL);
}

static void a_pair_of_real_files_gives_the_columns_of_other_tools(void **state)
{
	Example *e = *state;
	g_autofree char *base = shared_fixture("jonhoo-inferno/diff-folded/before.txt");
	g_autofree char *after = shared_fixture("jonhoo-inferno/diff-folded/after.txt");
	g_autofree char *expected = shared_fixture("jonhoo-inferno/diff-folded/results/default.txt");
	g_autoptr(Profile) head = profile_new(e->table, "", "samples");
	g_autofree char *theirs = NULL;
	profile_add_run(head);
	assert_true(folded_read_file(base, NULL, e->profile, 0, NULL, NULL));
	assert_true(folded_read_file(after, NULL, head, 0, NULL, NULL));
	assert_true(g_file_get_contents(expected, &theirs, NULL, NULL));
	g_autofree char *ours = folded_write_diff(e->profile, head, FOLDED_WEIGHT);
	g_autofree char *sorted = sorted_lines(theirs);
	assert_string_equal(ours, sorted);
}

static void one_bad_line_of_a_real_file_is_counted_and_the_others_are_kept(void **state)
{
	Example *e = *state;
	g_autofree char *path = shared_fixture("jonhoo-inferno/diff-folded/bad_before.txt");
	FoldedSummary summary = {0};
	assert_true(folded_read_file(path, NULL, e->profile, 0, &summary, NULL));
	assert_int_equal(summary.bad_lines, 1);
	assert_true(summary.stack_lines > 0);
	folded_summary_clear(&summary);
}

static void two_columns_of_a_real_file_keep_their_totals(void **state)
{
	Example *e = *state;
	g_autofree char *path =
	        shared_fixture("jonhoo-inferno/differential/perf-cycles-instructions-01-collapsed-all-diff.txt");
	const FoldedOptions options = {.columns = 2};
	FoldedSummary summary = {0};
	assert_true(folded_read_file(path, &options, e->profile, 0, &summary, NULL));
	assert_int_equal(summary.stack_lines, 6);
	folded_summary_clear(&summary);
	assert_int_equal(profile_run_total(e->profile, 0).weight, 333);
	assert_int_equal(profile_run_total(e->profile, 1).weight, 513);
}

static void a_missing_file_is_a_storage_error(void **state)
{
	Example *e = *state;
	g_autoptr(GError) error = NULL;
	assert_false(folded_read_file("/nowhere/at/all", NULL, e->profile, 0, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
}

static void names_can_be_written_as_they_are(void **state)
{
	Example *e = *state;
	StackTable *table = e->table;
	StackId stack =
	        stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, " op 3", NULL, FRAME_COMMAND));
	profile_add(e->profile, 0, stack, (ProfileCell){1, 1});
	g_autofree char *escaped = folded_write(e->profile, 0, FOLDED_WEIGHT);
	g_autofree char *as_is = folded_write(e->profile, 0, FOLDED_AS_IS);
	assert_string_equal(escaped, "op_3 1\n");
	assert_string_equal(as_is, " op 3 1\n");
}

static void inlined_frames_can_be_left_out(void **state)
{
	Example *e = *state;
	const char *text = "main;a_[i];b 5\nmain;a_[i] 2\n";
	const FoldedOptions options = {.columns = 1, .no_inline = TRUE};
	assert_true(folded_read(text, strlen(text), "test", &options, e->profile, 0, NULL, NULL));
	g_autofree char *written = folded_write(e->profile, 0, FOLDED_WEIGHT);
	assert_string_equal(written, "main 2\nmain;b 5\n");
}

/* Neighbouring lines share what they begin with, but only whole frames. */
static void beginnings_of_names_are_not_taken_for_frames(void **state)
{
	Example *e = *state;
	const char *text =
	        "a;bc;d 1\na;b;d 2\na;bc 4\na;bcd 8\na 16\na;bc;d;e 32\na;bc;d 64\nab;bc 128\n;;a 256\n;a 512\n";
	g_autofree char *written = round_trip(e, text);
	assert_string_equal(
	        written, "_;_;a 256\n_;a 512\na 16\na;b;d 2\na;bc 4\na;bc;d 65\na;bc;d;e 32\na;bcd 8\nab;bc 128\n");
}

static char *read_lines_of(GPtrArray *lines)
{
	Example *e = NULL;
	g_ptr_array_add(lines, NULL);
	g_autofree char *text = g_strjoinv("\n", (char **)lines->pdata);
	g_ptr_array_remove_index(lines, lines->len - 1);
	set_up((void **)&e);
	char *written = round_trip(e, text);
	tear_down((void **)&e);
	return written;
}

static void the_order_of_lines_does_not_matter(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	for (guint i = 0; i < 3000; i++) {
		GString *line = g_string_new("main");
		for (guint depth = g_rand_int_range(random, 0, 12); depth > 0; depth--)
			g_string_append_printf(line, ";f%d", g_rand_int_range(random, 0, 12));
		g_string_append_printf(line, " %u.5", i);
		g_ptr_array_add(lines, g_string_free(line, FALSE));
	}
	g_autofree char *as_made = read_lines_of(lines);
	g_ptr_array_sort(lines, compare_lines);
	g_autofree char *sorted = read_lines_of(lines);
	assert_string_equal(as_made, sorted);
}

/* Frames of a line are remembered up to a depth only. */
/* One line as it is read, frame after frame. */
static StackId push_line(StackTable *table, const char *line)
{
	g_auto(GStrv) names = g_strsplit(line, ";", -1);
	StackId stack = STACK_ROOT;
	for (guint i = 0; names[i] != NULL; i++) {
		gboolean inlined = g_str_has_suffix(names[i], "_[i]");
		if (i > 0 && inlined)
			continue;
		FrameKind kind = inlined ? FRAME_INLINED : i == 0 ? FRAME_COMMAND : FRAME_USER;
		stack = stack_table_push(table, stack, stack_table_frame_named(table, names[i], NULL, kind));
	}
	return stack;
}

/* Lines wait for each other until their stacks are looked up: neighbours that share some, all or none of their frames,
 * inlined frames that are left out, bad lines between them. */
static void lines_that_are_looked_up_together_stay_what_they_are(void **state)
{
	Example *e = *state;
	static const FoldedOptions options = {.columns = 1, .no_inline = TRUE};
	static const char *const names[] = {"a", "ab", "b", "in_[i]", "a b", ""};
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	GRand *random = g_rand_new_with_seed(3);
	for (guint i = 0; i < 1000; i++) {
		GString *line = g_string_new("x");
		for (gint depth = g_rand_int_range(random, 0, 7); depth > 0; depth--)
			g_string_append_printf(line, ";%s", names[g_rand_int_range(random, 0, 6)]);
		g_string_append_c(line, ';');
		g_string_append(line, i % 2 == 0 ? "even" : "odd");
		g_string_append_printf(text, "%s 1\n%s", line->str, i % 97 == 0 ? "no stack\n" : "");
		g_ptr_array_add(lines, g_string_free(line, FALSE));
	}
	g_rand_free(random);
	assert_true(folded_read(text->str, text->len, "test", &options, e->profile, 0, NULL, NULL));
	for (guint i = 0; i < lines->len; i++)
		profile_add(e->profile, 1, push_line(e->table, lines->pdata[i]), (ProfileCell){1, 1});
	g_autofree char *read = folded_write(e->profile, 0, FOLDED_WEIGHT);
	g_autofree char *wanted = folded_write(e->profile, 1, FOLDED_WEIGHT);
	assert_string_equal(read, wanted);
}

static void very_deep_neighbours_are_told_apart(void **state)
{
	Example *e = *state;
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint line = 0; line < 3; line++) {
		for (guint depth = 0; depth < 10000; depth++)
			g_string_append(text, "r;");
		g_string_append_printf(text, "%c %u\n", "xyx"[line], line + 1);
	}
	assert_true(folded_read(text->str, text->len, "test", NULL, e->profile, 0, NULL, NULL));
	assert_int_equal(stack_table_n_stacks(e->table), 1 + 10000 + 2);
	assert_int_equal(profile_cell(e->profile, 0, (StackId){10001}).weight, 1 + 3);
	assert_int_equal(profile_cell(e->profile, 0, (StackId){10002}).weight, 2);
}

/* Its pages are given back while it is read, also those of the line that is compared with the next. */
static void a_file_of_many_megabytes_keeps_its_total(void **state)
{
	Example *e = *state;
	enum { LINES = 400000 };
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < LINES; i++)
		g_string_append_printf(text,
		        "main;a_function_with_a_long_name;another_function_with_a_long_name;callee;"
		        "a_leaf_with_a_name_that_is_longer_still_%u 3\n",
		        i % 1000);
	g_autofree char *path = g_build_filename(BUILD_DIR, "folded_test.folded", NULL);
	assert_true(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
	assert_true(folded_read_file(path, NULL, e->profile, 0, NULL, NULL));
	g_unlink(path);
	assert_int_equal(profile_run_total(e->profile, 0).weight, 3 * LINES);
	assert_int_equal(stack_table_n_stacks(e->table), 1 + 4 + 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_column_is_read_and_written_sorted),
	        cmocka_unit_test_setup_teardown(names_can_be_written_as_they_are, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_pair_of_real_files_gives_the_columns_of_other_tools, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                one_bad_line_of_a_real_file_is_counted_and_the_others_are_kept, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(two_columns_of_a_real_file_keep_their_totals, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(inlined_frames_can_be_left_out, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(stacks_with_a_common_beginning_share_frames, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_command_at_the_root_is_no_function_of_its_name, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(counts_without_a_sum_are_refused, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_frame_that_ends_in_a_number_is_no_second_column, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(two_columns_are_read_when_told, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_vanished_stack_and_an_empty_head_are_kept, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_line_with_one_number_among_two_columns_is_bad, set_up, tear_down),
	        cmocka_unit_test(bad_lines_are_counted_and_the_first_is_shown),
	        cmocka_unit_test_setup_teardown(fractions_add_up_before_they_are_rounded, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(small_fractions_are_read_in_smaller_units, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(texts_of_different_scales_add_up, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_no_folded_text_is_refused, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(suffixes_and_brackets_say_the_kind_of_a_frame, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_module_before_a_backquote_is_read_when_told, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(names_are_made_safe_for_the_format, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(frames_of_two_modules_with_one_name_share_a_line, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(two_profiles_are_written_as_two_columns, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_real_file_keeps_its_total_and_its_stacks, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_missing_file_is_a_storage_error, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(beginnings_of_names_are_not_taken_for_frames, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                lines_that_are_looked_up_together_stay_what_they_are, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(very_deep_neighbours_are_told_apart, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_file_of_many_megabytes_keeps_its_total, set_up, tear_down),
	        cmocka_unit_test(the_order_of_lines_does_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
