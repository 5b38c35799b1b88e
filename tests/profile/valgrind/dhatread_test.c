/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/dhatread.h"

#include "core/error.h"
#include "tests/profile/readers.h"

#define MALLOC "0x4841: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)"

/* The text as folded stacks; on the table of `profile`. */
static char *read_into(Profile *profile, const char *text, DhatWeight weight, DhatSummary *summary)
{
	const DhatTarget target = {weight, profile, 0};
	g_autoptr(GError) error = NULL;
	if (!dhat_read(text, strlen(text), "test", FALSE, &target, 1, summary, &error))
		fail_msg("%s", error->message);
	return folded_weights(profile);
}

/* A file with the frames, blank-separated paths "BYTES/BLOCKS/PEAK:INDEX,INDEX" and the mode. */
static char *file_with(const char *mode, const char *const *frames, const char *paths)
{
	GString *text = g_string_new("{\"dhatFileVersion\":2\n");
	g_auto(GStrv) list = g_strsplit(paths, " ", -1);
	g_string_append_printf(
	        text, ",\"mode\":\"%s\",\"verb\":\"Allocated\"\n,\"cmd\":\"/bin/prog -x\"\n,\"pid\":42\n", mode);
	g_string_append(text, ",\"pps\":\n [");
	for (guint i = 0; list[i] != NULL; i++) {
		g_auto(GStrv) parts = g_strsplit_set(list[i], "/:", 4);
		g_string_append_printf(text, "%s{\"tb\":%s,\"tbk\":%s,\"tl\":1\n  ,\"gb\":%s,\"gbk\":1,\"fs\":[%s]}\n",
		        i > 0 ? "," : "", parts[0], parts[1], parts[2], parts[3]);
	}
	g_string_append(text, " ]\n,\"ftbl\":\n [\"[root]\"\n");
	for (guint i = 0; frames[i] != NULL; i++) {
		g_autofree char *escaped = g_strescape(frames[i], NULL);
		g_string_append_printf(text, " ,\"%s\"\n", escaped);
	}
	return g_string_free(g_string_append(text, " ]\n}\n"), FALSE);
}

static void assert_reads(const char *const *frames, const char *paths, const char *expected)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *text = file_with("heap", frames, paths);
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded, expected);
}

static void assert_fails(const char *text, FirebreakError code, const char *word)
{
	g_autoptr(Profile) profile = empty_profile();
	const DhatTarget target = {DHAT_BYTES, profile, 0};
	g_autoptr(GError) error = NULL;
	assert_false(dhat_read(text, strlen(text), "test", FALSE, &target, 1, NULL, &error));
	if (!g_error_matches(error, FIREBREAK_ERROR, (gint)code))
		fail_msg("code %d: %s", error->code, error->message);
	if (strstr(error->message, word) == NULL || strstr(error->message, "test") == NULL)
		fail_msg("no \"%s\" in \"%s\"", word, error->message);
	assert_int_equal(profile_run_total(profile, 0).samples, 0);
}

static const char *const plain[] = {MALLOC, "0x1091: work (prog.c:7)", "0x1092: main (prog.c:12)", NULL};

static void paths_are_turned_round_and_end_with_the_allocating_function(void **state)
{
	(void)state;
	assert_reads(plain, "100/2/60:1,2,3 7/1/0:1,3", "main;malloc 7\nmain;work;malloc 100\n");
}

