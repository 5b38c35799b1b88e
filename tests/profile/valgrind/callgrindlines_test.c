/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of lines out of real dumps, against what callgrind itself writes beside each instruction. */
#include "profile/valgrind/callgrindlines.h"

#include "profile/valgrind/callgrindfold.h"
#include "tests/profile/compiled.h"
#include "tests/profile/linechecks.h"

/* No function is called by itself, and none of another file. */
static const char calls_source[] = "volatile unsigned sink;\n"
                                   "static inline unsigned mix(unsigned h, unsigned c)\n"
                                   "{\n"
                                   "	return (h ^ c) * 16777619u;\n"
                                   "}\n"
                                   "__attribute__((noinline)) unsigned hash(unsigned n)\n"
                                   "{\n"
                                   "	unsigned h = 1;\n"
                                   "	for (unsigned i = 0; i < n; i++)\n"
                                   "		h = mix(h, i + sink);\n"
                                   "	return h;\n"
                                   "}\n"
                                   "__attribute__((noinline)) unsigned parse(unsigned n)\n"
                                   "{\n"
                                   "	sink += hash(n);\n"
                                   "	sink += hash(3 * n);\n"
                                   "	return sink;\n"
                                   "}\n"
                                   "__attribute__((noinline)) void work(unsigned n)\n"
                                   "{\n"
                                   "	for (unsigned i = 0; i < n; i++)\n"
                                   "		sink += parse(10) + hash(i);\n"
                                   "	sink += parse(20);\n"
                                   "}\n"
                                   "int main(void)\n"
                                   "{\n"
                                   "	work(25);\n"
                                   "	return 0;\n"
                                   "}\n";

static const char recursive_source[] =
        "#include <stdlib.h>\n"
        "volatile unsigned sink;\n"
        "static inline unsigned step(unsigned n) { return n * 31 ^ sink; }\n"
        "__attribute__((noinline)) int fib(int n)\n"
        "{\n"
        "	if (n < 2)\n"
        "		return n;\n"
        "	return fib(n - 1) +\n"
        "	       fib(n - 2);\n"
        "}\n"
        "__attribute__((noinline)) int odd(int n);\n"
        "__attribute__((noinline)) int even(int n) { return n == 0 ? 1 : odd(n - 1) + (int)step(3); }\n"
        "__attribute__((noinline)) int odd(int n) { return n == 0 ? 0 : even(n - 1) + (int)step(4); }\n"
        "static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
        "static inline void *get(unsigned n)\n"
        "{\n"
        "	return malloc(n);\n"
        "}\n"
        "__attribute__((noinline)) void keep(unsigned n)\n"
        "{\n"
        "	for (unsigned i = 0; i < n; i++)\n"
        "		free(get(i + 1));\n"
        "	free(get(n));\n"
        "}\n"
        "int main(void)\n"
        "{\n"
        "	int values[60];\n"
        "	for (int i = 0; i < 60; i++)\n"
        "		values[i] = i * 37 % 60;\n"
        "	qsort(values, 60, sizeof *values, compare);\n"
        "	sink = (unsigned)fib(9) + (unsigned)even(40);\n"
        "	keep(7);\n"
        "	keep(4);\n"
        "	return values[0];\n"
        "}\n";

typedef struct {
	char *folder, *dump;
	StackTable *table;
	CallgrindFold *fold;
	Profile *instructions, *allocations; /* with one run */
} Folding;

static int set_up(void **state)
{
	Folding *f = g_new0(Folding, 1);
	f->folder = new_folder();
	f->dump = g_build_filename(f->folder, "callgrind.out", NULL);
	f->table = stack_table_new();
	f->fold = callgrind_fold_new(f->table);
	f->instructions = profile_new(f->table, "instructions", "instructions");
	f->allocations = profile_new(f->table, "allocations", "allocations");
	profile_add_run(f->instructions);
	profile_add_run(f->allocations);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Folding *f = *state;
	callgrind_fold_free(f->fold);
	profile_free(f->instructions);
	profile_free(f->allocations);
	stack_table_unref(f->table);
	remove_folder(f->folder);
	g_free(f->folder);
	g_free(f->dump);
	g_free(f);
	return 0;
}

static void skip_because(const char *reason)
{
	print_message("skipped: %s\n", reason);
	skip();
}

