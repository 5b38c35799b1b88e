/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/frameworks.h"

#include "core/regularfile.h"

#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES (1024 * 1024)
#define MAX_FILE_BYTES (G_GUINT64_CONSTANT(1) << 30)
#define MAX_TEXT 96
#ifdef __x86_64__
#define MULTIARCH "x86_64-linux-gnu"
#else
#define MULTIARCH "aarch64-linux-gnu"
#endif

/* A text that only programs of a framework hold. It is kept in two halves, so that firebreak itself does not. */
typedef struct {
	FrameworkId id;
	const char *begin, *end;
} Mark;

/* In the order in which they are believed: programs of criterion may hold libtest, too. */
static const Mark marks[] = {
        /* a symbol, also of a program that links the library; what usage says, in one that is stripped */
        {FRAMEWORK_GOOGLE_BENCHMARK, "_ZN9benchmark22Run", "SpecifiedBenchmarks"},
        {FRAMEWORK_GOOGLE_BENCHMARK, "_ZN9benchmark8internal25Register", "BenchmarkInternal"},
        {FRAMEWORK_GOOGLE_BENCHMARK, "benchmark [--benchmark_list_", "tests={true|false}]"},
        /* the name of a type that is made for each BENCHMARK that a test case holds; version 2 and 3 */
        {FRAMEWORK_CATCH2, "N5Catch9Benchmark6Detail17Benchmark", "Function5modelIZ"},
        /* variables of the environment that they look at */
        {FRAMEWORK_NANOBENCH, "NANOBENCH_", "ENDLESS"},
        {FRAMEWORK_CRITERION, "CRITERION_", "DEBUG"},
        {FRAMEWORK_LIBTEST, "RUST_TEST_", "THREADS"},
        /* a function in Go's table of names, which every program has */
        {FRAMEWORK_GO, "testing.(*B).", "launch"},
};

/* Texts of google-benchmark since version 1.8, the first that takes a number of iterations. */
static const Mark takes_iterations[] = {
        {FRAMEWORK_GOOGLE_BENCHMARK, "min_time=`<integer>x` OR", " `<float>s`"},
        {FRAMEWORK_GOOGLE_BENCHMARK, "Expected --benchmark_min_time=", "<integer>x"},
};

typedef struct {
	char text[MAX_TEXT];
	gsize length;
	gboolean found;
} Wanted;

