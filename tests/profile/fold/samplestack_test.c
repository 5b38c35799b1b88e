/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/samplestack.h"

#include "tests/profile/foldexample.h"
#include "tests/profile/sharedfile.h"

enum { GUEST_KERNEL_MODE = 4, GUEST_USER_MODE = 5, HYPERVISOR_MODE = 3 };

static void calls_of_the_processor_make_the_user_part(void **state)
{
	Example *e = *state;
	need_program(e);
	e->writer.sample_type |= PERF_WRITER_BRANCHES;
	e->writer.branch_type = 1 << 0 | 1 << 11; /* user, call stack */
	/* a call from the last byte of middle: nothing is subtracted from a call site */
	guint64 site = e->middle + find_function(e->program, "middle").size - 1;
	const guint64 calls[][2] = {{site, e->leaf}, {e->main_function, e->middle}};
	const guint64 chain[] = {USER, e->leaf, e->start + 1};
	put_sample(&e->writer, &(WrittenSample){.pid = 7,
	                               .time_ns = 10,
	                               .period = 10,
	                               .chain = chain,
	                               .chain_length = 3,
	                               .branches = calls,
	                               .n_branches = 2});
	/* without any call, the chain counts */
	put_sample(
	        &e->writer, &(WrittenSample){.pid = 7, .time_ns = 20, .period = 20, .chain = chain, .chain_length = 3});
	/* a kernel sample takes its kernel part from the chain */
	const guint64 in_kernel[] = {KERNEL, 0xffffffff81000010, USER, e->leaf + 1};
	put_sample(&e->writer, &(WrittenSample){.pid = 7,
	                               .time_ns = 30,
	                               .period = 30,
	                               .in_kernel = TRUE,
	                               .chain = in_kernel,
	                               .chain_length = 4,
	                               .branches = calls,
	                               .n_branches = 2});
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;_start;leaf 20\n"
	                          "my_prog;main;middle;leaf 10\n"
	                          "my_prog;main;middle;leaf;[kernel] 30\n");
}

static void registers_and_stack_make_the_user_part(void **state)
{
	Example *e = *state;
	need_program(e);
#ifndef __x86_64__
	print_message("skipped: the registers are those of x86-64\n");
	skip();
#endif
	enum { SP = 7, IP = 8, STACK_AT = 0x7000 };
	e->writer.sample_type |= PERF_WRITER_REGISTERS | PERF_WRITER_STACK;
	e->writer.user_registers = 1 << 6 | 1 << SP | 1 << IP;
	put_machine(&e->writer, "x86_64");
	/* at its first instruction, a function's return address is on top of the stack; the caller, too, has not begun
	 */
	g_autoptr(GByteArray) stack = g_byte_array_new();
	put_u64(stack, e->middle + 1);
	put_u64(stack, 0);
	const guint64 registers[] = {0, STACK_AT, e->leaf}, chain[] = {USER, e->leaf};
	const WrittenSample sample = {
	        .pid = 7,
	        .time_ns = 10,
	        .period = 10,
	        .chain = chain,
	        .chain_length = 2,
	        .registers_abi = 2,
	        .registers = registers,
	        .n_registers = 3,
	        .stack = stack,
	        .stack_written_bytes = stack->len,
	};
	put_sample(&e->writer, &sample);
	RunQuality quality;
	g_autofree char *text = fold_to_text(e, NULL, &quality);
	assert_true(g_str_has_prefix(text, "my_prog;middle;leaf 10\n"));
}

static void registers_of_another_kind_of_machine_are_not_unwound(void **state)
{
	Example *e = *state;
	need_program(e);
	e->writer.sample_type |= PERF_WRITER_REGISTERS | PERF_WRITER_STACK;
	e->writer.user_registers = 1 << 6 | 1 << 7 | 1 << 8;
	put_machine(&e->writer, "riscv64");
	g_autoptr(GByteArray) stack = g_byte_array_new();
	put_u64(stack, e->middle + 1);
	const guint64 registers[] = {0, 0x7000, e->leaf}, chain[] = {USER, e->leaf, e->main_function + 1};
	put_sample(&e->writer, &(WrittenSample){.pid = 7,
	                               .time_ns = 10,
	                               .period = 10,
	                               .chain = chain,
	                               .chain_length = 3,
	                               .registers_abi = 2,
	                               .registers = registers,
	                               .n_registers = 3,
	                               .stack = stack,
	                               .stack_written_bytes = 8});
	/* the names of this machine's program are right here, though it is of another kind */
	g_autofree char *text = fold_to_text(e, &(PerfFoldOptions){.symfs = "/"}, NULL);
	assert_string_equal(text, "my_prog;main;leaf 10\n");
}

