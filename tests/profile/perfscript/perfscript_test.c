/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfscript/perfscript.h"

#include "core/error.h"
#include "tests/profile/readers.h"

/* The profile that is read from a text, as folded weights. */
static char *fold_with(const char *text, const PerfScriptOptions *options)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	gboolean ok = perf_script_read(text, strlen(text), "test", options, profile, 0, NULL, &error);
	if (!ok)
		fail_msg("%s", error->message);
	return folded_weights(profile);
}

static void assert_folds_with(const char *text, const PerfScriptOptions *options, const char *expected)
{
	g_autofree char *folded = fold_with(text, options);
	assert_string_equal(folded, expected);
}

static void assert_folds(const char *text, const char *expected)
{
	assert_folds_with(text, NULL, expected);
}

static void assert_refused(const char *text, const PerfScriptOptions *options, const char *word)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	assert_false(perf_script_read(text, strlen(text), "test", options, profile, 0, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_non_null(strstr(error->message, word));
	assert_int_equal(profile_run_total(profile, 0).samples, 0);
}

/* A sample of `prog` with one frame line. */
static char *sample_of(const char *comm, const char *frame)
{
	return g_strdup_printf("%s 7/8 1.5: 10 cycles:\n\t  1000 %s\n\n", comm, frame);
}

static void assert_frame(const char *comm, const char *line, const char *expected)
{
	g_autofree char *text = sample_of(comm, line), *wanted = g_strdup_printf("%s;%s 10\n", comm, expected);
	assert_folds(text, wanted);
}

static void a_sample_weighs_its_period_and_counts_one(void **state)
{
	(void)state;
	const char *text = "prog 7/8 [003] 1.5:   2500 cycles:u:\n"
	                   "\t  1000 leaf+0x14 (/bin/prog)\n"
	                   "\t  2000 main+0x40 (/bin/prog)\n\n";
	g_autoptr(Profile) profile = empty_profile();
	PerfScriptSummary summary = {0};
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, &summary, NULL));
	g_autofree char *folded = folded_weights(profile);
	assert_string_equal(folded, "prog;main;leaf 2500\n");
	assert_int_equal(profile_run_total(profile, 0).samples, 1);
	assert_string_equal(summary.event, "cycles:u");
	assert_string_equal(summary.unit, "cycles");
	assert_int_equal(summary.weight, 2500);
	perf_script_summary_clear(&summary);
}

static void a_sample_without_a_period_weighs_one(void **state)
{
	(void)state;
	const char *text = "prog 7 1.5: cpu-clock:\n\t1 a (/x)\n\nprog 7 1.6: 0 cpu-clock:\n\t1 a (/x)\n\n";
	g_autoptr(Profile) profile = empty_profile();
	PerfScriptSummary summary = {0};
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, &summary, NULL));
	assert_int_equal(summary.weight, 2);
	assert_int_equal(summary.without_period, 2);
	assert_string_equal(summary.unit, "samples");
	perf_script_summary_clear(&summary);
}

static void clocks_weigh_in_nanoseconds(void **state)
{
	(void)state;
	const char *text = "prog 7 1.5: 250000 task-clock:ppp:\n\t1 a (/x)\n";
	g_autoptr(Profile) profile = empty_profile();
	PerfScriptSummary summary = {0};
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, &summary, NULL));
	assert_string_equal(summary.unit, "ns");
	assert_string_equal(summary.event, "task-clock:ppp");
	perf_script_summary_clear(&summary);
}

static void the_thread_is_the_last_number_before_the_time(void **state)
{
	(void)state;
	assert_folds("x 1 1.2: 3 cycles:\n\t1 a (/x)\n", "x;a 3\n");
	assert_folds("foo 3 bar 9 1.0: 5 cycles:\n\t1 a (/x)\n", "foo_3_bar;a 5\n");
	assert_folds(
	        "V8 WorkerThread 25607/25610 [000] 94564.109216: 100 cycles:\n\t1 a (/x)\n", "V8_WorkerThread;a 100\n");
	assert_folds("123 456 1.0: 5 cycles:\n\t1 a (/x)\n", "123;a 5\n");
}

static void lines_without_a_time_are_read(void **state)
{
	(void)state;
	assert_folds("java 19983 cycles:\nffff8103d0ca native_write ([kernel.kallsyms])\n\n", "java;native_write 1\n");
	assert_folds("prog 12/13 [001] 77 cycles:\n\t1 a (/x)\n\n", "prog;a 77\n");
}

