/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrind.h"

#include "core/child.h"
#include "core/error.h"
#include "model/textpiece.h"
#include "profile/fold/objectidentity.h"
#include "runner/compilers/compilerflags.h"
#include "runner/machine.h"
#include "runner/trees/hostenv.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>

#define PROGRAM "valgrind"
#define WRAPPED_SUFFIX ".bin" /* of the real program, where a distribution has a shell script in its place */
#define MIN_MAJOR 3
#define MIN_MINOR 15 /* the first with DHAT under that name, and with times of system calls */
#define VERSION_TIMEOUT_MS 30000
#define HASH_DIGITS 16

#ifdef __x86_64__
#define LIBRARY_FOLDER "x86_64-linux-gnu"
#else
#define LIBRARY_FOLDER "aarch64-linux-gnu"
#endif

/* Tunables by which libc chooses its functions. They are switched off so that every processor gets those for the plain
 * instruction set; and the sizes of caches by which it cuts its loops. Names have changed with version 2.33; libc
 * passes over those that it does not know, but each costs instructions at the start of every process. The comma at the
 * end is needed: without it, versions up to 2.38 read on after the list, through the rest of the environment. Source:
 * glibc, sysdeps/x86/cpu-tunables.c. */
#ifdef __x86_64__
#define FIRST_PLAIN_NAMES 33 /* minor version of libc 2 */
#define PLAIN_NAMES "-AVX,-AVX2,-AVX512F,-AVX512VL,-FMA,"
#define USABLE_NAMES "-AVX_Usable,-AVX2_Usable,-AVX512F_Usable,-FMA_Usable,"
#define SHARED_NAMES "-AVX_Fast_Unaligned_Load,-BMI2,-ERMS,-SSE4_1,-SSE4_2,-SSSE3,"
#define CACHE_SIZES                                                                                                    \
	":glibc.cpu.x86_data_cache_size=32768:glibc.cpu.x86_shared_cache_size=1048576"                                 \
	":glibc.cpu.x86_non_temporal_threshold=786432"

static const char *libc_tunables(void)
{
	guint minor = 0;
	if (sscanf(gnu_get_libc_version(), "2.%u", &minor) == 1 && minor < FIRST_PLAIN_NAMES)
		return "glibc.cpu.hwcaps=" USABLE_NAMES SHARED_NAMES CACHE_SIZES;
	return "glibc.cpu.hwcaps=" PLAIN_NAMES SHARED_NAMES CACHE_SIZES;
}
#else
static const char *libc_tunables(void)
{
	return "glibc.cpu.name=generic";
}
#endif

/* Valgrind shows programs one of a few processors: the best that the real one can stand for. The first line decides
 * which, those of the second are passed through (x86); on aarch64 the kernel's list is passed on as far as valgrind
 * knows the words. */
#ifdef __x86_64__
static const char *const shown_features[] = {"avx2", "avx", "ssse3", "pni", "cx16", /**/ "f16c", "rdrand", "rdseed"};
#else
static const char *const shown_features[] = {"fp", "asimd", "aes", "pmull", "sha1", "sha2", "crc32", "atomics", "fphp",
        "asimdhp", "asimdrdm", "asimddp", "asimdfhm", "dcpop", "sha3", "sha512"};
#endif

void valgrind_free(Valgrind *valgrind)
{
	if (valgrind == NULL)
		return;
	g_free(valgrind->program);
	g_free(valgrind->version);
	g_free(valgrind->cpu);
	g_free(valgrind->tunables);
	g_free(valgrind);
}

static gboolean is_elf(const char *path)
{
	char magic[4] = "";
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return FALSE;
	gsize n = fread(magic, 1, sizeof magic, file);
	fclose(file);
	return n == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0;
}

/* The program itself: a script in its place sets variables that the benchmark would see, with a working folder in them.
 */
