/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of two recordings of another project, against what that project says they are: by call chain, and, where
 * FIREBREAK_KDAB_ELF names the recorded program, by unwinding and names. */
#include "core/durable.h"
#include "tests/profile/foldexample.h"
#include "tests/profile/sharedfile.h"

#define FIRST_KERNEL_ADDRESS ((guint64)1 << 63)
#define RECORDED_PROGRAM "vector_static_gcc_v9.1.0"

typedef struct {
	const char *name;
	guint64 samples, weight, kernel_frames, complete;
} Golden;

#define FOLDER "kdab-perfparser/vector_static_gcc/"

static const Golden goldens[] = {
        {"perf.data", 45, 11975357, 76, 43},
        {"perf.data.zstd", 34, 14945761, 124, 24},
};

static char *golden_text(const Golden *golden)
{
	char *content = NULL;
	g_autofree char *path = shared_fixture(FOLDER "%s.expected.txt", golden->name);
	assert_true(g_file_get_contents(path, &content, NULL, NULL));
	return content;
}

/* A sample as the golden text has it: `command TAB pid TAB tid TAB seconds`, then pairs of lines per frame. */
typedef struct {
	guint64 first_user; /* address of the innermost user frame, 0 = none */
	guint kernel_frames;
	char *chain; /* names from root to leaf, inlined functions marked; owned */
} GoldenSample;

static void golden_sample_clear(gpointer sample)
{
	g_free(((GoldenSample *)sample)->chain);
}

/* Cuts arguments and the result type off a demangled name, as our canonical names do. */
static char *bare_name(const char *name)
{
	guint depth = 0;
	const char *start = name, *end = name;
	for (; *end != '\0' && (depth > 0 || *end != '('); end++) {
		depth += *end == '<' || *end == '(';
		depth -= (*end == '>' || *end == ')') && depth > 0;
		if (*end == ' ' && depth == 0)
			start = end + 1;
	}
	return g_strndup(start, (gsize)(end - start));
}

/* One address may have several names, with and without underscores, of which either may be shown; the stub of an IFUNC
 * lies after _init. */
static const char *alias(const char *name)
{
	static const char *const aliases[][2] = {
	        {"[plt]", "_init"}, {"memcpy_avx_unaligned_erms", "memmove_avx_unaligned_erms"}};
	if (g_str_has_prefix(name, "__"))
		name += 2;
	for (guint i = 0; i < G_N_ELEMENTS(aliases); i++)
		if (g_str_equal(name, aliases[i][0]))
			return aliases[i][1];
	return name;
}

/* The second line of a frame: `... TAB name binary path [kernel]` or `... path  (inlined)`. */
static void add_golden_frame(GoldenSample *sample, guint64 address, char *name_line)
{
	if (strstr(name_line, "[kernel]") != NULL) {
		sample->kernel_frames++;
		return;
	}
	if (sample->first_user == 0)
		sample->first_user = address;
	char *name = strrchr(name_line, '\t') + 1;
	gboolean is_inlined = g_str_has_suffix(name, "(inlined)");
	char *binary = strstr(name, " " RECORDED_PROGRAM);
	if (binary != NULL)
		*binary = '\0';
	g_autofree char *bare = bare_name(name);
	g_autofree char *rest = g_steal_pointer(&sample->chain);
	sample->chain = g_strdup_printf(
	        "%s%s%s%s", alias(bare), is_inlined ? "_[i]" : "", rest != NULL ? ";" : "", rest != NULL ? rest : "");
}

/* The first line of a frame begins with its address. */
static gboolean is_location(const char *line, guint64 *address)
{
	char *end = (char *)line;
	if (*line == '\t')
		*address = g_ascii_strtoull(line + 1, &end, 16);
	return end > line + 1 && *end == ' ';
}

/* All samples of a golden text, of GoldenSample. */
static GArray *parse_golden(const char *text)
{
	GArray *samples = g_array_new(FALSE, TRUE, sizeof(GoldenSample));
	g_array_set_clear_func(samples, golden_sample_clear);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		guint64 address = 0;
		if (**line != '\0' && **line != '\t') {
			g_array_set_size(samples, samples->len + 1);
		} else if (is_location(*line, &address) && line[1] != NULL) {
			line++;
			add_golden_frame(&g_array_index(samples, GoldenSample, samples->len - 1), address, *line);
		}
	}
	return samples;
}