static void guests_and_hypervisors_are_one_frame_each(void **state)
{
	Example *e = *state;
	need_program(e);
	static const struct {
		guint8 mode;
		const char *text;
	} cases[] = {{GUEST_KERNEL_MODE, "my_prog;[guest_kernel] 10\n"}, {GUEST_USER_MODE, "my_prog;[guest] 10\n"},
	        {HYPERVISOR_MODE, "my_prog;[hypervisor] 10\n"}};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		tear_down((void **)&e);
		set_up((void **)&e);
		guint before = e->writer.records->len;
		/* the address is one of the guest's, whatever is there in the process */
		const guint64 chain[] = {e->leaf};
		put_sample(&e->writer,
		        &(WrittenSample){.pid = 7, .time_ns = 10, .period = 10, .chain = chain, .chain_length = 1});
		change_sample(e, before, cases[i].mode, 7);
		g_autofree char *text = fold_to_text(e, NULL, NULL);
		assert_string_equal(text, cases[i].text);
	}
	*state = e;
}

static void each_marker_switches_the_context(void **state)
{
	Example *e = *state;
	need_program(e);
	const guint64 hypervisor = (guint64)-32, guest_kernel = (guint64)-2176, guest = (guint64)-2560,
	              new = (guint64)-640;
	const guint64 chain[] = {guest_kernel, 0xffffffff81000010, guest, 0x1234, 0x5678, hypervisor, 0x99, KERNEL,
	        0xffffffff81000020, USER, e->leaf, new, 0x4711};
	guint before = e->writer.records->len;
	put_sample(&e->writer,
	        &(WrittenSample){
	                .pid = 7, .time_ns = 10, .period = 10, .chain = chain, .chain_length = G_N_ELEMENTS(chain)});
	change_sample(e, before, GUEST_KERNEL_MODE, 7);
	g_autofree char *text = fold_to_text(e, NULL, NULL);
	assert_string_equal(text, "my_prog;leaf;[kernel];[hypervisor];[guest];[guest_kernel] 10\n");
}

/* Compiles the program of known shares, and records it in a mode with perf. NULL if that cannot be done here; owned by
 * the caller. */
static char *record_shares(Example *e, const char *call_graph, const char *mode)
{
	g_autofree char *source = shared_path("accept/program/shares.c");
	g_autofree char *text = NULL;
	g_autofree char *data = g_build_filename(e->folder, "perf.data", NULL);
	if (!g_file_get_contents(source, &text, NULL, NULL)) {
		print_message("skipped: no %s\n", source);
		return NULL;
	}
	g_autofree char *program =
	        compile(e->folder, "gcc", "-g -O2 -fomit-frame-pointer -pthread", "shares.c", text, "shares");
	const char *const argv[] = {"perf", "record", "-q", "-e", "cpu-clock", "-F", "499", "--call-graph", call_graph,
	        "-o", data, "--", program, "1000", mode, NULL};
	return program != NULL && perf_record(argv) ? g_steal_pointer(&data) : NULL;
}

static guint64 samples_with(const char *folded, const char *text)
{
	guint64 n = 0;
	g_auto(GStrv) lines = g_strsplit(folded, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		if (strstr(*line, text) != NULL)
			n += g_ascii_strtoull(strrchr(*line, ' ') + 1, NULL, 10);
	return n;
}

static void a_program_without_frame_pointers_is_unwound_to_its_root(void **state)
{
	Example *e = *state;
	RunQuality quality;
	char *data = record_shares(e, "dwarf,8192", "deep");
	if (data == NULL)
		skip();
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	assert_true(perf_fold_add(fold, data, e->profile, 0, NULL, &quality, NULL));
	assert_true(perf_fold_finish(fold, NULL, NULL));
	g_free(data);
	g_autofree char *folded = folded_write(e->profile, 0, FOLDED_SAMPLES);
	assert_true(quality.samples > 100);
	assert_true(quality.incomplete * 20 < quality.samples);
	assert_true(samples_with(folded, "_start;") * 20 > quality.samples * 19);
	/* descend may call itself in a loop: twenty levels are twenty frames all the same */
	assert_true(samples_with(folded, "main;descend;descend;descend;") * 20 > quality.samples * 18);
	assert_true(samples_with(folded, "work;beta;beta_core") * 5 > quality.samples);
}

static void stacks_that_end_early_are_counted_and_told(void **state)
{
	Example *e = *state;
	RunQuality quality;
	char *data = record_shares(e, "dwarf,64", "deep");
	if (data == NULL)
		skip();
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	assert_true(perf_fold_add(fold, data, e->profile, 0, NULL, &quality, NULL));
	assert_true(perf_fold_finish(fold, findings, NULL));
	g_free(data);
	assert_true(quality.incomplete * 10 > quality.samples * 9);
	assert_true(finding_has(findings, "stacks_incomplete"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(calls_of_the_processor_make_the_user_part, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(registers_and_stack_make_the_user_part, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                registers_of_another_kind_of_machine_are_not_unwound, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(guests_and_hypervisors_are_one_frame_each, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(each_marker_switches_the_context, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_program_without_frame_pointers_is_unwound_to_its_root, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(stacks_that_end_early_are_counted_and_told, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