static void the_root_tells_process_and_thread_if_asked(void **state)
{
	(void)state;
	const char *both = "my prog 7/8 1.0: 5 cycles:\n\t1 a (/x)\n", *one = "prog 8 1.0: 5 cycles:\n\t1 a (/x)\n";
	assert_folds_with(both, &(PerfScriptOptions){.root_pid = TRUE}, "my_prog-7;a 5\n");
	assert_folds_with(both, &(PerfScriptOptions){.root_tid = TRUE}, "my_prog-7/8;a 5\n");
	assert_folds_with(one, &(PerfScriptOptions){.root_pid = TRUE}, "prog-?;a 5\n");
	assert_folds_with(one, &(PerfScriptOptions){.root_tid = TRUE}, "prog-?/8;a 5\n");
}

static void the_last_sample_needs_no_empty_line(void **state)
{
	(void)state;
	assert_folds("p 1 1.0: 5 cycles:\n\t1 a (/x)\n\np 1 1.1: 5 cycles:\n\t1 b (/x)", "p;a 5\np;b 5\n");
}

static void a_sample_may_follow_without_an_empty_line(void **state)
{
	(void)state;
	assert_folds("p 1 1.0: 5 cycles:\n\t1 a (/x)\np 1 1.1: 5 cycles:\n\t1 b (/x)\n", "p;a 5\np;b 5\n");
}

static void lines_may_end_in_carriage_returns(void **state)
{
	(void)state;
	assert_folds("p 1 1.0: 5 cycles:\r\n\t1 a (/x)\r\n\r\np 1 1.1: 5 cycles:\r\n\t1 b (/x)\r\n", "p;a 5\np;b 5\n");
}

static void flat_text_has_its_frame_on_the_event_line(void **state)
{
	(void)state;
	assert_folds(
	        "            burn 14190  2477.592487:     250000 cpu-clock:      7f7b021a2c51 sym+0x5c1 (/path)\n"
	        "            cafe 14190  2477.592488:     250000 cpu-clock:      7f7b021a2c51 sym+0x5c1 (/path)\n"
	        "       dead beef 14190  2477.592489:     250000 cpu-clock:  ffffffff9c4a10f3 [unknown] ([unknown])\n",
	        "burn;sym 250000\ncafe;sym 250000\ndead_beef;[unknown] 250000\n");
}

static void the_address_of_data_on_a_flat_line_is_no_function(void **state)
{
	(void)state;
	assert_folds("p 1 1.0:  1 page-faults:  7f5a00001000   55d0c0de1234 touch+0x4 (/bin/p)\n", "p;touch 1\n");
}

static void a_sample_without_frames_is_kept_as_its_command(void **state)
{
	(void)state;
	const char *text = "p 1 1.0: 5 cycles:\n\np 1 1.1: 5 cycles:\n\t1 a (/x)\n\n";
	g_autoptr(Profile) profile = empty_profile();
	PerfScriptSummary summary = {0};
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, &summary, NULL));
	g_autofree char *folded = folded_weights(profile);
	assert_string_equal(folded, "p 5\np;a 5\n");
	assert_int_equal(summary.without_stack, 1);
	perf_script_summary_clear(&summary);
}

static const char two_events[] = "p 1 1.0: 5 cycles:u:\n\t1 a (/x)\n\n"
                                 "p 1 1.0: 7 sched:sched_switch: prev_comm=a 1.5: next=(b)\n\t1 b (/x)\n\n"
                                 "p 1 1.0: 9 cycles:k:\n\t1 c (/x)\n\n";

static void several_events_are_refused_unless_one_is_chosen(void **state)
{
	(void)state;
	assert_refused(two_events, NULL, "cycles:u, sched:sched_switch, cycles:k");
	assert_folds_with(two_events, &(PerfScriptOptions){.event = "sched:sched_switch"}, "p;b 7\n");
	assert_folds_with(two_events, &(PerfScriptOptions){.event = "cycles:k"}, "p;c 9\n");
}

static void an_event_may_be_chosen_without_its_modifiers(void **state)
{
	(void)state;
	const char *text = "p 1 1.0: 5 cycles:ppp:\n\t1 a (/x)\n\np 1 1.0: 7 faults:\n\t1 b (/x)\n\n";
	assert_folds_with(text, &(PerfScriptOptions){.event = "cycles"}, "p;a 5\n");
	assert_refused(two_events, &(PerfScriptOptions){.event = "cycles"}, "choose one");
	assert_refused(two_events, &(PerfScriptOptions){.event = "branches"}, "no such event");
}

