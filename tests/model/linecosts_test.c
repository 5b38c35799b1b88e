/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of lines and instructions out of recordings that are written here, of a program that is compiled here. */
#include "model/linecosts.h"

#include "profile/objects/modulesymbols.h"
#include "tests/profile/foldexample.h"
#include "tests/profile/linechecks.h"

static const char lines_source[] = "volatile unsigned long sink;\n"
                                   "static inline __attribute__((always_inline)) void inner(unsigned long n)\n"
                                   "{\n"
                                   "	for (unsigned long i = 0; i < n; i++)\n"
                                   "		sink += i * n;\n"
                                   "}\n"
                                   "static inline __attribute__((always_inline)) void middle(unsigned long n)\n"
                                   "{\n"
                                   "	inner(n + 1);\n"
                                   "}\n"
                                   "__attribute__((noinline)) void outer(unsigned long n)\n"
                                   "{\n"
                                   "	middle(n);\n"
                                   "	if (n > 3) {\n"
                                   "		middle(n * 2);\n"
                                   "	}\n"
                                   "	sink++;\n"
                                   "}\n"
                                   "__attribute__((noinline)) unsigned long walk(unsigned long n)\n"
                                   "{\n"
                                   "	if (n < 2)\n"
                                   "		return sink;\n"
                                   "	return walk(n - 1) * 3 +\n"
                                   "	       walk(n - 2);\n"
                                   "}\n"
                                   "int main(int argc, char **argv)\n"
                                   "{\n"
                                   "	(void)argv;\n"
                                   "	outer((unsigned long)argc);\n"
                                   "	return (int)walk((unsigned long)argc);\n"
                                   "}\n";

enum { BASE, HEAD, MAX_DEPTH = 7, SAMPLES = 400 };

/* The program, and a profile of each side with two runs. */
typedef struct {
	Example *example;
	Extent functions[3]; /* outer, walk, main */
	Profile *profiles[N_SIDES];
	PerfFold *fold;
	const char *prefixes[2];
	guint32 random;
} Lines;

static int set_up_lines(void **state)
{
	static const char *const names[] = {"outer", "walk", "main"};
	Lines *l = g_new0(Lines, 1);
	set_up((void **)&l->example);
	Example *e = l->example;
	g_free(e->program);
	e->program = compile(e->folder, "gcc", "-g -O1 -fno-omit-frame-pointer", "example.c", lines_source, "lines");
	for (guint i = 0; e->program != NULL && i < G_N_ELEMENTS(names); i++)
		l->functions[i] = find_function(e->program, names[i]);
	for (guint s = 0; s < N_SIDES; s++)
		l->profiles[s] = profile_new(e->table, "", "");
	l->fold = perf_fold_new(e->table);
	l->prefixes[0] = e->folder;
	l->random = 7;
	*state = l;
	return 0;
}

static int tear_down_lines(void **state)
{
	Lines *l = *state;
	void *example = l->example;
	perf_fold_free(l->fold);
	for (guint s = 0; s < N_SIDES; s++)
		profile_free(l->profiles[s]);
	g_free(l);
	return tear_down(&example);
}

static void restart_recording(Lines *l)
{
	perf_writer_clear(&l->example->writer);
	perf_writer_init(&l->example->writer, 1);
	put_comm(&l->example->writer, 7, 1, "lines", TRUE);
	put_this_machine(&l->example->writer);
	put_program(&l->example->writer, 7, 2, MAPPED_AT, l->example->program);
}

/* Adds what was written as the next run of a profile. */
static void add_run_to(Lines *l, Profile *profile, guint side)
{
	Example *e = l->example;
	Profile *usual = e->profile;
	const PerfFoldOptions options = {.side = side, .strip_prefixes = l->prefixes};
	g_autoptr(GByteArray) file = perf_writer_file(&e->writer);
	g_autofree char *path = write_temporary(file, file->len);
	guint run = profile_add_run(profile);
	assert_true(perf_fold_add(l->fold, path, profile, run, &options, NULL, NULL));
	g_unlink(path);
	e->profile = usual;
	restart_recording(l);
}

static void add_run(Lines *l, guint side)
{
	add_run_to(l, l->profiles[side], side);
}