static int open_program(const char *path)
{
	gint64 size = 0;
	char magic[4] = "";
	int fd = regular_file_open(path, 0, G_MAXINT64, &size);
	if (fd < 0)
		return -1;
	if (pread(fd, magic, sizeof magic, 0) == (gssize)sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Read and not mapped: a change may cut the file short meanwhile. */
static void search(int fd, Wanted *wanted, gsize n)
{
	g_autofree char *bytes = g_malloc(MAX_TEXT + CHUNK_BYTES);
	gsize kept = 0;
	guint64 seen = 0;
	gssize got;
	while (seen < MAX_FILE_BYTES && (got = read(fd, bytes + kept, CHUNK_BYTES)) > 0) {
		gsize length = kept + (gsize)got;
		for (gsize i = 0; i < n; i++)
			wanted[i].found =
			        wanted[i].found || memmem(bytes, length, wanted[i].text, wanted[i].length) != NULL;
		kept = MIN(length, MAX_TEXT - 1);
		memmove(bytes, bytes + length - kept, kept);
		seen += (guint64)got;
	}
}

/* The first of the marks that the program holds, or NULL. */
static const Mark *first_mark(const char *path, const Mark *candidates, gsize n)
{
	g_autofree Wanted *wanted = g_new0(Wanted, n);
	int fd = open_program(path);
	if (fd < 0)
		return NULL;
	for (gsize i = 0; i < n; i++)
		wanted[i].length =
		        (gsize)g_snprintf(wanted[i].text, MAX_TEXT, "%s%s", candidates[i].begin, candidates[i].end);
	search(fd, wanted, n);
	close(fd);
	for (gsize i = 0; i < n; i++)
		if (wanted[i].found)
			return &candidates[i];
	return NULL;
}

FrameworkId framework_of_file(const char *path)
{
	const Mark *mark = first_mark(path, marks, G_N_ELEMENTS(marks));
	return mark != NULL ? mark->id : FRAMEWORK_NONE;
}

gboolean framework_file_asks_cpu_clock(const char *path)
{
	/* with the NULs around them in a table of names, where the name is a word of English; what libraries of the
	 * system ask for a program stands below those that it asks itself: Fortran's of gfortran, flang and ifort, and
	 * Boost's */
	static const struct {
		const char *text;
		gsize length;
	} names[] = {{"\0clock", 7}, {"\0times", 7}, {"getrusage", 9}, {"clock_gettime", 13}, {"setitimer", 9},
	        {"timer_create", 12}, {"_gfortran_cpu_time", 18}, {"_gfortran_etime", 15}, {"_gfortran_dtime", 15},
	        {"_gfortran_second", 16}, {"FortranACpuTime", 15}, {"for_cpusec", 10}, {"5boost5timer", 12},
	        {"process_cpu_clock", 17}};
	Wanted wanted[G_N_ELEMENTS(names)] = {0};
	int fd = open_program(path);
	gboolean asks = FALSE;
	if (fd < 0)
		return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		memcpy(wanted[i].text, names[i].text, names[i].length);
		wanted[i].length = names[i].length;
	}
	search(fd, wanted, G_N_ELEMENTS(names));
	close(fd);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		asks = asks || wanted[i].found;
	return asks;
}

/* The value of the last of the words that set this option, as `OPTION=VALUE` or `OPTION VALUE`; NULL if none does. */
static const char *option_value(const char *const *words, const char *option)
{
	const char *value = NULL;
	gsize length = strlen(option);
	for (; *words != NULL; words++) {
		/* Go takes two dashes for one */
		const char *word = g_str_has_prefix(*words, "--test.") ? *words + 1 : *words;
		if (strncmp(word, option, length) != 0)
			continue;
		if (word[length] == '=')
			value = word + length + 1;
		else if (word[length] == '\0')
			value = words[1] != NULL ? words[1] : "";
	}
	return value;
}

/* TRUE for "100x". */
static gboolean is_count(const char *value)
{
	gsize digits = value != NULL ? strspn(value, "0123456789") : 0;
	return digits > 0 && g_str_equal(value + digits, "x");
}

/* TRUE if the program is of a version that obeys a number of iterations, or the library that it links is. */
static gboolean google_takes_iterations(const char *path)
{
	static const char *const libraries[] = {"/usr/local/lib/libbenchmark.so.1",
	        "/usr/lib/" MULTIARCH "/libbenchmark.so.1", "/usr/lib/" MULTIARCH "/libbenchmark.so.1debian",
	        "/usr/lib64/libbenchmark.so.1", "/usr/lib/libbenchmark.so.1"};
	gsize n = G_N_ELEMENTS(takes_iterations);
	if (first_mark(path, takes_iterations, n) != NULL)
		return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(libraries); i++)
		if (g_file_test(libraries[i], G_FILE_TEST_EXISTS))
			return first_mark(libraries[i], takes_iterations, n) != NULL;
	return FALSE;
}

/* TRUE if it only says which cases it has, or what it can do. */
static gboolean only_lists(FrameworkId id, const char *const *words)
{
	static const char *const lists[] = {"--help", "-h", "-?", "--list", "--list-tests", "-l", "--list-tags", "-t",
	        "--list-test-names-only", "--list-reporters", NULL};
	const char *names = option_value(words, "--benchmark_list_tests");
	if (id == FRAMEWORK_GOOGLE_BENCHMARK)
		return g_strv_contains(words, "--help") ||
		       (names != NULL && !g_str_equal(names, "false") && !g_str_equal(names, "0"));
	if (id == FRAMEWORK_GO)
		return option_value(words, "-test.list") != NULL;
	if (id == FRAMEWORK_CRITERION || id == FRAMEWORK_LIBTEST)
		return g_strv_contains(words, "--list") || g_strv_contains(words, "--help");
	for (gsize i = 0; id == FRAMEWORK_CATCH2 && lists[i] != NULL; i++)
		if (g_strv_contains(words, lists[i]))
			return TRUE;
	return FALSE;
}

gboolean framework_calibrates(FrameworkId id, const char *path, const char *const *words)
{
	if (only_lists(id, words))
		return FALSE;
	switch (id) {
	case FRAMEWORK_GOOGLE_BENCHMARK:
		return !is_count(option_value(words, "--benchmark_min_time")) || !google_takes_iterations(path);
	case FRAMEWORK_GO:
		return option_value(words, "-test.bench") != NULL && !is_count(option_value(words, "-test.benchtime"));
	case FRAMEWORK_CRITERION:
	case FRAMEWORK_LIBTEST:
		return g_strv_contains(words, "--bench") && !g_strv_contains(words, "--test");
	case FRAMEWORK_CATCH2:
		return !g_strv_contains(words, "--skip-benchmarks");
	case FRAMEWORK_NANOBENCH:
		return TRUE;
	default:
		return FALSE;
	}
}