/* Compiles a program and folds a dump of it, in which nothing is abbreviated. */
static void run_and_fold(Folding *f, const char *source, const char *options, const char *callers)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *program = compile(f->folder, "gcc", options, "example.c", source, "example");
	g_autofree char *out = g_strconcat("--callgrind-out-file=", f->dump, NULL);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	const char *const prefixes[] = {f->folder, NULL};
	const CallgrindFoldOptions fold_options = {.side = 1, .strip_prefixes = prefixes};
	const CallgrindTarget targets[] = {{"Ir", f->instructions, 0}, {CALLGRIND_ALLOCATIONS, f->allocations, 0}};
	const char *const argv[] = {"valgrind", "-q", "--tool=callgrind", callers, "--dump-instr=yes",
	        "--compress-strings=no", "--compress-pos=no", out, program, NULL};
	if (program == NULL || !have_program("valgrind"))
		skip_because("no gcc or no valgrind");
	if (!run_command(argv, NULL))
		skip_because("valgrind does not run here");
	g_ptr_array_add(paths, f->dump);
	if (!callgrind_fold_add(f->fold, paths, targets, G_N_ELEMENTS(targets), &fold_options, NULL, &error))
		fail_msg("%s", error->message);
	assert_true(callgrind_fold_finish(f->fold, NULL, NULL));
}

static LineCosts *costs_of(const Folding *f, const Profile *profile)
{
	guint n;
	g_autofree FrameId *frames = all_frames(f->table, &n);
	const LineCostQuery query = {.profiles = {NULL, profile}, .frames = frames, .n_frames = n};
	LineCosts *costs = callgrind_fold_line_costs(f->fold, &query);
	check_lines(costs, profile, 1);
	check_order(costs, f->table);
	assert_int_equal(costs->runs[0], 0);
	assert_int_equal(costs->runs[1], 1);
	assert_true(costs->are_addresses);
	return costs;
}

/* The lines of a dump */

enum { MAX_LINES = 64 };

typedef struct {
	double self[MAX_LINES], calls[MAX_LINES]; /* by line of example.c */
} DumpLines;