static FrameId frame_of(const Lines *l, const char *name)
{
	const StackTable *table = l->example->table;
	for (guint i = 0; i < stack_table_n_frames(table); i++)
		if (g_str_equal(stack_table_frame_name(table, (FrameId){i}), name))
			return (FrameId){i};
	fail_msg("no frame %s", name);
	return (FrameId){0};
}

static LineCosts *costs_of(const Lines *l, const FrameId *frames, guint n)
{
	const LineCostQuery query = {
	        .profiles = {l->profiles[BASE], l->profiles[HEAD]}, .frames = frames, .n_frames = n};
	return perf_fold_line_costs(l->fold, &query);
}

static LineCosts *costs_of_all(const Lines *l)
{
	guint n;
	g_autofree FrameId *frames = all_frames(l->example->table, &n);
	return costs_of(l, frames, n);
}

/* The result of a plain count over all samples. */

typedef struct {
	guint64 offsets[MAX_DEPTH]; /* leaf first */
	guint depth, side;
} PlainSample;

typedef struct {
	double self, total;
	guint last_sample; /* that was counted in `total`, plus 1 */
} PlainCost;

/* Stacks that no program has, so that every line and every kind of recursion comes up. */
static PlainSample random_sample(Lines *l)
{
	PlainSample sample = {0};
	guint64 chain[1 + MAX_DEPTH] = {USER};
	l->random = l->random * 1664525u + 1013904223u;
	sample.depth = 1 + (l->random >> 8) % MAX_DEPTH;
	for (guint i = 0; i < sample.depth; i++) {
		l->random = l->random * 1664525u + 1013904223u;
		const Extent *function = &l->functions[(l->random >> 8) % G_N_ELEMENTS(l->functions)];
		sample.offsets[i] = function->offset + (l->random >> 12) % function->size;
		chain[1 + i] = MAPPED_AT + sample.offsets[i] + (i > 0 ? 1 : 0);
	}
	add_sample(l->example, 10, chain, 1 + sample.depth);
	return sample;
}

static PlainCost *plain_cost(GHashTable *costs, const char *key)
{
	PlainCost *cost = g_hash_table_lookup(costs, key);
	if (cost == NULL) {
		cost = g_new0(PlainCost, 1);
		g_hash_table_insert(costs, g_strdup(key), cost);
	}
	return cost;
}

/* Of an offset of one sample; 10 is the period. */
static void count_plainly(const Lines *l, GHashTable *costs, const PlainSample *sample, guint number, guint at)
{
	ModuleSymbols symbols = {0};
	guint64 offset = sample->offsets[at];
	const ModuleSymbolsRequest request = {
	        .path = l->example->program, .with_lines = TRUE, .offsets = &offset, .n_offsets = 1};
	assert_true(module_symbols_resolve(&symbols, &request, NULL));
	for (guint i = 0; i < symbols.frames->len; i++) {
		const SymbolFrame *frame = &g_array_index(symbols.frames, SymbolFrame, i);
		g_autofree char *key = g_strdup_printf("%u %s:%u", sample->side, frame->name, frame->at_line);
		PlainCost *cost = plain_cost(costs, key);
		cost->self += at == 0 && i + 1 == symbols.frames->len ? 10 : 0;
		cost->total += cost->last_sample != number + 1 ? 10 : 0;
		cost->last_sample = number + 1;
		if (i > 0 || at > 0)
			continue;
		g_autofree char *instruction =
		        g_strdup_printf("%u %s+%" G_GINT64_MODIFIER "x", sample->side, frame->name, offset);
		plain_cost(costs, instruction)->self += 10;
	}
	module_symbols_clear(&symbols);
}