static void the_header_names_the_event_where_lines_do_not(void **state)
{
	(void)state;
	const char *text = "# ========\n# cmdline : /usr/bin/perf record ./prog 1 \n"
	                   "# event : name = cycles:u, , id = { 1, 2 }, type = 0\n# ========\n#\n"
	                   "prog 7 1.5: \n\t1 a (/x)\n";
	g_autoptr(Profile) profile = empty_profile();
	PerfScriptSummary summary = {0};
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, &summary, NULL));
	assert_string_equal(summary.event, "cycles:u");
	assert_string_equal(summary.command, "/usr/bin/perf record ./prog 1 ");
	perf_script_summary_clear(&summary);
}

static void filters_choose_process_thread_and_command(void **state)
{
	(void)state;
	const char *text = "a b 1/1 1.0: 5 cycles:\n\t1 f (/x)\n\na b 1/2 1.0: 6 cycles:\n\t1 f (/x)\n\n"
	                   "c 3/3 1.0: 7 cycles:\n\t1 f (/x)\n\n";
	assert_folds_with(text, &(PerfScriptOptions){.pid = 1}, "a_b;f 11\n");
	assert_folds_with(text, &(PerfScriptOptions){.tid = 2}, "a_b;f 6\n");
	assert_folds_with(text, &(PerfScriptOptions){.comm = "a b"}, "a_b;f 11\n");
	assert_refused(text, &(PerfScriptOptions){.pid = 4}, "leave no sample");
}

static void process_ids_that_are_not_there_cannot_be_chosen(void **state)
{
	(void)state;
	assert_refused("p 1 1.0: 5 cycles:\n\t1 a (/x)\n", &(PerfScriptOptions){.pid = 1}, "no process ids");
}

static void names_lose_offsets_and_argument_lists(void **state)
{
	(void)state;
	assert_frame("p", "memcpy+0x1f (/lib/libc.so.6)", "memcpy");
	assert_frame("p", "std::function<void (int)>::swap(int)+0x3 (/x)", "std::function<void (int)>::swap");
	assert_frame("p", "net/http.(*Client).Do+0x4 (/x)", "net/http.(*Client).Do");
	assert_frame("p", "_Z5deltav (/x)", "_Z5deltav");
	assert_frame("p", "core::fmt::_$LT$impl$GT$::fmt::h0123456789abcdef+0x1 (/x)", "core::fmt::_<impl>::fmt");
	assert_frame("p", "op [clone .isra.0] (/x)", "op");
}

static void semicolons_in_names_become_colons(void **state)
{
	(void)state;
	assert_frame("p", "Lorg/a/B;::c (/tmp/perf-1.map)", "Lorg/a/B:::c");
}

static void java_classes_lose_their_l_under_java_commands_only(void **state)
{
	(void)state;
	assert_frame("java", "Lorg/a/B;.c(Ljava/lang/String;)V (/tmp/perf-1.map)", "org/a/B:.c");
	assert_frame("javac", "Lorg/a/B;.c (/tmp/perf-1.map)", "org/a/B:.c");
	assert_frame("node", "Lorg/a/B;.c (/tmp/perf-1.map)", "Lorg/a/B:.c");
	assert_frame("java", "Lock::take (/x)", "Lock::take");
}

static void unknown_functions_are_called_after_their_file(void **state)
{
	(void)state;
	assert_frame("p", "[unknown] (/usr/lib/libc-2.31.so)", "[libc-2.31.so]");
	assert_frame("p", "[unknown] ([unknown])", "[unknown]");
	assert_frame("p", " (/usr/lib/libc-2.31.so)", "[libc-2.31.so]");
	assert_folds_with("p 1 1.0: 5 cycles:\n\t1000 [unknown] (/x/y)\n\t2000 [unknown] ([unknown])\n",
	        &(PerfScriptOptions){.addresses = TRUE}, "p;[unknown <2000>];[y <1000>] 5\n");
}

static void a_file_may_be_deleted_or_have_parentheses(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	const char *text = "p 1 1.0: 5 cycles:\n\t1 f(int) (/tmp/a b (1) (deleted))\n\t1 g() const (/x/y)\n";
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, NULL, NULL));
	g_autofree char *folded = folded_weights(profile);
	assert_string_equal(folded, "p;g;f 5\n");
	assert_string_equal(stack_table_text(profile->table, frame_named(profile, "f")->module), "a b (1) (deleted)");
}

