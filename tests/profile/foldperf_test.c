#include "profile/foldperf.h"

#include "compiled.h"
#include "core/error.h"
#include "perfwriter.h"
#include "profile/folded.h"
#include "profile/perfdata.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MAPPED_AT G_GUINT64_CONSTANT(0x400000000)
#define USER PERF_DATA_MARKER_USER
#define KERNEL PERF_DATA_MARKER_KERNEL

static const char source[] = "volatile unsigned long sink;\n"
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

static int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->folder = new_folder();
	e->program = compile(e->folder, "gcc", "-g -O2 -fno-omit-frame-pointer", "example.c", source, "prog");
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
		put_mmap(&e->writer, 7, 2, MAPPED_AT, 0x100000, 0, e->program);
	*state = e;
	return 0;
}

static int tear_down(void **state)
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

static void need_program(const Example *e)
{
	if (e->program != NULL && have_program("readelf"))
		return;
	print_message("skipped: no working gcc and readelf\n");
	skip();
}

static void add_sample(Example *e, guint64 time_ns, const guint64 *chain, guint chain_length)
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

static gboolean add_recording(
        Example *e, PerfFold *fold, const PerfFoldOptions *options, RunQuality *quality, GError **error)
{
	g_autoptr(GByteArray) file = perf_writer_file(&e->writer);
	g_autofree char *path = write_temporary(file, file->len);
	gboolean ok = perf_fold_add(fold, path, e->profile, 0, options, quality, error);
	g_unlink(path);
	return ok;
}

/* The recording as folded text; owned by the caller. */
static char *fold_to_text(Example *e, const PerfFoldOptions *options, RunQuality *quality)
{
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	g_autoptr(GError) error = NULL;
	assert_true(add_recording(e, fold, options, quality, &error));
	assert_true(perf_fold_finish(fold, NULL, &error));
	return folded_write(e->profile, 0, FOLDED_WEIGHT);
}

static void stacks_are_named_from_the_command_to_the_leaf(void **state)
{
	Example *e = *state;
	RunQuality quality;
	need_program(e);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->middle + 1, e->main_function + 1);
	ADD_SAMPLE(e, 20, USER, e->middle, e->main_function + 1);
	ADD_SAMPLE(e, 30, USER, e->main_function);
	g_autofree char *text = fold_to_text(e, NULL, &quality);
	assert_string_equal(text, "my_prog;main 10\nmy_prog;main;middle 10\nmy_prog;main;middle;leaf 10\n");
	assert_int_equal(quality.samples, 3);
	assert_int_equal(quality.weight_total, 30);
	assert_int_equal(quality.depth1, 1);
	assert_int_equal(quality.unknown_leaf, 0);
	assert_string_equal(e->profile->event, "cpu-clock:u");
	assert_string_equal(e->profile->unit, "ns");
}

static void a_return_address_belongs_to_the_call_before_it(void **state)
{
	Example *e = *state;
	need_program(e);
	/* the address behind the last byte of middle, as after a call that does not return */
	guint64 end = e->middle + find_function(e->program, "middle").size;
	ADD_SAMPLE(e, 10, USER, e->leaf, end);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;middle;leaf 10\n");
}

static void what_lies_beyond_the_root_is_cut(void **state)
{
	Example *e = *state;
	RunQuality quality;
	need_program(e);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->main_function + 1, 0x1e00000000, 0);
	ADD_SAMPLE(e, 20, USER, e->leaf, e->start + 1, MAPPED_AT + 1);
	ADD_SAMPLE(e, 30, USER, 0x99);
	g_autofree char *text = fold_to_text(e, NULL, &quality);
	assert_string_equal(text, "my_prog;[unknown] 10\nmy_prog;_start;leaf 10\nmy_prog;main;leaf 10\n");
	assert_int_equal(quality.unknown_leaf, 1);
}

static void an_unknown_frame_keeps_its_module(void **state)
{
	Example *e = *state;
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	put_mmap(&e->writer, 7, 3, 0x1000, 0x1000, 0, "/nowhere/libgone.so");
	ADD_SAMPLE(e, 10, USER, 0x1010);
	assert_true(add_recording(e, fold, NULL, NULL, NULL));
	assert_true(perf_fold_finish(fold, findings, NULL));
	FrameId leaf = stack_table_leaf(e->table, (StackId){stack_table_n_stacks(e->table) - 1});
	assert_string_equal(stack_table_frame_name(e->table, leaf), "[unknown]");
	assert_string_equal(stack_table_frame_module(e->table, leaf), "libgone.so");
	assert_true(finding_has(findings, "module_not_readable"));
	assert_true(finding_has(findings, "unknown_functions"));
}

