/* SPDX-License-Identifier: Apache-2.0 */
/* Real dumps: what is folded against what callgrind itself says of them. */
#include "profile/valgrind/callgrindfold.h"
#include "profile/valgrind/callgrindname.h"
#include "tests/profile/compiled.h"
#include "tests/profile/readers.h"

#include <inttypes.h>

/* Programs */

static const char c_source[] =
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "volatile unsigned sink;\n"
        "static inline unsigned mix(unsigned h, unsigned c) { return (h ^ c) * 16777619u; }\n"
        "__attribute__((noinline)) unsigned hash(const char *s) { unsigned h = 1; while (*s) h = mix(h, "
        "(unsigned)*s++);\n"
        "  return h; }\n"
        "static inline unsigned twice(const char *s) { return hash(s) + 1; }\n"
        "__attribute__((noinline)) unsigned count(const char *s) { return twice(s) * 3; }\n"
        "__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
        "__attribute__((noinline)) int odd(int n);\n"
        "__attribute__((noinline)) int even(int n) { return n == 0 ? 1 : odd(n - 1) + 1; }\n"
        "__attribute__((noinline)) int odd(int n) { return n == 0 ? 0 : even(n - 1) + 1; }\n"
        "static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
        "__attribute__((noinline)) char *copy(const char *s) { char *p = malloc(strlen(s) + 1); return strcpy(p, s); "
        "}\n"
        "int main(int argc, char **argv) {\n"
        "  int values[50];\n"
        "  for (int i = 0; i < 50; i++) values[i] = i * 37 % 50;\n"
        "  qsort(values, 50, sizeof *values, compare);\n"
        "  for (int i = 0; i < 10; i++) free(copy(argv[0]));\n"
        "  sink = count(\"some words\") + (unsigned)fib(10) + (unsigned)even(100) + (unsigned)argc;\n"
        "  printf(\"%d\\n\", values[3]);\n"
        "  return 0; }\n";

static const char cpp_source[] =
        "#include <algorithm>\n#include <stdexcept>\n#include <string>\n#include <vector>\n"
        "volatile int sink;\n"
        "namespace geo { struct Point { int x, y; };\n"
        "inline bool operator<(const Point &a, const Point &b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }\n"
        "template <typename T> __attribute__((noinline)) T sum(const std::vector<T> &v) { T s{}; for (auto x : v) s += "
        "x;\n"
        "  return s; }\n"
        "__attribute__((noinline)) int check(int n) { if (n % 7 == 0) throw std::runtime_error(\"seven\"); return n * "
        "2; }\n"
        "__attribute__((noinline)) int guarded(int n) { try { return check(n); } catch (const std::exception &e) {\n"
        "  return (int)std::string(e.what()).size(); } } }\n"
        "int main(int argc, char **) {\n"
        "  std::vector<geo::Point> points; std::vector<int> ints; std::vector<double> doubles;\n"
        "  for (int i = 0; i < 300; i++) { points.push_back({i * 31 % 17, i}); ints.push_back(i); "
        "doubles.push_back(i); }\n"
        "  std::sort(points.begin(), points.end());\n"
        "  int total = geo::sum(ints) + (int)geo::sum(doubles);\n"
        "  for (int i = 0; i < 30; i++) total += geo::guarded(i);\n"
        "  sink = total + points[argc].x; return 0; }\n";

static const char threads_source[] =
        "#include <pthread.h>\n"
        "__attribute__((noinline)) long leaf(long n) { volatile long s = 0; for (long i = 0; i < n; i++) s += i; "
        "return s; }\n"
        "static void *run(void *n) { return (void *)leaf((long)n); }\n"
        "int main(void) { pthread_t t[3];\n"
        "  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, run, (void *)(100 * (i + 1)));\n"
        "  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n"
        "  return 0; }\n";

static const char library_source[] =
        "__attribute__((noinline)) int inner(int n) { volatile int s = n; return s * 3; }\n"
        "int exported(int n) { int s = 0; for (int i = 0; i < n; i++) s += inner(i); return s; }\n";
static const char user_source[] = "int exported(int);\nint main(void) { return exported(40) & 0; }\n";