typedef struct {
	const GArray *golden;
	guint n_seen, kernel_frames;
} Comparing;

/* The innermost user address is known without the program: it is the sampled one, or that of the registers. */
static void compare_sample(gpointer data, const PerfDataRecord *record)
{
	enum { X86_IP = 8 };
	Comparing *comparing = data;
	const PerfDataSample *sample = &record->sample;
	if (record->kind != PERF_DATA_SAMPLE)
		return;
	assert_true(comparing->n_seen < comparing->golden->len);
	const GoldenSample *golden = &g_array_index(comparing->golden, GoldenSample, comparing->n_seen++);
	guint in_kernel = 0;
	for (guint i = 0; i < sample->chain_length; i++)
		in_kernel += sample->chain[i] >= FIRST_KERNEL_ADDRESS && sample->chain[i] < PERF_DATA_FIRST_MARKER;
	assert_int_equal(in_kernel, golden->kernel_frames);
	comparing->kernel_frames += in_kernel;
	if (golden->first_user == 0)
		return;
	guint position = (guint)__builtin_popcountll(sample->user_registers.mask & ((1 << X86_IP) - 1));
	guint64 address = record->cpu_mode == PERF_DATA_CPU_USER ? sample->ip : sample->user_registers.values[position];
	assert_int_equal(address, golden->first_user);
}

static void kernel_frames_and_user_addresses_are_those_of_the_golden_text(void **state)
{
	(void)state;
	static const PerfDataVisitor visitor = {.record = compare_sample};
	for (guint i = 0; i < G_N_ELEMENTS(goldens); i++) {
		char *text = golden_text(&goldens[i]);
		g_autofree char *path = shared_fixture(FOLDER "%s", goldens[i].name);
		g_autoptr(GArray) samples = parse_golden(text);
		g_free(text);
		Comparing comparing = {.golden = samples};
		assert_true(perfdata_read(path, &visitor, &comparing, NULL, NULL));
		assert_int_equal(comparing.n_seen, goldens[i].samples);
		assert_int_equal(comparing.kernel_frames, goldens[i].kernel_frames);
	}
}

static void samples_and_weights_are_those_of_the_golden_text(void **state)
{
	Example *e = *state;
	for (guint i = 0; i < G_N_ELEMENTS(goldens); i++) {
		RunQuality quality;
		g_autofree char *path = shared_fixture(FOLDER "%s", goldens[i].name);
		g_autoptr(PerfFold) fold = perf_fold_new(e->table);
		assert_true(perf_fold_add(fold, path, e->profile, 0, NULL, &quality, NULL));
		assert_int_equal(quality.samples, goldens[i].samples);
		assert_int_equal(quality.weight_total, goldens[i].weight);
	}
}

/* A directory in which the program lies at the path it was recorded at. */
static void take_program(gpointer data, const PerfDataRecord *record)
{
	const char *const *place = data; /* directory, program */
	if (record->kind != PERF_DATA_MMAP || !g_str_has_suffix(record->mmap.path, "/" RECORDED_PROGRAM))
		return;
	g_autofree char *path = g_build_filename(place[0], record->mmap.path, NULL);
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *content = NULL;
	gsize length;
	assert_true(g_file_get_contents(place[1], &content, &length, NULL));
	assert_int_equal(g_mkdir_with_parents(folder, 0755), 0);
	assert_true(g_file_set_contents(path, content, (gssize)length, NULL));
}

/* Counts how often each chain occurs; keys are owned. */
static void count_chain(GHashTable *chains, char *chain, int n)
{
	int before = GPOINTER_TO_INT(g_hash_table_lookup(chains, chain));
	g_hash_table_insert(chains, chain, GINT_TO_POINTER(before + n));
}