static void the_kernel_is_one_frame(void **state)
{
	Example *e = *state;
	need_program(e);
	const guint64 chain[] = {KERNEL, 0xffffffff81000010, 0xffffffff81000020, USER, e->leaf, e->main_function + 1};
	put_sample(&e->writer,
	        &(WrittenSample){
	                .pid = 7, .time_ns = 10, .period = 10, .in_kernel = TRUE, .chain = chain, .chain_length = 6});
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;main;leaf;[kernel] 10\n");
}

static void samples_of_the_launcher_are_dropped(void **state)
{
	Example *e = *state;
	RunQuality quality;
	const char *const launchers[] = {"spawner", NULL};
	const PerfFoldOptions options = {.launchers = launchers};
	need_program(e);
	put_comm(&e->writer, 8, 1, "perf-exec", FALSE);
	put_comm(&e->writer, 9, 1, "spawner", FALSE);
	const guint64 chain[] = {USER, e->leaf};
	for (gint32 pid = 7; pid <= 9; pid++)
		put_sample(&e->writer,
		        &(WrittenSample){.pid = pid, .time_ns = 5, .period = 10, .chain = chain, .chain_length = 2});
	g_autofree char *text = fold_to_text(e, &options, &quality);
	assert_string_equal(text, "my_prog;leaf 10\n");
	assert_int_equal(quality.dropped, 2);
	assert_int_equal(quality.samples, 1);
}

static void recursion_is_kept(void **state)
{
	Example *e = *state;
	need_program(e);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->middle + 1, e->middle + 1, e->main_function + 1);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;main;middle;middle;leaf 10\n");
}

static void the_caller_of_a_function_without_frame_comes_from_its_hint(void **state)
{
	Example *e = *state;
	need_program(e);
#ifndef __x86_64__
	print_message("skipped: leaf callers are found on x86-64 only\n");
	skip();
#endif
	/* at its first instruction, a function's return address is on top of the stack */
	put_hint(&e->writer, 0, e->middle + 1);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->main_function + 1);
	/* a walk that did find the caller is left as it is */
	put_hint(&e->writer, 0, e->middle + 1);
	ADD_SAMPLE(e, 20, USER, e->leaf, e->middle + 1, e->main_function + 1);
	/* a word that points nowhere is no caller */
	put_hint(&e->writer, 0, 0x12345);
	ADD_SAMPLE(e, 30, USER, e->leaf, e->main_function + 1);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;main;leaf 10\nmy_prog;main;middle;leaf 20\n");
}

static void two_folders_with_one_program_give_the_same_frames(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autofree char *other_folder = new_folder();
	g_autofree char *other =
	        compile(other_folder, "gcc", "-g -O2 -fno-omit-frame-pointer", "example.c", source, "prog");
	const char *const prefixes[] = {e->folder, other_folder, NULL};
	const PerfFoldOptions options = {.strip_prefixes = prefixes};
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->middle + 1, e->main_function + 1);
	assert_true(add_recording(e, fold, &options, NULL, NULL));
	perf_writer_clear(&e->writer);
	perf_writer_init(&e->writer, 1);
	put_comm(&e->writer, 7, 1, "my prog", TRUE);
	put_mmap(&e->writer, 7, 2, MAPPED_AT, 0x100000, 0, other);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->middle + 1, e->main_function + 1);
	assert_true(add_recording(e, fold, &options, NULL, NULL));
	assert_true(perf_fold_finish(fold, NULL, NULL));
	remove_folder(other_folder);
	g_autofree char *text = folded_write(e->profile, 0, FOLDED_SAMPLES);
	assert_string_equal(text, "my_prog;main;middle;leaf 2\n");
	assert_int_equal(stack_table_n_stacks(e->table), 5);
	const Frame *leaf = stack_table_get_frame(e->table, stack_table_leaf(e->table, (StackId){4}));
	assert_string_equal(stack_table_text(e->table, leaf->file), "example.c");
	assert_int_equal(leaf->line, 2);
}