static const char region_source[] =
        "#include <stdlib.h>\n#include <valgrind/callgrind.h>\n"
        "__attribute__((noinline)) void *get(long n) { return malloc((size_t)n); }\n"
        "int main(void) { for (int i = 0; i < 5; i++) {\n"
        "  if (i == 3) CALLGRIND_TOGGLE_COLLECT;\n  free(get(i + 10));\n  if (i == 3) CALLGRIND_TOGGLE_COLLECT; }\n"
        "  return 0; }\n";

/* Runs */

typedef struct {
	char *folder;
	StackTable *table;
	Profile *profile, *allocations; /* of instructions; no runs yet */
	GPtrArray *paths;               /* of the dumps of the last program */
} Folding;

static int set_up(void **state)
{
	Folding *f = g_new0(Folding, 1);
	f->folder = new_folder();
	f->table = stack_table_new();
	f->profile = profile_new(f->table, "instructions", "instructions");
	f->allocations = profile_new(f->table, "allocations", "allocations");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Folding *f = *state;
	profile_free(f->profile);
	profile_free(f->allocations);
	stack_table_unref(f->table);
	g_clear_pointer(&f->paths, g_ptr_array_unref);
	remove_folder(f->folder);
	g_free(f->folder);
	g_free(f);
	return 0;
}