static void check_against_plain(const Lines *l, const LineCosts *costs, GHashTable *plain)
{
	const StackTable *table = l->example->table;
	guint n = 0;
	for (guint i = 0; i < costs->lines->len; i++) {
		const LineCost *line = &g_array_index(costs->lines, LineCost, i);
		const char *name = stack_table_frame_name(table, line->frame);
		g_autofree char *key = g_strdup_printf("%u %s:%u", line->side, name, line->line);
		const PlainCost *expected = plain_cost(plain, key);
		assert_close(line->self, expected->self);
		assert_close(line->total, expected->total);
		assert_int_equal(line->self_samples * 10, (guint64)expected->self);
		assert_int_equal(line->total_samples * 10, (guint64)expected->total);
		assert_string_equal(stack_table_text(table, line->file), "example.c");
		n++;
	}
	for (guint i = 0; i < costs->instructions->len; i++, n++) {
		const InstructionCost *row = &g_array_index(costs->instructions, InstructionCost, i);
		g_autofree char *key = g_strdup_printf("%u %s+%" G_GINT64_MODIFIER "x", row->side,
		        stack_table_frame_name(table, row->frame), row->offset);
		assert_close(row->self, plain_cost(plain, key)->self);
	}
	assert_int_equal(g_hash_table_size(plain), n);
}

static void lines_cost_what_a_plain_count_over_all_samples_gives(void **state)
{
	Lines *l = *state;
	need_program(l->example);
	g_autofree PlainSample *samples = g_new(PlainSample, SAMPLES);
	g_autoptr(GHashTable) plain = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	restart_recording(l);
	for (guint i = 0; i < SAMPLES; i++) {
		samples[i] = random_sample(l);
		samples[i].side = i < SAMPLES / 4 ? BASE : HEAD;
		for (guint k = 0; k < samples[i].depth; k++)
			count_plainly(l, plain, &samples[i], i, k);
		if (i % (SAMPLES / 4) == SAMPLES / 4 - 1)
			add_run(l, samples[i].side);
	}
	assert_true(perf_fold_finish(l->fold, NULL, NULL));
	g_autoptr(LineCosts) costs = costs_of_all(l);
	check_against_plain(l, costs, plain);
	check_lines(costs, l->profiles[BASE], BASE);
	check_lines(costs, l->profiles[HEAD], HEAD);
	check_order(costs, l->example->table);
	assert_int_equal(costs->runs[BASE], 1);
	assert_int_equal(costs->runs[HEAD], 3);
	assert_false(costs->are_addresses);
}

static guint64 mapped(const Lines *l, guint function)
{
	return MAPPED_AT + l->functions[function].offset;
}

/* A recording of one run of head in which `outer` was called by `main`. */
static void fold_usual(Lines *l)
{
	need_program(l->example);
	restart_recording(l);
	ADD_SAMPLE(l->example, 10, USER, mapped(l, 0), mapped(l, 2) + 1);
	add_run(l, HEAD);
	assert_true(perf_fold_finish(l->fold, NULL, NULL));
}

static void only_what_was_asked_for_is_told(void **state)
{
	Lines *l = *state;
	fold_usual(l);
	const FrameId frames[] = {frame_of(l, "main")};
	g_autoptr(LineCosts) costs = costs_of(l, frames, 1);
	assert_int_equal(costs->lines->len, 1);
	const LineCost *line = &g_array_index(costs->lines, LineCost, 0);
	assert_int_equal(line->frame.index, frames[0].index);
	assert_int_equal(line->side, HEAD);
	assert_int_equal(line->self_samples, 0);
	assert_int_equal(line->total_samples, 1);
	assert_int_equal(costs->instructions->len, 0);
	assert_int_equal(costs->runs[BASE], 0);
}

/* Their weights have another unit. */
static void samples_of_another_event_are_left_out(void **state)
{
	Lines *l = *state;
	need_program(l->example);
	g_autoptr(Profile) other = profile_new(l->example->table, "off-cpu", "ns");
	restart_recording(l);
	ADD_SAMPLE(l->example, 10, USER, mapped(l, 0));
	add_run(l, HEAD);
	for (guint i = 0; i < 5; i++)
		ADD_SAMPLE(l->example, 10 + i, USER, mapped(l, 0));
	add_run_to(l, other, HEAD);
	assert_true(perf_fold_finish(l->fold, NULL, NULL));
	g_autoptr(LineCosts) costs = costs_of_all(l);
	check_lines(costs, l->profiles[HEAD], HEAD);
	assert_int_equal(costs->runs[HEAD], 1);
	assert_int_equal(g_array_index(costs->instructions, InstructionCost, 0).samples, 1);
}