static char *find_program(GError **error)
{
	g_autofree char *program = g_find_program_in_path(PROGRAM);
	if (program == NULL) {
		firebreak_refuse(error, FIREBREAK_ERROR_ENVIRONMENT,
		        "valgrind is not installed; `engines: [callgrind]` needs it (apt install valgrind)");
		return NULL;
	}
	g_autofree char *wrapped = g_strconcat(program, WRAPPED_SUFFIX, NULL);
	if (!is_elf(program) && g_file_test(wrapped, G_FILE_TEST_IS_EXECUTABLE))
		return g_steal_pointer(&wrapped);
	return g_steal_pointer(&program);
}

/* From "valgrind-3.19.0\n". */
static gboolean parse_version(Valgrind *valgrind, const char *text, GError **error)
{
	const char *at = g_str_has_prefix(text, PROGRAM "-") ? text + strlen(PROGRAM "-") : "";
	char *end = (char *)at;
	valgrind->version = g_strndup(at, strcspn(at, " \n"));
	valgrind->major = (guint)g_ascii_strtoull(at, &end, 10);
	valgrind->minor = *end == '.' ? (guint)g_ascii_strtoull(end + 1, NULL, 10) : 0;
	if (end == at)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_ENVIRONMENT, "%s --version says no version", valgrind->program);
	if (valgrind->major < MIN_MAJOR || (valgrind->major == MIN_MAJOR && valgrind->minor < MIN_MINOR))
		return firebreak_refuse(error, FIREBREAK_ERROR_ENVIRONMENT,
		        "valgrind %s is too old; `engines: [callgrind]` needs %d.%d", valgrind->version, MIN_MAJOR,
		        MIN_MINOR);
	return TRUE;
}

static gboolean ask_version(Valgrind *valgrind, GError **error)
{
	const char *const argv[] = {valgrind->program, "--version", NULL};
	g_auto(GStrv) environment = benchmark_environment("/", NULL, 0);
	const ChildSpec spec = {
	        .argv = argv,
	        .envp = (const char *const *)environment,
	        .cwd = "/",
	        .timeout_ms = VERSION_TIMEOUT_MS,
	};
	g_autoptr(Child) child = child_run(&spec, error);
	if (child == NULL)
		return FALSE;
	g_autofree char *failure = child_describe_failure(child_result(child));
	if (failure != NULL)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_ENVIRONMENT, "%s --version %s", valgrind->program, failure);
	return parse_version(valgrind, child_result(child)->out->str, error);
}

static char *shown_cpu(void)
{
	g_autofree char *features = machine_cpu_features();
	g_auto(GStrv) words = g_strsplit(features, " ", -1);
	GString *shown = g_string_new(NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(shown_features); i++)
		if (g_strv_contains((const char *const *)words, shown_features[i]))
			g_string_append_printf(shown, "%s%s", shown->len > 0 ? " " : "", shown_features[i]);
	return g_string_free(shown, FALSE);
}

Valgrind *valgrind_find(GError **error)
{
	g_autoptr(Valgrind) valgrind = g_new0(Valgrind, 1);
	valgrind->program = find_program(error);
	if (valgrind->program == NULL || !ask_version(valgrind, error))
		return NULL;
	valgrind->cpu = shown_cpu();
	valgrind->tunables = g_strdup(libc_tunables());
	return g_steal_pointer(&valgrind);
}

/* The path of a system library; NULL if it is in none of the usual places. Owned by the caller. */
static char *find_library(const char *name)
{
	static const char *const folders[] = {"/lib/" LIBRARY_FOLDER, "/usr/lib/" LIBRARY_FOLDER, "/lib64",
	        "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib64", "/usr/local/lib"};
	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
		char *path = g_build_filename(folders[i], name, NULL);
		if (is_elf(path))
			return path;
		g_free(path);
	}
	return NULL;
}

/* "libc.so.6:5b1a2c3d4e5f, ...", of those that are there. Owned by the caller. */
static char *system_libraries(void)
{
	static const char *const names[] = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-musl-x86_64.so.1",
	        "ld-musl-aarch64.so.1", "libc.so.6", "libm.so.6", "libpthread.so.0", "libgcc_s.so.1", "libstdc++.so.6"};
	GString *text = g_string_new(NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = find_library(names[i]);
		if (path == NULL)
			continue;
		g_autofree char *identity = object_identity(path);
		g_string_append_printf(text, "%s%s:%s", text->len > 0 ? ", " : "", names[i], identity);
	}
	return g_string_free(text, FALSE);
}