static DumpLines read_dump(const Folding *f)
{
	DumpLines told = {{0}, {0}};
	g_autofree char *text = NULL;
	gboolean is_ours = FALSE, is_call = FALSE;
	assert_true(g_file_get_contents(f->dump, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		guint64 cost;
		guint number;
		if (g_str_has_prefix(*line, "fl=") || g_str_has_prefix(*line, "fi=") || g_str_has_prefix(*line, "fe="))
			is_ours = g_str_has_suffix(*line, "/example.c");
		if (sscanf(*line, "0x%*x %u %" G_GUINT64_FORMAT, &number, &cost) == 2 && is_ours) {
			assert_true(number < MAX_LINES);
			(is_call ? told.calls : told.self)[number] += (double)cost;
		}
		is_call = g_str_has_prefix(*line, "calls=");
	}
	return told;
}

/* Of all frames. */
static double self_of_line(const Folding *f, const LineCosts *costs, guint32 line)
{
	double sum = 0;
	for (guint i = 0; i < costs->lines->len; i++) {
		const LineCost *row = &g_array_index(costs->lines, LineCost, i);
		if (row->line == line && g_str_equal(stack_table_text(f->table, row->file), "example.c"))
			sum += row->self;
	}
	return sum;
}

static void check_self(const Folding *f, const LineCosts *costs)
{
	DumpLines told = read_dump(f);
	double all = 0;
	for (guint32 line = 1; line < MAX_LINES; line++) {
		assert_close(self_of_line(f, costs, line), told.self[line]);
		all += told.self[line];
	}
	assert_true(all > 1000);
}

static void lines_cost_what_the_dump_says_of_them(void **state)
{
	Folding *f = *state;
	run_and_fold(f, calls_source, "-g -O1", "--separate-callers=32");
	g_autoptr(LineCosts) costs = costs_of(f, f->instructions);
	check_self(f, costs);
}

static void calls_are_part_of_the_line_that_they_come_from(void **state)
{
	static const struct {
		const char *frame;
		guint32 line;
	} calling[] = {{"parse", 15}, {"parse", 16}, {"work", 22}, {"work", 23}, {"main", 27}};
	Folding *f = *state;
	run_and_fold(f, calls_source, "-g -O1", "--separate-callers=32");
	DumpLines told = read_dump(f);
	g_autoptr(LineCosts) costs = costs_of(f, f->instructions);
	for (guint i = 0; i < G_N_ELEMENTS(calling); i++) {
		const LineCost *line = find_line(costs, f->table, 1, calling[i].frame, calling[i].line);
		assert_close(line->self, told.self[line->line]);
		assert_close(line->total, told.self[line->line] + told.calls[line->line]);
		assert_true(line->total > 2 * line->self);
	}
}

/* The chain of callers is full, so that callers are known by name only. */
static void short_chains_give_the_same_lines(void **state)
{
	Folding *f = *state;
	run_and_fold(f, calls_source, "-g -O1", "--separate-callers=2");
	DumpLines told = read_dump(f);
	g_autoptr(LineCosts) costs = costs_of(f, f->instructions);
	check_self(f, costs);
	for (guint32 line = 15; line <= 16; line++)
		assert_close(find_line(costs, f->table, 1, "parse", line)->total, told.self[line] + told.calls[line]);
}

static void recursion_counts_once_for_a_line(void **state)
{
	Folding *f = *state;
	run_and_fold(f, recursive_source, "-g -O1 -fno-optimize-sibling-calls", "--separate-callers=32");
	g_autoptr(LineCosts) costs = costs_of(f, f->instructions);
	check_self(f, costs);
	double first = find_line(costs, f->table, 1, "fib", 8)->total;
	double check = find_line(costs, f->table, 1, "fib", 6)->total;
	assert_true(first > check && first > 0);
}

static void code_without_optimisation_has_lines_too(void **state)
{
	Folding *f = *state;
	run_and_fold(f, recursive_source, "-g -O0", "--separate-callers=8");
	g_autoptr(LineCosts) costs = costs_of(f, f->instructions);
	check_self(f, costs);
}

static void allocations_belong_to_the_line_that_makes_them(void **state)
{
	Folding *f = *state;
	run_and_fold(f, recursive_source, "-g -O1 -fno-builtin", "--separate-callers=32");
	g_autoptr(LineCosts) costs = costs_of(f, f->allocations);
	assert_close(find_line(costs, f->table, 1, "get", 17)->total, 13);
	assert_close(find_line(costs, f->table, 1, "keep", 22)->total, 11);
	assert_close(find_line(costs, f->table, 1, "keep", 23)->total, 2);
	assert_close(find_line(costs, f->table, 1, "malloc", 0)->self, 13);
	/* both are of main, and nothing says how many each makes, but for what they cost */
	double more = find_line(costs, f->table, 1, "main", 32)->total;
	double less = find_line(costs, f->table, 1, "main", 33)->total;
	assert_close(more + less, 13);
	assert_true(more > less);
}

static void instructions_are_told_by_address(void **state)
{
	Folding *f = *state;
	double sum = 0;
	run_and_fold(f, calls_source, "-g -O1", "--separate-callers=32");
	g_autofree char *program = g_build_filename(f->folder, "example", NULL);
	Extent hash = find_function(program, "hash");
	g_autoptr(LineCosts) costs = costs_of(f, f->instructions);
	for (guint i = 0; i < costs->instructions->len; i++) {
		const InstructionCost *row = &g_array_index(costs->instructions, InstructionCost, i);
		const LineModule *module = costs->modules->pdata[row->module];
		if (!g_str_equal(stack_table_frame_name(f->table, row->frame), "hash"))
			continue;
		assert_string_equal(module->path, program);
		assert_true(row->offset >= hash.offset && row->offset < hash.offset + hash.size);
		sum += row->self;
	}
	/* all lines of `hash`, what is inlined included */
	DumpLines told = read_dump(f);
	double expected = 0;
	for (guint line = 2; line <= 12; line++)
		expected += told.self[line];
	assert_close(sum, expected);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	        TEST(lines_cost_what_the_dump_says_of_them),
	        TEST(calls_are_part_of_the_line_that_they_come_from),
	        TEST(short_chains_give_the_same_lines),
	        TEST(recursion_counts_once_for_a_line),
	        TEST(code_without_optimisation_has_lines_too),
	        TEST(allocations_belong_to_the_line_that_makes_them),
	        TEST(instructions_are_told_by_address),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