static void one_of_several_events_must_be_chosen(void **state)
{
	Example *e = *state;
	const guint64 chain[] = {USER, 0x99};
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	g_autoptr(GError) error = NULL;
	RunQuality quality;
	perf_writer_clear(&e->writer);
	perf_writer_init(&e->writer, 2);
	for (guint event = 0; event < 2; event++)
		put_sample(&e->writer,
		        &(WrittenSample){
		                .time_ns = 1, .period = 3 + event, .event = event, .chain = chain, .chain_length = 2});
	assert_false(add_recording(e, fold, NULL, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_non_null(strstr(error->message, "task-clock:u"));
	g_clear_error(&error);
	assert_false(add_recording(e, fold, &(PerfFoldOptions){.event = "cycles"}, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_true(add_recording(e, fold, &(PerfFoldOptions){.event = "task-clock"}, &quality, NULL));
	assert_int_equal(quality.weight_total, 4);
	/* the same profile cannot take the other event then */
	g_clear_error(&error);
	assert_false(add_recording(e, fold, &(PerfFoldOptions){.event = "cpu-clock"}, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_true(perf_fold_finish(fold, NULL, NULL));
	assert_int_equal(profile_run_total(e->profile, 0).weight, 4);
}

static void a_recording_that_cannot_be_read_leaves_the_profile_alone(void **state)
{
	Example *e = *state;
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	g_autoptr(GError) error = NULL;
	ADD_SAMPLE(e, 10, USER, 0x99);
	g_autoptr(GByteArray) file = perf_writer_file(&e->writer);
	g_autofree char *path = write_temporary(file, file->len - 8);
	assert_false(perf_fold_add(fold, path, e->profile, 0, NULL, NULL, &error));
	g_unlink(path);
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_true(perf_fold_finish(fold, NULL, NULL));
	assert_int_equal(profile_run_total(e->profile, 0).samples, 0);
}

/* Percent of a run's weight whose leaf is the function. */
static double leaf_percent(const Profile *profile, const char *name)
{
	guint n_frames;
	g_autofree ProfileCell *self = profile_self_by_frame(profile, &n_frames);
	guint64 weight = 0;
	for (guint i = 0; i < n_frames; i++)
		if (g_str_equal(stack_table_frame_name(profile->table, (FrameId){i}), name))
			weight += self[i].weight;
	return 100 * (double)weight / (double)profile_run_total(profile, 0).weight;
}

static void a_program_of_known_shares_has_them_in_a_recording_of_perf(void **state)
{
	Example *e = *state;
	const char *shared = getenv("FIREBREAK_SHARED");
	g_autofree char *text_path = g_build_filename(
	        shared != NULL ? shared : SOURCE_DIR "/../shared", "accept", "program", "shares.c", NULL);
	g_autofree char *text = NULL;
	g_autofree char *data = g_build_filename(e->folder, "perf.data", NULL);
	if (!have_program("perf") || !g_file_get_contents(text_path, &text, NULL, NULL)) {
		print_message("skipped: no perf, or no %s\n", text_path);
		/* skip() does not return, so nothing is cleaned up by itself */
		g_free(g_steal_pointer(&text_path));
		g_free(g_steal_pointer(&data));
		skip();
	}
	g_autofree char *program =
	        compile(e->folder, "gcc", "-g -O2 -fno-omit-frame-pointer -pthread", "shares.c", text, "shares");
	const char *const record[] = {"perf", "record", "-q", "-e", "cpu-clock", "-F", "1999", "--call-graph", "fp",
	        "-o", data, "--", program, "2000", "flat", NULL};
	if (program == NULL || !run_command(record, NULL)) {
		print_message("skipped: perf cannot record here\n");
		g_free(g_steal_pointer(&text_path));
		g_free(g_steal_pointer(&text));
		g_free(g_steal_pointer(&data));
		g_free(g_steal_pointer(&program));
		skip();
	}
	RunQuality quality;
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	g_autoptr(GError) error = NULL;
	gboolean is_read = perf_fold_add(fold, data, e->profile, 0, NULL, &quality, &error);
	assert_string_equal(is_read ? "" : error->message, "");
	assert_true(perf_fold_finish(fold, NULL, NULL));
	static const struct {
		const char *name;
		double percent;
	} shares[] = {{"alpha", 50}, {"beta_core", 30}, {"gamma_", 20}};
	for (guint i = 0; i < G_N_ELEMENTS(shares); i++)
		assert_true(ABS(leaf_percent(e->profile, shares[i].name) - shares[i].percent) < 6);
	assert_true(quality.samples > 100);
	assert_int_equal(profile_run_total(e->profile, 0).samples, quality.samples);
	g_autofree char *folded = folded_write(e->profile, 0, FOLDED_SAMPLES);
	assert_non_null(strstr(folded, "main;"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(stacks_are_named_from_the_command_to_the_leaf, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_return_address_belongs_to_the_call_before_it, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_lies_beyond_the_root_is_cut, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(an_unknown_frame_keeps_its_module, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_kernel_is_one_frame, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(samples_of_the_launcher_are_dropped, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(recursion_is_kept, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                the_caller_of_a_function_without_frame_comes_from_its_hint, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(two_folders_with_one_program_give_the_same_frames, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(one_of_several_events_must_be_chosen, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_recording_that_cannot_be_read_leaves_the_profile_alone, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_program_of_known_shares_has_them_in_a_recording_of_perf, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