static void skip_because(const char *reason)
{
	print_message("skipped: %s\n", reason);
	skip();
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static GPtrArray *list_dumps(const char *folder)
{
	const char *name;
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
		g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
	g_ptr_array_sort(paths, compare_paths);
	return paths;
}

/* Runs a command under callgrind; skips the test if that does not work here. */
static void run_callgrind(Folding *f, const char *option, const char *const *command)
{
	g_autofree char *dumps = g_strdup_printf("%s/dumps-%u", f->folder, g_random_int());
	g_autofree char *out = g_strconcat("--callgrind-out-file=", dumps, "/callgrind.%p", NULL);
	const char *const start[] = {"setarch", "-R", "valgrind", "-q", "--tool=callgrind", "--trace-children=yes",
	        "--separate-callers=32", "--dump-instr=yes", "--collect-systime=yes", out, option};
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	for (guint i = 0; i < G_N_ELEMENTS(start); i++)
		g_ptr_array_add(argv, (gpointer)start[i]);
	for (; *command != NULL; command++)
		g_ptr_array_add(argv, (gpointer)*command);
	g_ptr_array_add(argv, NULL);
	assert_return_code(g_mkdir(dumps, 0700), 0);
	if (!have_program("valgrind") || !have_program("callgrind_annotate") || !have_program("setarch"))
		skip_because("no valgrind");
	if (!run_command((const char *const *)argv->pdata, NULL))
		skip_because("valgrind does not run here");
	g_clear_pointer(&f->paths, g_ptr_array_unref);
	f->paths = list_dumps(dumps);
	assert_true(f->paths->len > 0);
}

static void run_program(Folding *f, const char *program)
{
	const char *const command[] = {program, NULL};
	if (program == NULL)
		skip_because("the program cannot be compiled");
	run_callgrind(f, "--dump-line=yes", command);
}

/* The last dumps as a run of its own. */
static CallgrindRunSummary add_run(Folding *f, CallgrindFold *fold, const CallgrindFoldOptions *options)
{
	CallgrindRunSummary summary = {0};
	g_autoptr(GError) error = NULL;
	const CallgrindTarget targets[] = {
	        {"Ir", f->profile, profile_add_run(f->profile)},
	        {CALLGRIND_ALLOCATIONS, f->allocations, profile_add_run(f->allocations)},
	};
	if (!callgrind_fold_add(fold, f->paths, targets, G_N_ELEMENTS(targets), options, &summary, &error))
		fail_msg("%s", error->message);
	return summary;
}

static guint64 fold_alone(Folding *f, const CallgrindFoldOptions *options)
{
	g_autoptr(CallgrindFold) fold = callgrind_fold_new(f->table);
	CallgrindRunSummary summary = add_run(f, fold, options);
	guint64 total = callgrind_run_total(&summary, "Ir");
	assert_true(callgrind_fold_finish(fold, NULL, NULL));
	callgrind_run_summary_clear(&summary);
	return total;
}

/* The totals that callgrind gives */

static guint64 totals_of_dumps(const GPtrArray *paths)
{
	guint64 sum = 0;
	for (guint i = 0; i < paths->len; i++) {
		g_autofree char *text = NULL;
		assert_true(g_file_get_contents(paths->pdata[i], &text, NULL, NULL));
		const char *totals = strstr(text, "\ntotals: ");
		assert_non_null(totals);
		sum += g_ascii_strtoull(totals + strlen("\ntotals: "), NULL, 10);
	}
	return sum;
}

static void add_cost(GHashTable *costs, char *key, guint64 cost)
{
	guint64 *known = g_hash_table_lookup(costs, key);
	if (known == NULL)
		g_hash_table_insert(costs, g_strdup(key), known = g_new0(guint64, 1));
	*known += cost;
	g_free(key);
}

/* "1,234  words.c:hash'count'main [/tmp/prog]", where the object file may be missing. Sets it to "" then. */
static gboolean parse_annotated(const char *line, guint64 *cost, char **function, char **module)
{
	const char *at = line + strspn(line, " "), *start = at;
	*cost = 0;
	for (; g_ascii_isdigit(*at) || *at == ','; at++)
		*cost = *at == ',' ? *cost : *cost * 10 + (guint64)(*at - '0');
	const char *colon = strchr(at, ':'), *object = strrchr(at, '[');
	if (at == start || *at != ' ' || colon == NULL)
		return FALSE;
	gboolean has_object = g_str_has_suffix(at, "]") && object > colon && object[1] == '/';
	const char *end = has_object ? object : at + strlen(at);
	const CallgrindName name = callgrind_name_parse(text_trimmed(text_between(colon + 1, end)));
	g_autofree char *path = g_strdup(has_object ? object + 1 : "]");
	*strrchr(path, ']') = '\0';
	*module = *path != '\0' ? g_path_get_basename(path) : g_strdup("");
	*function = callgrind_name_canonical(name.function);
	return TRUE;
}

/* Adds up the lines of a module: what is told of it, then what is told of functions of it without their object. */
static void add_annotated(GHashTable *costs, char *const *lines, const char *module)
{
	for (guint pass = 0; pass < 2; pass++)
		for (char *const *line = lines; *line != NULL; line++) {
			guint64 cost;
			g_autofree char *function = NULL, *told = NULL;
			if (!parse_annotated(*line, &cost, &function, &told))
				continue;
			gboolean is_of_it = pass == 0 ? g_str_equal(told, module)
			                              : *told == '\0' && g_hash_table_contains(costs, function);
			if (is_of_it)
				add_cost(costs, g_steal_pointer(&function), cost);
		}
}

/* Self cost by function of a module, all contexts together, as callgrind_annotate has it. */
static GHashTable *annotate(const GPtrArray *paths, const char *module)
{
	GHashTable *costs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; i < paths->len; i++) {
		g_autofree char *text = NULL;
		const char *const argv[] = {"callgrind_annotate", "--threshold=100", "--show-percs=no", "--show=Ir",
		        "--auto=no", paths->pdata[i], NULL};
		assert_true(run_command(argv, &text));
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		add_annotated(costs, lines, module);
	}
	return costs;
}

static GHashTable *folded_costs(const Folding *f, guint run, const char *module)
{
	guint n_frames, n_runs = profile_n_runs(f->profile);
	GHashTable *costs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autofree ProfileCell *cells = profile_self_by_frame(f->profile, &n_frames);
	for (guint i = 0; i < n_frames; i++)
		if (cells[i * n_runs + run].weight > 0 &&
		        g_str_equal(stack_table_frame_module(f->table, (FrameId){i}), module))
			add_cost(costs, g_strdup(stack_table_frame_name(f->table, (FrameId){i})),
			        cells[i * n_runs + run].weight);
	return costs;
}