/* Each text with its NUL, so that no two lists of texts are the same bytes. */
static void hash_text(GChecksum *hash, const char *text)
{
	g_checksum_update(hash, (const guchar *)text, (gssize)strlen(text) + 1);
}

static void hash_number(GChecksum *hash, guint number)
{
	g_autofree char *text = g_strdup_printf("%u", number);
	hash_text(hash, text);
}

static void hash_texts(GChecksum *hash, char *const *texts)
{
	for (; texts != NULL && *texts != NULL; texts++)
		hash_text(hash, *texts);
	hash_text(hash, "");
}

static void set_hash(Environment *environment, const char *name, GChecksum *hash)
{
	g_autofree char *text = g_strndup(g_checksum_get_string(hash), HASH_DIGITS);
	environment_set(environment, name, METRIC_DETERMINISTIC, text);
}

static void set_build(Environment *environment, const CountedEnvironmentPlan *plan)
{
	g_autoptr(GChecksum) hash = g_checksum_new(G_CHECKSUM_SHA256);
	hash_texts(hash, plan->build->build_command);
	hash_text(hash, compiler_flags_text());
	set_hash(environment, "build", hash);
}

static void hash_pass_env(GChecksum *hash, char *const *names)
{
	for (; names != NULL && *names != NULL; names++) {
		const char *value = g_getenv(*names);
		hash_text(hash, *names);
		hash_text(hash, value != NULL ? "set" : "unset");
		hash_text(hash, value != NULL ? value : "");
	}
}

/* All that a run sees of it but what is padded to one length or differs from run to run. */
static void hash_environment(GChecksum *hash, char *const *pass_env)
{
	static const char *const left_out[] = {"HOME=", "TMPDIR=", "FIREBREAK_"};
	g_auto(GStrv) environment = benchmark_environment("/", pass_env, 0);
	for (char **variable = environment; *variable != NULL; variable++) {
		gboolean counts = TRUE;
		for (gsize i = 0; i < G_N_ELEMENTS(left_out); i++)
			counts = counts && !g_str_has_prefix(*variable, left_out[i]);
		if (counts)
			hash_text(hash, *variable);
	}
	hash_text(hash, "");
}

/* A program of the machine is no part of the checkout, whose commit names all that is in it. */
static void hash_program(GChecksum *hash, const char *name)
{
	g_autofree char *path = strchr(name, G_DIR_SEPARATOR) != NULL ? g_strdup(name) : g_find_program_in_path(name);
	g_autofree char *identity = path != NULL && g_path_is_absolute(path) ? object_identity(path) : g_strdup("");
	hash_text(hash, identity);
}

static void set_benchmark(Environment *environment, const CountedEnvironmentPlan *plan)
{
	const ConfigBenchmark *benchmark = plan->benchmark;
	char work[G_ASCII_DTOSTR_BUF_SIZE];
	g_autofree char *options = g_strdup_printf("%s cache=%d heap=%d call_depth=%u work=%s%s folder=%zu",
	        measure_name(benchmark->measure), benchmark->cache, benchmark->heap, benchmark->call_depth,
	        g_ascii_dtostr(work, sizeof work, benchmark->work), benchmark->work_reported ? " or reported" : "",
	        plan->arena_dir != NULL ? strlen(plan->arena_dir) : 0);
	g_autoptr(GChecksum) hash = g_checksum_new(G_CHECKSUM_SHA256);
	hash_texts(hash, benchmark->command);
	hash_text(hash, benchmark->cwd);
	hash_text(hash, options);
	/* iterations that nobody names are those of the counts that are stored */
	if (benchmark->framework > FRAMEWORK_NONE) {
		hash_text(hash, framework_name(benchmark->framework));
		hash_text(hash, benchmark->filter != NULL ? benchmark->filter : "");
		hash_number(hash, benchmark->iterations);
	}
	hash_pass_env(hash, plan->pass_env);
	hash_environment(hash, plan->pass_env);
	hash_program(hash, benchmark->command[0]);
	set_hash(environment, "benchmark", hash);
}

