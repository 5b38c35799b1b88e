/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/foldperf.h"

#include "core/error.h"
#include "model/stacknote.h"
#include "tests/profile/foldexample.h"
#include "tests/profile/sharedfile.h"

#include <linux/perf_event.h>

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

/* As the text of perf script folds; see profile/fold/foldperf.h. */
static void what_was_recorded_can_be_shown_whole(void **state)
{
	Example *e = *state;
	RunQuality quality;
	need_program(e);
	put_mmap(&e->writer, 7, 3, 0x1000, 0x1000, 0, "/nowhere/libgone.so.1.2");
	put_mmap(&e->writer, 7, 3, 0x5000, 0x1000, 0, "//anon");
	put_comm(&e->writer, 8, 3, "perf-exec", FALSE);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->main_function + 1, 0x1e00000000, 0);
	ADD_SAMPLE(e, 20, USER, 0x1010, 0x1021, 0x5001);
	const guint64 chain[] = {USER, e->leaf};
	const gint32 others[] = {8, 0, 9};
	for (guint i = 0; i < G_N_ELEMENTS(others); i++)
		put_sample(&e->writer, &(WrittenSample){.pid = others[i],
		                               .time_ns = 30,
		                               .period = 1,
		                               .chain = chain,
		                               .chain_length = G_N_ELEMENTS(chain)});
	g_autofree char *text = fold_to_text(e, &(PerfFoldOptions){.as_recorded = TRUE}, &quality);
	assert_string_equal(text, ":9;[unknown] 1\n"
	                          "my_prog;[anon];[libgone.so.1.2];[libgone.so.1.2] 10\n"
	                          "my_prog;[unknown];[unknown];main;leaf 10\n"
	                          "perf-exec;[unknown] 1\n"
	                          "swapper;[unknown] 1\n");
	assert_int_equal(quality.dropped, 0);
}

static void what_has_no_name_can_be_shown_with_its_address(void **state)
{
	Example *e = *state;
	put_mmap(&e->writer, 7, 3, 0x1000, 0x1000, 0x3000, "/nowhere/libgone.so.1.2");
	ADD_SAMPLE(e, 20, USER, 0x1010, 0x1021, 0x99);
	const PerfFoldOptions options = {.as_recorded = TRUE, .addresses = TRUE};
	g_autofree char *text = fold_to_text(e, &options, NULL);
	assert_string_equal(text, "my_prog;[unknown <98>];[libgone.so.1.2 <3020>];[libgone.so.1.2 <3010>] 10\n");
}

static void notes_stand_behind_commands_and_functions(void **state)
{
	Example *e = *state;
	put_mmap(&e->writer, 7, 3, 0x1000, 0x1000, 0x3000, "/nowhere/libgone.so.1.2");
	ADD_SAMPLE(e, 20, USER, 0x1010, 0x1021, 0x99);
	const guint all = NOTES_OF_COMMAND | NOTES_OF_FUNCTION;
	g_autofree char *text = fold_to_text(e, &(PerfFoldOptions){.as_recorded = TRUE, .notes = all}, NULL);
	assert_string_equal(
	        text, "my_prog;7;7;_;[unknown];_;_;[libgone.so.1.2];0x3020;_;[libgone.so.1.2];0x3010;_ 10\n");
}

static void a_line_is_noted_of_every_frame_that_has_one(void **state)
{
	Example *e = *state;
	need_program(e);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->main_function + 1);
	const PerfFoldOptions options = {.as_recorded = TRUE, .notes = 1u << NOTE_LINE};
	g_autofree char *text = fold_to_text(e, &options, NULL);
	g_autoptr(GRegex) wanted = g_regex_new("^my_prog;main;[^;]+:[0-9]+;leaf;[^;]+:[0-9]+ 10\n$", 0, 0, NULL);
	if (!g_regex_match(wanted, text, 0, NULL))
		fail_msg("%s", text);
}

static void code_of_the_kernel_without_a_name_is_called_after_its_module(void **state)
{
	Example *e = *state;
	put_machine(&e->writer, "s390x"); /* so that its kernel is not this one */
	put_mmap(&e->writer, -1, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text");
	put_mmap(&e->writer, -1, 0, 0xffffffffa0000000, 0x10000, 0, "/lib/modules/6.1/kernel/fs/my-fs.ko");
	ADD_SAMPLE(e, 20, KERNEL, 0xffffffff81000010, 0xffffffffa0000020, 0xffffffff81000030);
	const PerfFoldOptions options = {.as_recorded = TRUE, .kernel = TRUE};
	g_autofree char *text = fold_to_text(e, &options, NULL);
	assert_string_equal(text, "my_prog;[kernel.kallsyms];[my_fs];[kernel.kallsyms] 10\n");
}

static void the_idle_task_has_its_name(void **state)
{
	Example *e = *state;
	const guint64 chain[] = {KERNEL, 0xffffffff81000010};
	put_sample(&e->writer, &(WrittenSample){.pid = 0,
	                               .time_ns = 30,
	                               .period = 1,
	                               .in_kernel = TRUE,
	                               .chain = chain,
	                               .chain_length = G_N_ELEMENTS(chain)});
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "swapper;[kernel] 1\n");
}