/* Without command and kernel, inlined functions marked. NULL for a stack with nothing else. */
static char *chain_of_stack(const StackTable *table, StackId stack)
{
	char *chain = NULL;
	for (; stack_table_depth(table, stack) > 1; stack = stack_table_parent(table, stack)) {
		FrameId frame = stack_table_leaf(table, stack);
		FrameKind kind = stack_table_get_frame(table, frame)->kind;
		if (kind == FRAME_KERNEL)
			continue;
		g_autofree char *rest = chain;
		chain = g_strdup_printf("%s%s%s%s", alias(stack_table_frame_name(table, frame)),
		        kind == FRAME_INLINED ? "_[i]" : "", rest != NULL ? ";" : "", rest != NULL ? rest : "");
	}
	return chain;
}

static guint64 count_own_chains(const Profile *profile, GHashTable *chains)
{
	guint64 complete = 0;
	for (guint i = 1; i < stack_table_n_stacks(profile->table); i++) {
		ProfileCell cell = profile_cell(profile, 0, (StackId){i});
		char *chain = cell.samples > 0 ? chain_of_stack(profile->table, (StackId){i}) : NULL;
		if (chain == NULL)
			continue;
		complete += g_str_has_prefix(chain, "_start;") ? cell.samples : 0;
		count_chain(chains, chain, -(int)cell.samples);
	}
	return complete;
}

static void compare_chains(const Golden *golden, const char *text, const Profile *profile)
{
	GHashTableIter iter;
	gpointer chain, left;
	guint unlike = 0;
	g_autoptr(GHashTable) chains = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GArray) samples = parse_golden(text);
	for (guint i = 0; i < samples->len; i++) {
		const GoldenSample *sample = &g_array_index(samples, GoldenSample, i);
		if (sample->chain != NULL)
			count_chain(chains, g_strdup(sample->chain), 1);
	}
	guint64 complete = count_own_chains(profile, chains);
	g_hash_table_iter_init(&iter, chains);
	while (g_hash_table_iter_next(&iter, &chain, &left)) {
		/* where the golden text has no user frame at all, we have the one of the registers */
		gboolean is_lone = strchr(chain, ';') == NULL && GPOINTER_TO_INT(left) < 0;
		unlike += GPOINTER_TO_INT(left) != 0 && !is_lone;
		if (GPOINTER_TO_INT(left) != 0)
			print_message("%s: %+d %s\n", golden->name, GPOINTER_TO_INT(left), (const char *)chain);
	}
	print_message("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
	              " samples reach _start, golden %" G_GUINT64_FORMAT "; %u chains differ\n",
	        golden->name, complete, golden->samples, golden->complete, unlike);
	assert_true(complete >= golden->complete);
	assert_int_equal(unlike, 0);
}

static void unwound_chains_are_those_of_the_golden_text(void **state)
{
	Example *e = *state;
	static const PerfDataVisitor visitor = {.record = take_program};
	const char *program = getenv("FIREBREAK_KDAB_ELF");
	if (program == NULL) {
		print_message("skipped: FIREBREAK_KDAB_ELF does not name the recorded program\n");
		skip();
	}
	for (guint i = 0; i < G_N_ELEMENTS(goldens); i++) {
		tear_down((void **)&e);
		set_up((void **)&e);
		*state = e;
		g_autofree char *text = golden_text(&goldens[i]);
		g_autofree char *path = shared_fixture(FOLDER "%s", goldens[i].name);
		const char *place[] = {e->folder, program};
		g_autoptr(PerfFold) fold = perf_fold_new(e->table);
		assert_true(perfdata_read(path, &visitor, place, NULL, NULL));
		assert_true(
		        perf_fold_add(fold, path, e->profile, 0, &(PerfFoldOptions){.symfs = e->folder}, NULL, NULL));
		assert_true(perf_fold_finish(fold, NULL, NULL));
		assert_true(durable_remove_tree(e->folder, NULL));
		compare_chains(&goldens[i], text, e->profile);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(kernel_frames_and_user_addresses_are_those_of_the_golden_text),
	        cmocka_unit_test_setup_teardown(samples_and_weights_are_those_of_the_golden_text, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(unwound_chains_are_those_of_the_golden_text, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