static void each_weight_is_a_profile_of_its_own(void **state)
{
	(void)state;
	g_autofree char *text = file_with("heap", plain, "100/2/60:1,2,3 7/1/0:1,3");
	g_autoptr(Profile) bytes = empty_profile();
	g_autoptr(Profile) blocks = profile_new(bytes->table, "", "");
	g_autoptr(Profile) peak = profile_new(bytes->table, "", "");
	profile_add_run(blocks);
	profile_add_run(peak);
	const DhatTarget targets[] = {{DHAT_BYTES, bytes, 0}, {DHAT_BLOCKS, blocks, 0}, {DHAT_PEAK_BYTES, peak, 0}};
	assert_true(dhat_read(text, strlen(text), "test", FALSE, targets, 3, NULL, NULL));
	g_autofree char *of_bytes = folded_weights(bytes), *of_blocks = folded_weights(blocks);
	g_autofree char *of_peak = folded_weights(peak);
	assert_string_equal(of_bytes, "main;malloc 7\nmain;work;malloc 100\n");
	assert_string_equal(of_blocks, "main;malloc 1\nmain;work;malloc 2\n");
	assert_string_equal(of_peak, "main;work;malloc 60\n");
	assert_int_equal(profile_run_total(peak, 0).samples, 60);
}

static void the_summary_has_sums_command_and_process(void **state)
{
	(void)state;
	DhatSummary summary = {0};
	g_autofree char *text = file_with("heap", plain, "100/2/60:1,2,3 7/1/5:1,3");
	g_autoptr(Profile) profile = empty_profile();
	G_GNUC_UNUSED g_autofree char *folded = read_into(profile, text, DHAT_BYTES, &summary);
	assert_int_equal(summary.bytes, 107);
	assert_int_equal(summary.blocks, 3);
	assert_int_equal(summary.peak_bytes, 65);
	assert_string_equal(summary.command, "/bin/prog -x");
	assert_int_equal(summary.pid, 42);
	dhat_summary_clear(&summary);
}

static void without_targets_only_the_summary_is_made(void **state)
{
	(void)state;
	DhatSummary summary = {0};
	g_autofree char *text = file_with("heap", plain, "100/2/60:1,2,3");
	assert_true(dhat_read(text, strlen(text), "test", TRUE, NULL, 0, &summary, NULL));
	assert_int_equal(summary.bytes, 100);
	dhat_summary_clear(&summary);
}

static void the_command_is_the_root_if_it_is_asked_for(void **state)
{
	(void)state;
	g_autofree char *text = file_with("heap", plain, "100/2/60:1,2,3");
	g_autoptr(Profile) profile = empty_profile();
	const DhatTarget target = {DHAT_BYTES, profile, 0};
	assert_true(dhat_read(text, strlen(text), "test", TRUE, &target, 1, NULL, NULL));
	g_autofree char *folded = folded_weights(profile);
	assert_string_equal(folded, "prog;main;work;malloc 100\n");
	assert_int_equal(frame_named(profile, "prog")->kind, FRAME_COMMAND);
}

static void a_command_is_cut_as_the_kernel_does(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	const DhatTarget target = {DHAT_BYTES, profile, 0};
	static const char text[] = "{\"dhatFileVersion\":2,\"cmd\":\"/bin/a-name-of-17-bytes x\",\"pps\":[{\"tb\":5,"
	                           "\"tbk\":1,\"gb\":0,\"fs\":[1]}],\"ftbl\":[\"[root]\",\"0x1: main (a.c:1)\"]}";
	assert_true(dhat_read(text, sizeof text - 1, "test", TRUE, &target, 1, NULL, NULL));
	g_autofree char *folded = folded_weights(profile);
	assert_string_equal(folded, "a-name-of-17-by;main 5\n");
}

static void functions_of_an_object_file_have_its_name_without_version(void **state)
{
	(void)state;
	static const char *const frames[] = {
	        MALLOC, "0x4b: parse (in /opt/x (y) z/libp.so.1.2)", "0x4c: ??? (in /opt/it's (1))", NULL};
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *text = file_with("heap", frames, "5/1/5:1,2,3");
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded, "[unknown];parse;malloc 5\n");
	const Frame *parse = frame_named(profile, "parse"), *unknown = frame_named(profile, "[unknown]");
	assert_string_equal(stack_table_text(profile->table, parse->module), "libp.so");
	assert_string_equal(stack_table_text(profile->table, unknown->module), "it's (1)");
	assert_int_equal(unknown->kind, FRAME_SYNTHETIC);
}