static void arrows_of_java_maps_are_inlined_functions(void **state)
{
	(void)state;
	assert_frame("java", "Lx/A;::a->Lx/B;::b->Lx/C;::c+0x1 (/tmp/perf-1.map)", "x/A:::a;x/B:::b_[i];x/C:::c_[i]");
	assert_folds_with("java 1 1.0: 5 cycles:\n\t1 a->b->c (/tmp/perf-1.map)\n",
	        &(PerfScriptOptions){.no_inline = TRUE}, "java;a 5\n");
}

static void other_arrows_do_not_split_names(void **state)
{
	(void)state;
	assert_frame("p", "Ptr::operator->() const (/x)", "Ptr::operator->");
	assert_frame("p", "call<fn() -> u8>::go (/x)", "call<fn() -> u8>::go");
}

static void names_in_parentheses_are_notes_but_for_namespaces(void **state)
{
	(void)state;
	assert_frame("p", "f (/x)\n\t1 (some process) (/x)", "f");
	assert_frame("p", "(anonymous namespace)::f(int) (/x)", "(anonymous namespace)::f");
}

static void quotes_are_kept(void **state)
{
	(void)state;
	assert_frame("node", "RegExp:[&<>\\\"\\'] (/tmp/perf-1.map)", "RegExp:[&<>\\\"\\']");
}

static void annotations_are_made_if_asked(void **state)
{
	(void)state;
	const char *text =
	        "p 1 1.0: 5 cycles:\n\t1 k ([kernel.kallsyms])\n\t1 j->i (/tmp/perf-1.map)\n\t1 v ([vdso])\n";
	assert_folds(text, "p;v;j;i_[i];k 5\n");
	assert_folds_with(text, &(PerfScriptOptions){.annotate_kernel = TRUE}, "p;v;j;i_[i];k_[k] 5\n");
	assert_folds_with(text, &(PerfScriptOptions){.annotate_jit = TRUE}, "p;v;j_[j];i_[i];k 5\n");
}

static void frames_know_what_they_are(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	const char *text = "p 1 1.0: 5 cycles:\n\t1 k ([kernel.kallsyms])\n\t1 in+0x2 (inlined)\n"
	                   "\t1 out+0x2 (/opt/libw.so.1.2)\n\t1 j (/tmp/perf-1.map)\n\t1 [unknown] (/x/y)\n";
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, NULL, NULL));
	assert_int_equal(frame_named(profile, "p")->kind, FRAME_COMMAND);
	assert_int_equal(frame_named(profile, "k")->kind, FRAME_KERNEL);
	assert_int_equal(frame_named(profile, "in")->kind, FRAME_INLINED);
	assert_int_equal(frame_named(profile, "out")->kind, FRAME_USER);
	assert_int_equal(frame_named(profile, "j")->kind, FRAME_JIT);
	assert_int_equal(frame_named(profile, "[y]")->kind, FRAME_SYNTHETIC);
	assert_string_equal(stack_table_text(profile->table, frame_named(profile, "out")->module), "libw.so");
	assert_int_equal(frame_named(profile, "j")->module.index, 0);
}

static void an_inlined_frame_is_in_the_module_of_its_caller(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	const char *text = "p 1 1.0: 5 cycles:\n\t1 in+0x2 (inlined)\n\t1 out+0x2 (/opt/prog)\n";
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, NULL, NULL));
	StackId leaf = {stack_table_n_stacks(profile->table) - 1};
	const char *module = stack_table_frame_module(profile->table, stack_table_leaf(profile->table, leaf));
	assert_string_equal(module, "prog");
	g_autofree char *without = fold_with(text, &(PerfScriptOptions){.no_inline = TRUE});
	assert_string_equal(without, "p;out 5\n");
}

static void lines_of_source_tell_the_file_of_a_function(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	const char *text = "p 1 1.0: 5 cycles:\n\t  1 leaf+0x8b (/bin/p)\n  uniform.h:300\n\t  2 main+0x935 (/bin/p)\n"
	                   "  file.cpp:137\n\t  3 __libc_start_main+0xd5 (/lib/libc.so.6)\n  libc.so.6[27b25]\n"
	                   "\t  4 [unknown] ([unknown])\n  \n\t 5 top (/bin/p)\n  ??:0\n\n";
	PerfScriptSummary summary = {0};
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, &summary, NULL));
	g_autofree char *folded = folded_weights(profile);
	assert_string_equal(folded, "p;top;[unknown];__libc_start_main;main;leaf 5\n");
	assert_string_equal(stack_table_text(profile->table, frame_named(profile, "leaf")->file), "uniform.h");
	assert_int_equal(frame_named(profile, "top")->file.index, 0);
	assert_int_equal(summary.bad_lines, 0);
	perf_script_summary_clear(&summary);
}