static void assert_same_costs(GHashTable *folded, GHashTable *annotated)
{
	gpointer name, cost;
	GHashTableIter iter;
	assert_true(g_hash_table_size(annotated) > 0);
	g_hash_table_iter_init(&iter, annotated);
	while (g_hash_table_iter_next(&iter, &name, &cost)) {
		const guint64 *own = g_hash_table_lookup(folded, name);
		if (callgrind_name_is_known(text_of(name)) && !g_str_equal(name, "(below main)") &&
		        (own == NULL || *own != *(guint64 *)cost))
			fail_msg("%s costs %" PRIu64 ", but %" PRIu64 " are folded", (char *)name, *(guint64 *)cost,
			        own != NULL ? *own : 0);
	}
}

/* The invariants of every dump: nothing is lost, and functions with code of their own cost what callgrind says. */
static void assert_exact(Folding *f, const char *module)
{
	const CallgrindFoldOptions no_inline = {.no_inline = TRUE};
	guint64 total = fold_alone(f, &no_inline);
	guint run = profile_n_runs(f->profile) - 1;
	g_autoptr(GHashTable) annotated = annotate(f->paths, module);
	g_autoptr(GHashTable) folded = folded_costs(f, run, module);
	assert_int_equal(total, totals_of_dumps(f->paths));
	assert_int_equal(profile_run_total(f->profile, run).weight, total);
	assert_int_equal(profile_run_total(f->profile, run).samples, total);
	assert_same_costs(folded, annotated);
	/* inlined functions take from those that they are in */
	assert_int_equal(fold_alone(f, NULL), total);
	assert_int_equal(profile_run_total(f->profile, run + 1).weight, total);
}

static guint64 folded_weight(const Profile *profile, guint run, const char *ending)
{
	guint64 sum = 0;
	g_autofree char *folded = folded_write(profile, run, FOLDED_WEIGHT);
	g_auto(GStrv) lines = g_strsplit(folded, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		char *blank = strrchr(*line, ' ');
		if (blank == NULL)
			continue;
		*blank = '\0';
		sum += g_str_has_suffix(*line, ending) ? g_ascii_strtoull(blank + 1, NULL, 10) : 0;
	}
	return sum;
}

/* Tests */

static void a_program_in_c_is_exact(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "gcc", "-O2 -g", "words.c", c_source, "words");
	run_program(f, program);
	assert_exact(f, "words");
}

static void a_program_in_cpp_is_exact(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "g++", "-O2 -g", "points.cc", cpp_source, "points");
	run_program(f, program);
	assert_exact(f, "points");
	assert_true(folded_weight(f->profile, 0, ";main;geo::sum<double>") > 0);
	/* what throws was moved away from the function */
	assert_true(folded_weight(f->profile, 0, ";main;geo::guarded;geo::check;__cxa_throw") > 0);
}

static void threads_are_exact(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "gcc", "-O2 -g -pthread", "threads.c", threads_source, "threads");
	run_program(f, program);
	assert_exact(f, "threads");
	assert_true(folded_weight(f->profile, 0, ";run;leaf") > 600);
}

static void a_program_at_fixed_addresses_is_exact(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "gcc", "-O1 -g -no-pie", "words.c", c_source, "fixed");
	run_program(f, program);
	assert_exact(f, "fixed");
}

/* lld gives code other addresses than offsets in the file. */
static void addresses_are_not_taken_for_offsets(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "clang", "-O2 -g -fuse-ld=lld", "words.c", c_source, "lld");
	run_program(f, program);
	assert_exact(f, "lld");
	assert_true(folded_weight(f->profile, 0, ";main;fib") > 0);
}

static void a_shared_library_is_exact(void **state)
{
	Folding *f = *state;
	G_GNUC_UNUSED g_autofree char *library =
	        compile(f->folder, "gcc", "-O2 -g -shared -fPIC", "lib.c", library_source, "libuse.so");
	g_autofree char *options =
	        g_strdup_printf("-O2 -g -L%s -Wl,-rpath=%s -Wl,--no-as-needed -luse", f->folder, f->folder);
	g_autofree char *program = compile(f->folder, "gcc", options, "user.c", user_source, "user");
	run_program(f, program);
	assert_exact(f, "libuse.so");
	assert_true(folded_weight(f->profile, 0, ";main;exported;inner") > 0);
}