static void names_have_no_arguments_and_no_suffixes(void **state)
{
	(void)state;
	static const char *const frames[] = {
	        "0x1: operator new[](unsigned long) (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)",
	        "0x2: std::function<void (int)>::operator()(int) const (std_function.h:591)",
	        "0x3: (anonymous namespace)::Foo::run(char const*) (/tmp/a (b)/foo.cc:9)",
	        "0x4: _ZN3geo5solveIdEEvT_.constprop.0 (solve.cc:4)", "0x5: hash_word.part.0 (in /bin/prog)",
	        "0x6: core::iter::{closure#3} (src/main.rs:12:9)",
	        "0x7: std::pair<int, int> std::make<int (*)(int)>(int (*)(int)) (in /bin/prog)", NULL};
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *text = file_with("heap", frames, "5/1/5:1,2,3,4,5,6,7");
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded,
	        "std::make<int (*)(int)>;core::iter::{closure};hash_word;geo::solve<double>;(anonymous "
	        "namespace)::Foo::run;"
	        "std::function<void (int)>::operator();operator new[] 5\n");
	const Frame *run = frame_named(profile, "(anonymous namespace)::Foo::run");
	const Frame *closure = frame_named(profile, "core::iter::{closure}");
	assert_string_equal(stack_table_text(profile->table, run->file), "/tmp/a (b)/foo.cc");
	assert_string_equal(stack_table_text(profile->table, closure->file), "src/main.rs");
}

static void functions_at_one_address_are_inlined_into_the_outermost(void **state)
{
	(void)state;
	static const char *const frames[] = {
	        MALLOC, "0x20: take (a.h:3)", "0x20: grow (a.h:9)", "0x20: work (a.c:3)", "0x30: main (a.c:9)", NULL};
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *text = file_with("heap", frames, "5/1/5:1,2,3,4,5");
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded, "main;work;grow;take;malloc 5\n");
	assert_int_equal(frame_named(profile, "take")->kind, FRAME_INLINED);
	assert_int_equal(frame_named(profile, "grow")->kind, FRAME_INLINED);
	assert_int_equal(frame_named(profile, "work")->kind, FRAME_USER);
	assert_int_equal(frame_named(profile, "main")->kind, FRAME_USER);
}

static void levels_of_recursion_are_not_inlined(void **state)
{
	(void)state;
	static const char *const frames[] = {
	        MALLOC, "0x20: take (a.h:3)", "0x20: deep (a.c:3)", "0x30: main (a.c:9)", NULL};
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *text = file_with("heap", frames, "5/1/5:1,2,3,2,3,3,4");
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded, "main;deep;deep;take;deep;take;malloc 5\n");
	assert_int_equal(frame_named(profile, "deep")->kind, FRAME_USER);
	assert_int_equal(frame_named(profile, "take")->kind, FRAME_INLINED);
}

/* posix_memalign, as valgrind replaces it, calls memalign. */
static void of_replaced_functions_the_one_that_was_called_is_kept(void **state)
{
	(void)state;
	static const char *const frames[] = {"0x1: memalign (in /usr/lib/valgrind/vgpreload_dhat-amd64-linux.so)",
	        "0x2: posix_memalign (in /usr/lib/valgrind/vgpreload_dhat-amd64-linux.so)", "0x3: main (a.c:3)", NULL};
	assert_reads(frames, "5/1/5:1,2,3", "main;posix_memalign 5\n");
}

/* With --show-below-main=yes, valgrind goes on into argc and argv. */
static void what_lies_beyond_the_start_of_the_program_is_no_caller(void **state)
{
	(void)state;
	static const char *const frames[] = {MALLOC, "0x3: main (a.c:3)", "0x4: _start (in /bin/prog)",
	        "0x1FFF0006D7: ???", "0x37: ???", "0x5: clone (clone.S:95)", NULL};
	assert_reads(frames, "5/1/5:1,2,3,4,5", "_start;main;malloc 5\n");
	assert_reads(frames, "5/1/5:1,6,4,5", "clone;malloc 5\n");
}