/* TRUE if counts depend on this field of the machine. A page is what malloc asks the kernel for. */
static gboolean decides_counts(const char *name)
{
	static const char *const names[] = {"architecture", "compiler", "libc", "page_size", NULL};
	return g_strv_contains(names, name);
}

Environment *counted_environment(const CountedEnvironmentPlan *plan)
{
	Environment *environment = environment_new();
	for (guint i = 0; i < plan->machine->fields->len; i++) {
		const EnvironmentField *field = plan->machine->fields->pdata[i];
		environment_set(environment, field->name,
		        decides_counts(field->name) ? METRIC_DETERMINISTIC : METRIC_SAME_CAMPAIGN, field->value);
	}
	g_autofree char *libraries = system_libraries();
	/* Profiles that do not tell a function from its inlined copies have other costs per function. */
	environment_set(environment, "functions", METRIC_DETERMINISTIC, "physical");
	environment_set(environment, "system_libraries", METRIC_DETERMINISTIC, libraries);
	environment_set(environment, "tunables", METRIC_DETERMINISTIC, plan->valgrind->tunables);
	environment_set(environment, "valgrind", METRIC_DETERMINISTIC, plan->valgrind->version);
	environment_set(environment, "valgrind_cpu", METRIC_DETERMINISTIC, plan->valgrind->cpu);
	environment_set(environment, "valgrind_program", METRIC_DETERMINISTIC, plan->valgrind->program);
	set_build(environment, plan);
	set_benchmark(environment, plan);
	return environment;
}

/* --- what ran --- */

static gboolean lies_in(const char *path, const char *folder)
{
	gsize length = strlen(folder);
	while (length > 0 && folder[length - 1] == G_DIR_SEPARATOR)
		length--;
	return strncmp(path, folder, length) == 0 && path[length] == G_DIR_SEPARATOR;
}

/* Adds "name:build-id". */
static void add_library(GString *text, const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *identity = object_identity(path);
	g_string_append_printf(text, "%s%s:%s", text->len > 0 ? ", " : "", name, identity);
}

/* The tools that the modules name, each list of tools once and in whatever order the modules came. Owned by the caller.
 */
static char *tools_identity(GPtrArray *comments)
{
	g_autoptr(GChecksum) hash = g_checksum_new(G_CHECKSUM_SHA256);
	g_ptr_array_sort(comments, text_order);
	for (guint i = 0; i < comments->len; i++)
		if (i == 0 || strcmp(comments->pdata[i], comments->pdata[i - 1]) != 0)
			hash_text(hash, comments->pdata[i]);
	return comments->len > 0 ? g_strndup(g_checksum_get_string(hash), HASH_DIGITS) : g_strdup("");
}

static void add_comment(GPtrArray *comments, const char *path)
{
	g_autoptr(GBytes) comment = object_comment(path);
	gsize bytes = 0;
	const guchar *content = comment != NULL ? g_bytes_get_data(comment, &bytes) : NULL;
	if (comment != NULL)
		g_ptr_array_add(comments, g_compute_checksum_for_data(G_CHECKSUM_SHA256, content, bytes));
}

void counted_environment_add_modules(Environment *environment, const GPtrArray *paths, const char *tree_dir)
{
	g_autoptr(GPtrArray) sorted = g_ptr_array_new(), comments = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) libraries = g_string_new(NULL);
	for (guint i = 0; i < paths->len; i++)
		g_ptr_array_add(sorted, paths->pdata[i]);
	g_ptr_array_sort(sorted, text_order);
	for (guint i = 0; i < sorted->len; i++) {
		const char *path = sorted->pdata[i];
		if (i > 0 && g_str_equal(path, sorted->pdata[i - 1]))
			continue;
		if (lies_in(path, tree_dir))
			add_comment(comments, path);
		else
			add_library(libraries, path);
	}
	g_autofree char *tools = tools_identity(comments);
	environment_set(environment, "libraries", METRIC_SAME_CAMPAIGN, libraries->str);
	environment_set(environment, "tools", METRIC_SAME_CAMPAIGN, tools);
}