static void all_processes_of_a_command_are_exact(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "gcc", "-O2 -g", "words.c", c_source, "words");
	if (program == NULL)
		skip_because("no gcc");
	g_autofree char *script = g_strdup_printf("%s; %s | cat", program, program);
	const char *const command[] = {"/bin/sh", "-c", script, NULL};
	run_callgrind(f, "--dump-line=yes", command);
	assert_exact(f, "words");
	g_autoptr(CallgrindFold) fold = callgrind_fold_new(f->table);
	CallgrindRunSummary summary = add_run(f, fold, NULL);
	assert_int_equal(summary.processes, f->paths->len);
	assert_true(summary.processes >= 4);
	callgrind_run_summary_clear(&summary);
	g_autofree char *folded = folded_write(f->profile, 0, FOLDED_WEIGHT);
	assert_non_null(strstr(folded, "sh;_start;"));
	assert_non_null(strstr(folded, "cat;_start;"));
	assert_non_null(strstr(folded, "words;_start;"));
}

static void inlined_functions_are_frames(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "gcc", "-O2 -g", "words.c", c_source, "words");
	run_program(f, program);
	fold_alone(f, NULL);
	assert_true(folded_weight(f->profile, 0, ";main;count;twice;hash;mix") > 0);
	assert_int_equal(frame_named(f->profile, "mix")->kind, FRAME_INLINED);
	assert_int_equal(frame_named(f->profile, "hash")->kind, FRAME_USER);
	assert_int_equal(frame_named(f->profile, "hash")->line, 6);
	const char *file = stack_table_text(f->table, frame_named(f->profile, "hash")->file);
	assert_true(g_str_has_suffix(file, "words.c"));
}

static void mutual_recursion_beyond_the_chain_is_cut(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(
	        f->folder, "gcc", "-O2 -g -fno-optimize-sibling-calls -fno-ipa-cp", "words.c", c_source, "words");
	run_program(f, program);
	g_autoptr(CallgrindFold) fold = callgrind_fold_new(f->table);
	CallgrindRunSummary summary = add_run(f, fold, NULL);
	assert_true(callgrind_fold_finish(fold, NULL, NULL));
	assert_true(summary.cut_contexts > 0 && summary.cut_contexts < summary.contexts);
	assert_true(summary.cut_cost > 0 && summary.cut_cost < callgrind_run_total(&summary, "Ir"));
	assert_true(folded_weight(f->profile, 0,
	                    "words;odd;even;odd;even;odd;even;odd;even;odd;even;odd;even;odd;even;odd;"
	                    "even;odd;even;odd;even;odd;even;odd;even;odd;even;odd;even;odd;even;odd;"
	                    "even;odd") > 0);
	callgrind_run_summary_clear(&summary);
}

static void calls_of_malloc_are_counted_on_their_paths(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "gcc", "-O2 -g", "words.c", c_source, "words");
	run_program(f, program);
	fold_alone(f, NULL);
	assert_int_equal(folded_weight(f->allocations, 0, ";main;copy;malloc"), 10);
}

/* Memory that operator new gets from malloc is one allocation. */
static void there_are_as_many_allocations_as_memcheck_counts(void **state)
{
	Folding *f = *state;
	guint64 count = 0;
	g_autofree char *log = g_build_filename(f->folder, "log", NULL), *text = NULL;
	g_autofree char *option = g_strconcat("--log-file=", log, NULL);
	g_autofree char *program = compile(f->folder, "g++", "-O2 -g", "points.cc", cpp_source, "points");
	run_program(f, program);
	fold_alone(f, NULL);
	const char *const argv[] = {"valgrind", option, program, NULL};
	assert_true(run_command(argv, NULL) && g_file_get_contents(log, &text, NULL, NULL));
	const char *usage = strstr(text, "total heap usage: ");
	assert_non_null(usage);
	for (usage += strlen("total heap usage: "); g_ascii_isdigit(*usage) || *usage == ','; usage++)
		count = *usage == ',' ? count : count * 10 + (guint64)(*usage - '0');
	assert_true(count > 10);
	assert_int_equal(profile_run_total(f->allocations, 0).weight, count);
}