/* Linux 3.12 to 3.15, and RHEL 7, wrote no protection and flags. */
static void maps_of_old_kernels_have_their_whole_path(void **state)
{
	Example *e = *state;
	put_mmap2(&e->writer, 7, 3, 0x1000, "/usr/lib64/libold.so", FALSE);
	put_mmap2(&e->writer, 7, 3, 0x2000, "/usr/lib64/libnew.so", TRUE);
	put_mmap2(&e->writer, 7, 3, 0x3000, "[heap]", FALSE);
	ADD_SAMPLE(e, 20, USER, 0x1010, 0x2021, 0x3031);
	g_autofree char *text = fold_to_text(e, &(PerfFoldOptions){.as_recorded = TRUE}, NULL);
	assert_string_equal(text, "my_prog;[heap];[libnew.so];[libold.so] 10\n");
}

static void a_return_address_belongs_to_the_call_before_it(void **state)
{
	Example *e = *state;
	need_program(e);
	/* the address after the last byte of middle, as after a call that does not return */
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

/* A single frame in user code, or a root in no module; a root without a name is a root. */
static void chains_that_lost_their_callers_are_counted(void **state)
{
	Example *e = *state;
	RunQuality quality;
	need_program(e);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->main_function + 1);
	ADD_SAMPLE(e, 20, USER, e->leaf);
	put_mmap(&e->writer, 7, 25, 0x1000, 0x1000, 0, "/nowhere/stripped");
	ADD_SAMPLE(e, 30, USER, e->leaf, 0x1010);
	G_GNUC_UNUSED g_autofree char *text = fold_to_text(e, NULL, &quality);
	assert_int_equal(quality.samples, 3);
	assert_int_equal(quality.rootless, 1);
	assert_int_equal(quality.without_chain, 0);
	assert_int_equal(quality.incomplete, 0);
}

static void samples_without_chains_are_no_broken_ones(void **state)
{
	Example *e = *state;
	RunQuality quality;
	need_program(e);
	e->writer.sample_type &= ~(guint64)PERF_SAMPLE_CALLCHAIN;
	ADD_SAMPLE(e, 10, USER, e->leaf);
	G_GNUC_UNUSED g_autofree char *text = fold_to_text(e, NULL, &quality);
	assert_int_equal(quality.without_chain, 1);
	assert_int_equal(quality.rootless, 0);
}