static void code_without_a_file_between_others_is_unknown(void **state)
{
	(void)state;
	static const char *const frames[] = {MALLOC, "0x4A2B: ???", "0x3: main (a.c:3)", NULL};
	assert_reads(frames, "5/1/5:1,2,3", "main;[unknown];malloc 5\n");
}

static void the_root_of_the_viewer_is_no_frame(void **state)
{
	(void)state;
	assert_reads(plain, "5/1/5:1,3,0 6/1/1:", "[unknown] 6\nmain;malloc 5\n");
}

/* --- frames shared with another profile */

static FrameId known_frame(Profile *profile, const char *name, const char *module, const char *file)
{
	StackTable *table = profile->table;
	const Frame frame = {.name = stack_table_name(table, name, -1),
	        .module = stack_table_name(table, module, -1),
	        .file = stack_table_name(table, file, -1),
	        .kind = FRAME_USER};
	return stack_table_frame(table, &frame);
}

static void a_function_with_a_source_line_is_the_one_of_that_file_in_the_table(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	known_frame(profile, "work", "libother.so", "other.c");
	known_frame(profile, "work", "prog", "src/prog.c");
	known_frame(profile, "main", "prog", "elsewhere.c");
	known_frame(profile, "malloc", "libc.so", "malloc.c");
	guint n_frames = stack_table_n_frames(profile->table);
	g_autofree char *text = file_with("heap", plain, "5/1/5:1,2,3");
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded, "main;work;malloc 5\n");
	assert_int_equal(stack_table_n_frames(profile->table), n_frames);
	StackId leaf = {stack_table_n_stacks(profile->table) - 1};
	FrameId work = stack_table_leaf(profile->table, stack_table_parent(profile->table, leaf));
	assert_string_equal(stack_table_frame_module(profile->table, work), "prog");
}

static void a_function_that_nobody_knows_has_no_module(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *text = file_with("heap", plain, "5/1/5:1,2,3");
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded, "main;work;malloc 5\n");
	assert_int_equal(frame_named(profile, "work")->module.index, 0);
	assert_string_equal(stack_table_text(profile->table, frame_named(profile, "work")->file), "prog.c");
	assert_int_equal(frame_named(profile, "malloc")->module.index, 0);
}

static const char *const inlining[] = {MALLOC, "0x20: Box (box.h:3)", "0x20: main (a.cc:3)", NULL};

static void an_inlined_function_gets_its_whole_name_from_the_table(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	known_frame(profile, "main", "prog", "a.cc");
	known_frame(profile, "geo::Box<double>::Box", "prog", "include/box.h");
	known_frame(profile, "geo::Box<int>::Box", "libother.so", "include/box.h");
	known_frame(profile, "Box", "prog", "other.h");
	g_autofree char *text = file_with("heap", inlining, "5/1/5:1,2,3");
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded, "main;geo::Box<double>::Box;malloc 5\n");
}

static void an_inlined_name_that_fits_two_functions_stays_as_it_is(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	known_frame(profile, "main", "prog", "a.cc");
	known_frame(profile, "geo::Box<double>::Box", "prog", "box.h");
	known_frame(profile, "geo::Box<int>::Box", "prog", "box.h");
	g_autofree char *text = file_with("heap", inlining, "5/1/5:1,2,3");
	g_autofree char *once = read_into(profile, text, DHAT_BYTES, NULL);
	g_autofree char *twice = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(once, "main;Box;malloc 5\n");
	assert_string_equal(twice, "main;Box;malloc 10\n");
	assert_string_equal(stack_table_text(profile->table, frame_named(profile, "Box")->module), "prog");
}

/* --- other files */

static void dhat_for_rust_is_read_too(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *text = file_with("rust-heap", plain, "5/1/5:1,3");
	g_autofree char *folded = read_into(profile, text, DHAT_BYTES, NULL);
	assert_string_equal(folded, "main;malloc 5\n");
}