static void records_that_are_no_samples_are_passed_over(void **state)
{
	(void)state;
	const char *text = "p 1 [000] 0.000000: PERF_RECORD_MMAP2 1/1: [0x55(0x1000) @ 0 08:01 5 0]: r-xp /bin/p\n"
	                   "p 0 1.0: PERF_RECORD_LOST lost 35\n"
	                   "p 1 1.0: 5 cycles:\n\t1 a (/x)\n\n";
	g_autoptr(Profile) profile = empty_profile();
	PerfScriptSummary summary = {0};
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, &summary, NULL));
	assert_int_equal(summary.samples, 1);
	assert_int_equal(summary.lost, 35);
	perf_script_summary_clear(&summary);
}

static void stacks_can_begin_at_a_function(void **state)
{
	(void)state;
	static const char *const names[] = {"run", NULL};
	assert_folds_with(
	        "p 1 1.0: 5 cycles:\n\t1 a (/x)\n\t1 run (/x)\n\t1 m (/x)\n\np 1 1.1: 6 cycles:\n\t1 m (/x)\n\n",
	        &(PerfScriptOptions){.skip_after = names}, "p;m 6\nrun;a 5\n");
}

static void lines_that_are_nothing_are_counted(void **state)
{
	(void)state;
	const char *text = "p 1 1.0: 5 cycles:\n\t1 a (/x)\n\nwhat is this\nand this\n";
	g_autoptr(Profile) profile = empty_profile();
	PerfScriptSummary summary = {0};
	assert_true(perf_script_read(text, strlen(text), "test", NULL, profile, 0, &summary, NULL));
	assert_int_equal(summary.bad_lines, 2);
	assert_int_equal(summary.first_bad_line, 4);
	perf_script_summary_clear(&summary);
}

static void a_text_without_samples_is_an_error(void **state)
{
	(void)state;
	assert_refused("", NULL, "no samples");
	assert_refused("main;foo 12\n", NULL, "no samples");
}

/* Fixtures: samples and stacks of all events, none lost at the end. */

typedef struct {
	const char *file, *event;
	guint64 weight;
	guint stacks;
} FixtureCase;

#define TEXTS "brendangregg-FlameGraph/test/"
#define OTHERS "speedscope/linux-perf/"

static const FixtureCase fixtures[] = {
        {TEXTS "perf-cycles-instructions-01.txt", "instructions", 333, 6},
        {TEXTS "perf-cycles-instructions-01.txt", "cycles", 111, 8},
        {TEXTS "perf-dd-stacks-01.txt", NULL, 111111110, 10},
        {TEXTS "perf-funcab-cmd-01.txt", NULL, 169, 2},
        {TEXTS "perf-funcab-pid-01.txt", NULL, 228, 2},
        {TEXTS "perf-iperf-stacks-pidtid-01.txt", NULL, 201, 107},
        {TEXTS "perf-java-faults-01.txt", NULL, 200, 12},
        {TEXTS "perf-java-stacks-01.txt", NULL, 46, 34},
        {TEXTS "perf-java-stacks-02.txt", NULL, 2, 1},
        {TEXTS "perf-js-stacks-01.txt", NULL, 2, 2},
        {TEXTS "perf-mirageos-stacks-01.txt", NULL, 53, 9},
        {TEXTS "perf-numa-stacks-01.txt", NULL, 200, 17},
        {TEXTS "perf-rust-Yamakaky-dcpu.txt", NULL, 6850637, 45},
        {TEXTS "perf-vertx-stacks-01.txt", NULL, 286, 200},
        {OTHERS "one-sample.linux-perf.txt", NULL, 1001001, 1},
        {OTHERS "simple-with-pid.linux-perf.txt", NULL, 137, 7},
        {OTHERS "rust-mangled.linux-perf.txt", NULL, 1627118592, 22},
};

static char *fold_fixture(const char *name, const PerfScriptOptions *options, guint64 *weight)
{
	g_autofree char *path = shared_fixture("%s", name);
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
	g_autoptr(Profile) profile = empty_profile();
	assert_true(perf_script_read(g_mapped_file_get_contents(file), g_mapped_file_get_length(file), name, options,
	        profile, 0, NULL, NULL));
	*weight = profile_run_total(profile, 0).weight;
	return folded_weights(profile);
}