static void an_instruction_is_where_its_object_file_has_it(void **state)
{
	Lines *l = *state;
	fold_usual(l);
	const FrameId frames[] = {frame_of(l, "outer")};
	g_autoptr(LineCosts) costs = costs_of(l, frames, 1);
	assert_int_equal(costs->instructions->len, 1);
	const InstructionCost *row = &g_array_index(costs->instructions, InstructionCost, 0);
	assert_int_equal(row->offset, l->functions[0].offset);
	assert_int_equal(costs->modules->len, 1);
	const LineModule *module = costs->modules->pdata[row->module];
	assert_string_equal(module->path, l->example->program);
	assert_null(module->failure);
}

static void what_has_no_lines_is_line_0(void **state)
{
	Lines *l = *state;
	need_program(l->example);
	restart_recording(l);
	const guint64 in_kernel[] = {KERNEL, 0xffffffff81000010, USER, mapped(l, 0), mapped(l, 2) + 1};
	put_sample(&l->example->writer, &(WrittenSample){.pid = 7,
	                                        .time_ns = 10,
	                                        .period = 10,
	                                        .in_kernel = TRUE,
	                                        .chain = in_kernel,
	                                        .chain_length = 5});
	ADD_SAMPLE(l->example, 20, USER, 0x99);
	add_run(l, HEAD);
	assert_true(perf_fold_finish(l->fold, NULL, NULL));
	g_autoptr(LineCosts) costs = costs_of_all(l);
	check_lines(costs, l->profiles[HEAD], HEAD);
	const LineCost *kernel = find_line(costs, l->example->table, HEAD, "[kernel]", 0);
	assert_int_equal(kernel->self_samples, 1);
	assert_string_equal(stack_table_text(l->example->table, kernel->file), "");
	assert_int_equal(find_line(costs, l->example->table, HEAD, "[unknown]", 0)->self_samples, 1);
}

static void assert_no_lines(const Lines *l, const LineCosts *costs, const char *word)
{
	const FrameId outer = frame_of(l, "outer");
	check_lines(costs, l->profiles[HEAD], HEAD);
	for (guint i = 0; i < costs->lines->len; i++)
		assert_int_equal(g_array_index(costs->lines, LineCost, i).line, 0);
	assert_int_equal(g_array_index(costs->instructions, InstructionCost, 0).frame.index, outer.index);
	assert_int_equal(costs->modules->len, 1);
	const LineModule *module = costs->modules->pdata[0];
	assert_non_null(strstr(module->failure, word));
}

static void a_file_that_is_gone_says_so(void **state)
{
	Lines *l = *state;
	fold_usual(l);
	assert_return_code(g_unlink(l->example->program), 0);
	g_autoptr(LineCosts) costs = costs_of_all(l);
	assert_no_lines(l, costs, l->example->program);
}

/* Lines of other code would be wrong ones. */
static void a_file_that_was_built_anew_has_no_lines(void **state)
{
	static const char other[] = "volatile int sink;\nint main(void) { sink++; return 0; }\n";
	Lines *l = *state;
	fold_usual(l);
	g_free(compile(l->example->folder, "gcc", "-g -O1", "example.c", other, "lines"));
	g_autoptr(LineCosts) costs = costs_of_all(l);
	assert_no_lines(l, costs, "has changed");
}

static void a_program_without_debug_information_says_so(void **state)
{
	Lines *l = *state;
	need_program(l->example);
	g_free(compile(l->example->folder, "gcc", "-O1", "example.c", lines_source, "lines"));
	l->functions[0] = find_function(l->example->program, "outer");
	l->functions[2] = find_function(l->example->program, "main");
	fold_usual(l);
	g_autoptr(LineCosts) costs = costs_of_all(l);
	assert_no_lines(l, costs, "build with -g");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up_lines, tear_down_lines)
	const struct CMUnitTest tests[] = {
	        TEST(lines_cost_what_a_plain_count_over_all_samples_gives),
	        TEST(only_what_was_asked_for_is_told),
	        TEST(samples_of_another_event_are_left_out),
	        TEST(an_instruction_is_where_its_object_file_has_it),
	        TEST(what_has_no_lines_is_line_0),
	        TEST(a_file_that_is_gone_says_so),
	        TEST(a_file_that_was_built_anew_has_no_lines),
	        TEST(a_program_without_debug_information_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