static void other_modes_are_refused(void **state)
{
	(void)state;
	g_autofree char *copies = file_with("copy", plain, "5/1/5:1,3");
	g_autofree char *events = file_with("ad-hoc", plain, "5/1/5:1,3");
	assert_fails(copies, FIREBREAK_ERROR_USAGE, "copy");
	assert_fails(events, FIREBREAK_ERROR_USAGE, "ad-hoc");
}

static void the_first_version_has_no_mode(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *folded = read_into(profile,
	        "{\"dhatFileVersion\":1,\"cmd\":\"p\",\"pid\":1,\"pps\":[{\"tb\":5,\"tbk\":1,\"gb\":0,\"fs\":[1]}],"
	        "\"ftbl\":[\"[root]\",\"0x1: main (a.c:1)\"]}",
	        DHAT_BYTES, NULL);
	assert_string_equal(folded, "main 5\n");
}

static void other_texts_and_versions_are_refused(void **state)
{
	(void)state;
	assert_fails("", FIREBREAK_ERROR_USAGE, "no file of DHAT");
	assert_fails("events: Ir\n", FIREBREAK_ERROR_USAGE, "no file of DHAT");
	assert_fails("{\"shared\":1}", FIREBREAK_ERROR_USAGE, "no file of DHAT");
	assert_fails("{\"x\":\"\",\"y\":{\"dhatFileVersion\":2}}", FIREBREAK_ERROR_USAGE, "no dhatFileVersion");
	assert_fails("{\"dhatFileVersion\":3}", FIREBREAK_ERROR_USAGE, "version 3");
	assert_fails("{\"dhatFileVersion\":0}", FIREBREAK_ERROR_USAGE, "version 0");
}

/* Five million empty objects, which would take the memory of a gigabyte. */
static void a_text_of_too_many_values_is_refused(void **state)
{
	(void)state;
	g_autoptr(GString) text = g_string_new("{\"dhatFileVersion\":2,\"zz\":[{}");
	for (guint i = 0; i < 5000000; i++)
		g_string_append(text, ",{}");
	g_string_append(text, "]}");
	assert_fails(text->str, FIREBREAK_ERROR_USAGE, "too many values");
}

static void a_text_that_is_cut_off_is_damaged_wherever_it_ends(void **state)
{
	(void)state;
	g_autofree char *text = file_with("heap", plain, "100/2/60:1,2,3 7/1/5:1,3");
	gsize whole = strlen(text) - 1; /* the newline at the end is not needed */
	for (gsize length = strlen("{\"dhatFileVersion\""); length < whole; length++) {
		g_autofree char *cut = g_strndup(text, length);
		assert_fails(cut, FIREBREAK_ERROR_INVALID, "cut off");
	}
}

#define HEAD "{\"dhatFileVersion\":2,\"mode\":\"heap\","
#define TABLE "\"ftbl\":[\"[root]\",\"0x1: main (a.c:1)\"]}"

static void sizes_and_indexes_are_checked(void **state)
{
	(void)state;
	static const char *const damages[] = {
	        HEAD TABLE,
	        HEAD "\"pps\":[]}",
	        HEAD "\"pps\":{}," TABLE,
	        HEAD "\"pps\":[],\"ftbl\":[1]}",
	        HEAD "\"pps\":[7]," TABLE,
	        HEAD "\"pps\":[{\"tb\":1,\"tbk\":1,\"gb\":1}]," TABLE,
	        HEAD "\"pps\":[{\"tb\":1,\"tbk\":1,\"fs\":[1]}]," TABLE,
	        HEAD "\"pps\":[{\"tb\":-1,\"tbk\":1,\"gb\":1,\"fs\":[1]}]," TABLE,
	        HEAD "\"pps\":[{\"tb\":1.5,\"tbk\":1,\"gb\":1,\"fs\":[1]}]," TABLE,
	        HEAD "\"pps\":[{\"tb\":1,\"tbk\":1,\"gb\":1,\"fs\":[2]}]," TABLE,
	        HEAD "\"pps\":[{\"tb\":1,\"tbk\":1,\"gb\":1,\"fs\":[-1]}]," TABLE,
	        HEAD "\"pps\":[{\"tb\":1,\"tbk\":1,\"gb\":1,\"fs\":[\"1\"]}]," TABLE,
	        HEAD "\"pps\":[{\"tb\":99999999999999999999,\"tbk\":1,\"gb\":1,\"fs\":[1]}]," TABLE,
	};
	for (guint i = 0; i < G_N_ELEMENTS(damages); i++)
		assert_fails(damages[i], FIREBREAK_ERROR_INVALID, "damaged");
}