/* Longer chains than the kernel makes were completed by a recorder. */
static void only_chains_as_the_kernel_cuts_them_count_as_truncated(void **state)
{
	Example *e = *state;
	RunQuality quality;
	guint64 chain[200] = {PERF_DATA_MARKER_USER};
	need_program(e);
	for (guint i = 1; i < G_N_ELEMENTS(chain); i++)
		chain[i] = e->main_function + 1;
	put_sample(&e->writer,
	        &(WrittenSample){.pid = 7, .time_ns = 10, .period = 1, .chain = chain, .chain_length = 128});
	put_sample(&e->writer,
	        &(WrittenSample){.pid = 7, .time_ns = 20, .period = 1, .chain = chain, .chain_length = 200});
	G_GNUC_UNUSED g_autofree char *text = fold_to_text(e, NULL, &quality);
	assert_int_equal(quality.samples, 2);
	assert_int_equal(quality.truncated_chains, 1);
	assert_int_equal(quality.rootless, 0);
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

/* A second event with many named samples must not thin out the gaps of the first. */
static void shares_in_findings_are_of_one_event_each(void **state)
{
	Example *e = *state;
	Profile *named = e->profile;
	need_program(e);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	e->profile = profile_new(e->table, "off-cpu", "ns");
	profile_add_run(e->profile);
	for (guint i = 0; i < 9; i++)
		ADD_SAMPLE(e, 10 + i, USER, e->leaf, e->middle + 1, e->main_function + 1);
	assert_true(add_recording(e, fold, NULL, NULL, NULL));
	perf_writer_clear(&e->writer);
	perf_writer_init(&e->writer, 1);
	put_comm(&e->writer, 7, 1, "my prog", TRUE);
	ADD_SAMPLE(e, 20, USER, 0x1010);
	G_GNUC_UNUSED g_autoptr(Profile) off_cpu = e->profile;
	e->profile = named;
	assert_true(add_recording(e, fold, NULL, NULL, NULL));
	assert_true(perf_fold_finish(fold, findings, NULL));
	assert_int_equal(finding_count(findings), 1);
	assert_string_equal(finding_get(findings, 0)->text,
	        "100 % of the samples of cpu-clock:u are in functions without a name; build with symbols");
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

/* A head could hide what it does under the name of the launcher. */
static void a_program_that_takes_the_name_of_a_launcher_is_not_dropped(void **state)
{
	Example *e = *state;
	RunQuality quality;
	const char *const launchers[] = {"spawner", NULL};
	const PerfFoldOptions options = {.launchers = launchers};
	need_program(e);
	put_fork(&e->writer, 8, 7, 2);
	put_comm(&e->writer, 7, 3, "spawner", FALSE);
	put_comm(&e->writer, 8, 3, "perf-exec", FALSE);
	const guint64 chain[] = {USER, e->leaf};
	for (gint32 pid = 7; pid <= 8; pid++)
		put_sample(&e->writer,
		        &(WrittenSample){.pid = pid, .time_ns = 5, .period = 10, .chain = chain, .chain_length = 2});
	g_autofree char *text = fold_to_text(e, &options, &quality);
	assert_string_equal(text, "perf-exec;leaf 10\nspawner;leaf 10\n");
	assert_int_equal(quality.dropped, 0);
}

/* Half of the samples could be missing without a word. */
static void a_recording_with_many_records_that_cannot_be_decoded_is_damaged(void **state)
{
	Example *e = *state;
	RunQuality quality;
	g_autoptr(GError) error = NULL;
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	g_autoptr(GByteArray) broken = g_byte_array_new();
	put_u64(broken, 0);
	for (guint i = 0; i < 99; i++)
		ADD_SAMPLE(e, 10 + i, USER, e->leaf);
	put_record(&e->writer, 9, 2, broken);
	assert_true(add_recording(e, fold, NULL, &quality, NULL));
	assert_int_equal(quality.decode_errors, 1);
	put_record(&e->writer, 9, 2, broken);
	assert_false(add_recording(e, fold, NULL, NULL, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_non_null(strstr(error->message, "damaged: 2 records"));
}

static void records_of_types_that_are_not_known_are_counted(void **state)
{
	Example *e = *state;
	RunQuality quality;
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u64(body, 0);
	ADD_SAMPLE(e, 10, USER, e->leaf);
	put_record(&e->writer, 0x59, 2, body);
	put_record(&e->writer, 0x7fffffff, 2, body);
	assert_true(add_recording(e, fold, NULL, &quality, NULL));
	assert_int_equal(quality.unknown_records, 2);
	assert_int_equal(quality.decode_errors, 0);
}

static void recursion_is_kept(void **state)
{
	Example *e = *state;
	need_program(e);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->middle + 1, e->middle + 1, e->main_function + 1);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;main;middle;middle;leaf 10\n");
}

static void two_folders_with_one_program_give_the_same_frames(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autofree char *other_folder = new_folder();
	g_autofree char *other =
	        compile(other_folder, "gcc", "-g -O2 -fno-omit-frame-pointer", "example.c", example_source, "prog");
	const char *const prefixes[] = {e->folder, other_folder, NULL};
	const PerfFoldOptions options = {.strip_prefixes = prefixes};
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	ADD_SAMPLE(e, 10, USER, e->leaf, e->middle + 1, e->main_function + 1);
	assert_true(add_recording(e, fold, &options, NULL, NULL));
	perf_writer_clear(&e->writer);
	perf_writer_init(&e->writer, 1);
	put_comm(&e->writer, 7, 1, "my prog", TRUE);
	put_program(&e->writer, 7, 2, MAPPED_AT, other);
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

/* EVENT_DESC: one event of the writer's kind with a name. */
static void name_event(Example *e, const char *name)
{
	g_autoptr(GByteArray) content = g_byte_array_new();
	put_u32(content, 1);
	put_u32(content, e->writer.attr_bytes);
	put_attr(content, &e->writer, 0);
	put_u32(content, 1);
	put_string(content, name);
	put_u64(content, 100);
	put_feature(&e->writer, 12, content);
}

static void modifiers_of_an_event_need_not_be_given(void **state)
{
	Example *e = *state;
	static const struct {
		const char *name, *wanted;
		gboolean fits;
	} cases[] = {
	        {"cycles:u", "cycles", TRUE},
	        {"cycles:u", "cycles:u", TRUE},
	        {"cycles", "cycles:u", TRUE},
	        {"cycles:u", "cycles:k", FALSE},
	        {"cycles:u", "cycle", FALSE},
	        {"sched:sched_switch", "sched:sched_switch", TRUE},
	        {"sched:sched_switch:k", "sched:sched_switch", TRUE},
	        {"sched:sched_switch", "sched", FALSE},
	        {"cpu/event=0x3c/ppp", "cpu/event=0x3c/", TRUE},
	        {"cpu/event=0x3c/", "cpu", FALSE},
	};
	ADD_SAMPLE(e, 10, USER, 0x99);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(PerfFold) fold = perf_fold_new(e->table);
		name_event(e, cases[i].name);
		gboolean fits = add_recording(e, fold, &(PerfFoldOptions){.event = cases[i].wanted}, NULL, NULL);
		assert_int_equal(fits, cases[i].fits);
	}
}

static void samples_are_chosen_by_process_thread_and_command(void **state)
{
	Example *e = *state;
	const guint64 chain[] = {USER, 0x99};
	put_comm(&e->writer, 8, 1, "other", FALSE);
	for (gint32 tid = 6; tid <= 8; tid++) {
		guint before = e->writer.records->len;
		put_sample(&e->writer, &(WrittenSample){.pid = MAX(7, tid),
		                               .time_ns = (guint64)tid,
		                               .period = (guint64)tid,
		                               .chain = chain,
		                               .chain_length = 2});
		change_sample(e, before, 2, tid);
	}
	static const struct {
		PerfFoldOptions options;
		guint64 samples, weight;
	} cases[] = {
	        {{0}, 3, 21},
	        {{.pid = 7}, 2, 13},
	        {{.tid = 6}, 1, 6},
	        {{.pid = 7, .tid = 8}, 0, 0},
	        {{.comm = "other"}, 1, 8},
	        {{.comm = "my prog"}, 2, 13},
	        {{.comm = "my_prog"}, 2, 13},
	        {{.comm = "my"}, 0, 0},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		RunQuality quality;
		g_autoptr(PerfFold) fold = perf_fold_new(e->table);
		assert_true(add_recording(e, fold, &cases[i].options, &quality, NULL));
		assert_int_equal(quality.samples, cases[i].samples);
		assert_int_equal(quality.weight_total, cases[i].weight);
	}
}

static void inlined_functions_can_be_left_out(void **state)
{
	Example *e = *state;
	static const char text[] = "volatile unsigned long sink;\n"
	                           "static inline __attribute__((always_inline)) void inner(unsigned long n)\n"
	                           "{ for (unsigned long i = 0; i < n; i++) sink += n * i; }\n"
	                           "__attribute__((noinline)) void outer(unsigned long n) { inner(n); }\n"
	                           "int main(int argc, char **argv) { (void)argv; outer(argc); return 0; }\n";
	need_program(e);
	g_autofree char *program = compile(e->folder, "gcc", "-g -O2", "inlined.c", text, "inlined");
	Extent outer = find_function(program, "outer");
	put_program(&e->writer, 7, 3, 0x10000000, program);
	ADD_SAMPLE(e, 10, USER, 0x10000000 + outer.offset + outer.size / 2);
	g_autofree char *with = fold_to_text(e, NULL, NULL);
	assert_string_equal(with, "my_prog;outer;inner 10\n");
	profile_free(e->profile);
	e->profile = profile_new(e->table, "", "");
	profile_add_run(e->profile);
	g_autofree char *without = fold_to_text(e, &(PerfFoldOptions){.no_inline = TRUE}, NULL);
	assert_string_equal(without, "my_prog;outer 10\n");
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
	g_autofree char *text_path = shared_path("accept/program/shares.c");
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
	        cmocka_unit_test_setup_teardown(what_was_recorded_can_be_shown_whole, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_has_no_name_can_be_shown_with_its_address, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(notes_stand_behind_commands_and_functions, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_line_is_noted_of_every_frame_that_has_one, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                code_of_the_kernel_without_a_name_is_called_after_its_module, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_idle_task_has_its_name, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(maps_of_old_kernels_have_their_whole_path, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_return_address_belongs_to_the_call_before_it, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_lies_beyond_the_root_is_cut, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(chains_that_lost_their_callers_are_counted, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(samples_without_chains_are_no_broken_ones, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                only_chains_as_the_kernel_cuts_them_count_as_truncated, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(an_unknown_frame_keeps_its_module, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(shares_in_findings_are_of_one_event_each, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_kernel_is_one_frame, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(samples_of_the_launcher_are_dropped, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_recording_with_many_records_that_cannot_be_decoded_is_damaged, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(records_of_types_that_are_not_known_are_counted, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_program_that_takes_the_name_of_a_launcher_is_not_dropped, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(recursion_is_kept, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(two_folders_with_one_program_give_the_same_frames, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(one_of_several_events_must_be_chosen, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(modifiers_of_an_event_need_not_be_given, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(samples_are_chosen_by_process_thread_and_command, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(inlined_functions_can_be_left_out, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_recording_that_cannot_be_read_leaves_the_profile_alone, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_program_of_known_shares_has_them_in_a_recording_of_perf, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