static void allocations_are_counted_in_the_region_only(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "gcc", "-O2 -g", "region.c", region_source, "region");
	const char *const command[] = {program, NULL};
	if (program == NULL)
		skip_because("no gcc or no header of valgrind");
	run_callgrind(f, "--collect-atstart=no", command);
	fold_alone(f, NULL);
	assert_int_equal(folded_weight(f->allocations, 0, ";main;get;malloc"), 1);
	assert_int_equal(profile_run_total(f->allocations, 0).weight, 1);
	assert_int_equal(profile_run_total(f->profile, 0).weight, totals_of_dumps(f->paths));
}

/* Two sides in folders of their own, head with a function more. */
static void equal_functions_of_both_sides_are_one_frame(void **state)
{
	Folding *f = *state;
	g_autoptr(CallgrindFold) fold = callgrind_fold_new(f->table);
	for (guint side = 0; side < N_SIDES; side++) {
		g_autofree char *folder = g_build_filename(f->folder, side == 0 ? "base" : "head", NULL);
		g_autofree char *source =
		        g_strconcat(side == 0 ? "" : "int more(int n) { return n * 3; }\n", c_source, NULL);
		const char *const prefixes[] = {folder, NULL};
		assert_return_code(g_mkdir(folder, 0700), 0);
		g_autofree char *program = compile(folder, "gcc", "-O2 -g", "words.c", source, "words");
		run_program(f, program);
		CallgrindRunSummary summary = add_run(
		        f, fold, &(CallgrindFoldOptions){.side = side, .with_code = TRUE, .strip_prefixes = prefixes});
		callgrind_run_summary_clear(&summary);
	}
	assert_true(callgrind_fold_finish(fold, NULL, NULL));
	guint n_frames, n_hash = 0;
	g_autofree ProfileCell *cells = profile_self_by_frame(f->profile, &n_frames);
	g_autoptr(CodeFacts) facts = callgrind_fold_code_facts(fold);
	for (guint i = 0; i < n_frames; i++) {
		FrameId frame = {i};
		if (!g_str_equal(stack_table_frame_name(f->table, frame), "hash"))
			continue;
		n_hash++;
		assert_int_equal(cells[2 * i].weight, cells[2 * i + 1].weight);
		assert_int_equal(code_facts_identity(facts, frame), CODE_SAME);
		assert_false(code_facts_is_outside(facts, frame));
		assert_int_equal(code_facts_place(facts, 1, frame)->first_line,
		        code_facts_place(facts, 0, frame)->first_line + 1);
	}
	assert_int_equal(n_hash, 1);
	assert_string_equal(stack_table_text(f->table, frame_named(f->profile, "hash")->file), "words.c");
}

static void without_its_object_file_a_dump_has_names(void **state)
{
	Folding *f = *state;
	g_autofree char *program = compile(f->folder, "gcc", "-O2 -g", "words.c", c_source, "words");
	run_program(f, program);
	assert_return_code(g_unlink(program), 0);
	guint64 total = fold_alone(f, NULL);
	assert_int_equal(profile_run_total(f->profile, 0).weight, total);
	assert_true(folded_weight(f->profile, 0, ";main;count;hash") > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_program_in_c_is_exact),
	        TEST(a_program_in_cpp_is_exact),
	        TEST(threads_are_exact),
	        TEST(a_program_at_fixed_addresses_is_exact),
	        TEST(addresses_are_not_taken_for_offsets),
	        TEST(a_shared_library_is_exact),
	        TEST(all_processes_of_a_command_are_exact),
	        TEST(inlined_functions_are_frames),
	        TEST(mutual_recursion_beyond_the_chain_is_cut),
	        TEST(calls_of_malloc_are_counted_on_their_paths),
	        TEST(there_are_as_many_allocations_as_memcheck_counts),
	        TEST(allocations_are_counted_in_the_region_only),
	        TEST(equal_functions_of_both_sides_are_one_frame),
	        TEST(without_its_object_file_a_dump_has_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