static void real_texts_keep_all_their_samples(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(fixtures); i++) {
		guint64 weight;
		g_autofree char *folded =
		        fold_fixture(fixtures[i].file, &(PerfScriptOptions){.event = fixtures[i].event}, &weight);
		if (weight != fixtures[i].weight || count_lines(folded) != fixtures[i].stacks)
			fail_msg("%s: weight %" G_GUINT64_FORMAT " in %u stacks", fixtures[i].file, weight,
			        count_lines(folded));
	}
}

static void a_text_without_a_newline_at_its_end_is_read(void **state)
{
	(void)state;
	guint64 weight;
	g_autofree char *folded = fold_fixture(OTHERS "one-sample.linux-perf.txt", NULL, &weight);
	assert_string_equal(folded, "simple-terminat;[unknown];__libc_start_main;main;_Z5deltav;_Z4betav 1001001\n");
}

static void roots_of_a_real_text_tell_their_thread(void **state)
{
	(void)state;
	guint64 weight;
	g_autofree char *folded =
	        fold_fixture(OTHERS "simple-with-pid.linux-perf.txt", &(PerfScriptOptions){.root_tid = TRUE}, &weight);
	assert_true(g_str_has_prefix(folded, "simple-terminat-9/9;"));
}

static void names_of_a_real_rust_text_are_readable(void **state)
{
	(void)state;
	guint64 weight;
	g_autofree char *folded = fold_fixture(TEXTS "perf-rust-Yamakaky-dcpu.txt", NULL, &weight);
	assert_null(strstr(folded, "$LT$"));
	assert_null(strstr(folded, "$u7b$"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_sample_weighs_its_period_and_counts_one),
	        cmocka_unit_test(a_sample_without_a_period_weighs_one),
	        cmocka_unit_test(clocks_weigh_in_nanoseconds),
	        cmocka_unit_test(the_thread_is_the_last_number_before_the_time),
	        cmocka_unit_test(lines_without_a_time_are_read),
	        cmocka_unit_test(the_root_tells_process_and_thread_if_asked),
	        cmocka_unit_test(the_last_sample_needs_no_empty_line),
	        cmocka_unit_test(a_sample_may_follow_without_an_empty_line),
	        cmocka_unit_test(lines_may_end_in_carriage_returns),
	        cmocka_unit_test(flat_text_has_its_frame_on_the_event_line),
	        cmocka_unit_test(the_address_of_data_on_a_flat_line_is_no_function),
	        cmocka_unit_test(a_sample_without_frames_is_kept_as_its_command),
	        cmocka_unit_test(several_events_are_refused_unless_one_is_chosen),
	        cmocka_unit_test(an_event_may_be_chosen_without_its_modifiers),
	        cmocka_unit_test(the_header_names_the_event_where_lines_do_not),
	        cmocka_unit_test(filters_choose_process_thread_and_command),
	        cmocka_unit_test(process_ids_that_are_not_there_cannot_be_chosen),
	        cmocka_unit_test(names_lose_offsets_and_argument_lists),
	        cmocka_unit_test(semicolons_in_names_become_colons),
	        cmocka_unit_test(java_classes_lose_their_l_under_java_commands_only),
	        cmocka_unit_test(unknown_functions_are_called_after_their_file),
	        cmocka_unit_test(a_file_may_be_deleted_or_have_parentheses),
	        cmocka_unit_test(arrows_of_java_maps_are_inlined_functions),
	        cmocka_unit_test(other_arrows_do_not_split_names),
	        cmocka_unit_test(names_in_parentheses_are_notes_but_for_namespaces),
	        cmocka_unit_test(quotes_are_kept),
	        cmocka_unit_test(annotations_are_made_if_asked),
	        cmocka_unit_test(frames_know_what_they_are),
	        cmocka_unit_test(an_inlined_frame_is_in_the_module_of_its_caller),
	        cmocka_unit_test(lines_of_source_tell_the_file_of_a_function),
	        cmocka_unit_test(records_that_are_no_samples_are_passed_over),
	        cmocka_unit_test(stacks_can_begin_at_a_function),
	        cmocka_unit_test(lines_that_are_nothing_are_counted),
	        cmocka_unit_test(a_text_without_samples_is_an_error),
	        cmocka_unit_test(real_texts_keep_all_their_samples),
	        cmocka_unit_test(a_text_without_a_newline_at_its_end_is_read),
	        cmocka_unit_test(roots_of_a_real_text_tell_their_thread),
	        cmocka_unit_test(names_of_a_real_rust_text_are_readable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