static void sums_that_are_too_large_are_damage(void **state)
{
	(void)state;
	g_autofree char *text = file_with(
	        "heap", plain, "9223372036854775807/1/0:1 9223372036854775807/1/0:2 9223372036854775807/1/0:3");
	assert_fails(text, FIREBREAK_ERROR_INVALID, "damaged");
}

/* An argument of the command need not be UTF-8, and valgrind writes it as it is. */
static void bytes_that_are_no_utf_8_do_not_hinder(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *folded = read_into(profile,
	        HEAD "\"cmd\":\"sh -c \xff\",\"pps\":[{\"tb\":5,\"tbk\":1,\"gb\":0,\"fs\":[1]}]," TABLE, DHAT_BYTES,
	        NULL);
	assert_string_equal(folded, "main 5\n");
}

static void the_beginning_tells_the_format(void **state)
{
	(void)state;
	static const char text[] = "\n {\"dhatFileVersion\":2\n,\"mode\"";
	assert_true(dhat_detect(text, sizeof text - 1));
	assert_false(dhat_detect("", 0));
	assert_false(dhat_detect("[\"dhatFileVersion\"]", 19));
	assert_false(dhat_detect("{\"schema\": \"firebreak-report-1\"}", 32));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(paths_are_turned_round_and_end_with_the_allocating_function),
	        cmocka_unit_test(each_weight_is_a_profile_of_its_own),
	        cmocka_unit_test(the_summary_has_sums_command_and_process),
	        cmocka_unit_test(without_targets_only_the_summary_is_made),
	        cmocka_unit_test(the_command_is_the_root_if_it_is_asked_for),
	        cmocka_unit_test(a_command_is_cut_as_the_kernel_does),
	        cmocka_unit_test(functions_of_an_object_file_have_its_name_without_version),
	        cmocka_unit_test(names_have_no_arguments_and_no_suffixes),
	        cmocka_unit_test(functions_at_one_address_are_inlined_into_the_outermost),
	        cmocka_unit_test(levels_of_recursion_are_not_inlined),
	        cmocka_unit_test(of_replaced_functions_the_one_that_was_called_is_kept),
	        cmocka_unit_test(what_lies_beyond_the_start_of_the_program_is_no_caller),
	        cmocka_unit_test(code_without_a_file_between_others_is_unknown),
	        cmocka_unit_test(the_root_of_the_viewer_is_no_frame),
	        cmocka_unit_test(a_function_with_a_source_line_is_the_one_of_that_file_in_the_table),
	        cmocka_unit_test(a_function_that_nobody_knows_has_no_module),
	        cmocka_unit_test(an_inlined_function_gets_its_whole_name_from_the_table),
	        cmocka_unit_test(an_inlined_name_that_fits_two_functions_stays_as_it_is),
	        cmocka_unit_test(dhat_for_rust_is_read_too),
	        cmocka_unit_test(other_modes_are_refused),
	        cmocka_unit_test(the_first_version_has_no_mode),
	        cmocka_unit_test(other_texts_and_versions_are_refused),
	        cmocka_unit_test(a_text_of_too_many_values_is_refused),
	        cmocka_unit_test(a_text_that_is_cut_off_is_damaged_wherever_it_ends),
	        cmocka_unit_test(sizes_and_indexes_are_checked),
	        cmocka_unit_test(sums_that_are_too_large_are_damage),
	        cmocka_unit_test(bytes_that_are_no_utf_8_do_not_hinder),
	        cmocka_unit_test(the_beginning_tells_the_format),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
