#include "runner/side.h"

#include "core/cancel.h"
#include "core/child.h"
#include "core/durable.h"
#include "core/error.h"
#include "core/repocheckout.h"
#include "profile/symbols/functionorder.h"
#include "profile/symbols/symbolchild.h"
#include "runner/hostenv.h"
#include "runner/privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE_KEEP 12
#define COPY_TIMEOUT_MS (10 * 60 * 1000)
#define OLDEST_LLD 13    /* older ones cannot shuffle only what lies in .text */
#define SHUFFLED_SHARE 4 /* 1 of so many functions must have another one after it, else it is no shuffle */

void side_clear(Side *side)
{
	g_clear_pointer(&side->tree_dir, g_free);
	g_clear_pointer(&side->build_dir, g_free);
	if (side->lock != 0)
		close(side->lock);
	side->lock = 0;
}

static void progress(const SidePlan *plan, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void progress(const SidePlan *plan, const char *format, ...)
{
	if (plan->progress == NULL)
		return;
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	plan->progress(plan->progress_data, text);
}

/* First line of what `program --version` says, "" if it fails. `program` may have arguments. Owned by the caller. */
static char *program_version(const char *program)
{
	g_auto(GStrv) environment = benchmark_environment("/nonexistent", NULL, 0);
	const char *argv[] = {"/bin/sh", "-c", "exec $0 --version", program, NULL};
	ChildSpec spec = {.argv = argv, .envp = (const char *const *)environment, .cwd = "/", .timeout_ms = 10000};
	g_autoptr(Child) child = child_run(&spec, NULL);
	if (child == NULL || child_result(child)->exit_code != 0)
		return g_strdup("");
	const char *text = child_result(child)->out->str;
	return g_strndup(text, strcspn(text, "\n"));
}

char *compiler_version(void)
{
	return program_version(g_getenv("CC") != NULL ? g_getenv("CC") : "cc");
}

/* "Debian LLD 14.0.6 (compatible with GNU linkers)" -> 14; 0 if it is no such line. */
static guint64 lld_major(const char *version)
{
	const char *name = strstr(version, "LLD ");
	return name != NULL ? g_ascii_strtoull(name + strlen("LLD "), NULL, 10) : 0;
}

gboolean side_can_shuffle(GError **error)
{
	g_autofree char *version = program_version("ld.lld");
	if (lld_major(version) >= OLDEST_LLD)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT,
	        "layouts are shuffled by ld.lld %d or newer, found %s; install the package lld, or set `layouts: 1`",
	        OLDEST_LLD, *version != '\0' ? version : "none");
	return FALSE;
}

char *default_cache_dir(void)
{
	char *path = g_build_filename(g_get_user_cache_dir(), "firebreak", NULL);
	if (g_mkdir_with_parents(path, 0700) == 0 && g_access(path, W_OK) == 0)
		return path;
	g_free(path);
	return NULL;
}

static void add_file(GChecksum *sum, const char *path)
{
	GStatBuf status;
	if (g_stat(path, &status) != 0)
		return;
	g_autofree char *line = g_strdup_printf("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", path,
	        (gint64)status.st_size, (gint64)status.st_mtime);
	g_checksum_update(sum, (const guchar *)line, -1);
}

/* The tools of this machine, as far as a few looks can tell that one was changed: what lies in the folders of PATH, the
 * package database, and the usual compilers themselves. A build made with other tools must not be compared with. */
static void add_toolchain(GChecksum *sum)
{
	static const char *const tools[] = {"cc", "c++", "gcc", "g++", "clang", "clang++", "ld", "ld.lld", "as", "ar",
	        "make", "cmake", "ninja", "meson", "rustc", "cargo", "go", "zig"};
	const char *path = g_getenv("PATH");
	g_auto(GStrv) folders = g_strsplit(path != NULL ? path : "", ":", -1);
	for (char **folder = folders; *folder != NULL; folder++) {
		add_file(sum, *folder);
		for (gsize i = 0; i < G_N_ELEMENTS(tools); i++) {
			g_autofree char *tool = g_build_filename(*folder, tools[i], NULL);
			add_file(sum, tool);
		}
	}
	add_file(sum, "/var/lib/dpkg/status");
	add_file(sum, "/var/lib/rpm");
	add_file(sum, "/etc/ld.so.cache");
}

/* Everything that decides what the build makes. Submodules are named by the tree itself. */
static char *cache_key(const SidePlan *plan, const Choice *choice)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	const char *parts[] = {"firebreak-build-1", choice->tree, plan->compiler, build_flags_text()};
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		g_checksum_update(sum, (const guchar *)parts[i], (gssize)strlen(parts[i]) + 1);
	for (char **arg = plan->config->build_command; arg != NULL && *arg != NULL; arg++)
		g_checksum_update(sum, (const guchar *)*arg, (gssize)strlen(*arg) + 1);
	g_auto(GStrv) environment = build_environment("", "", plan->pass_env, plan->layout);
	for (char **variable = environment; *variable != NULL; variable++)
		g_checksum_update(sum, (const guchar *)*variable, (gssize)strlen(*variable) + 1);
	if (plan->privileges)
		g_checksum_update(sum, (const guchar *)"privileges", -1);
	add_toolchain(sum);
	return g_strndup(g_checksum_get_string(sum), 32);
}

static gboolean build_failed(const SidePlan *plan, const char *name, const ChildResult *result, GError **error)
{
	g_autofree char *what = child_describe_failure(result);
	const char *output = result->err->len > 0 ? result->err->str : result->out->str;
	gsize length = strlen(output), shown = MIN(length, 4000);
	g_autofree char *layout =
	        plan->layout > 0 ? g_strdup_printf(" for layout %u (linked by ld.lld, see `layouts`)", plan->layout)
	                         : g_strdup("");
	g_autofree char *hint = plan->privileges ? NULL : privileges_hint(result, "", "the build");
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BUILD, "the build of %s%s %s%s%s\n%s", name, layout, what,
	        hint != NULL ? "; " : "", hint != NULL ? hint : "", output + length - shown);
	return FALSE;
}

static gboolean run_build(const SidePlan *plan, const char *name, const char *tree, const char *scratch, GError **error)
{
	if (plan->config->build_command == NULL)
		return TRUE;
	g_auto(GStrv) environment = build_environment(tree, scratch, plan->pass_env, plan->layout);
	ChildSpec spec = {
	        .argv = (const char *const *)plan->config->build_command,
	        .envp = (const char *const *)environment,
	        .cwd = tree,
	        .no_new_privileges = !plan->privileges,
	        .timeout_ms = plan->config->build_timeout_ms,
	};
	g_autoptr(Child) child = child_run(&spec, error);
	if (child == NULL)
		return FALSE;
	const ChildResult *result = child_result(child);
	if (result->exit_code == 0 && !result->timed_out && result->exec_errno == 0)
		return TRUE;
	return build_failed(plan, name, result, error);
}

/* Checks out and builds in `dir`/tree, from nothing. */
static gboolean make_build(
        const SidePlan *plan, const char *name, const Choice *choice, const char *dir, GError **error)
{
	g_autofree char *tree = g_build_filename(dir, "tree", NULL), *scratch = g_build_filename(dir, "tmp", NULL);
	guint pointers = 0;
	if (!durable_remove_tree(tree, error) || !durable_remove_tree(scratch, error) ||
	        !durable_make_dir(scratch, error) ||
	        !repo_checkout_tree(plan->repo, choice->tree, tree, &pointers, error) ||
	        !repo_checkout_submodules(plan->repo, choice->tree, tree, NULL, &pointers, error))
		return FALSE;
	if (pointers > 0)
		finding_add(plan->findings, FINDING_WARNING, "lfs_pointers", NULL,
		        "%u files of %s are Git LFS pointers, not their contents: filters are not run on what a pull "
		        "request "
		        "brings",
		        pointers, name);
	if (!run_build(plan, name, tree, scratch, error))
		return FALSE;
	return durable_remove_tree(scratch, error);
}

static int newest_first(gconstpointer a, gconstpointer b)
{
	GStatBuf x = {0}, y = {0};
	g_autofree char *done_a = g_build_filename(*(char *const *)a, "done", NULL);
	g_autofree char *done_b = g_build_filename(*(char *const *)b, "done", NULL);
	(void)g_stat(done_a, &x);
	(void)g_stat(done_b, &y);
	return x.st_mtime == y.st_mtime  ? strcmp(*(char *const *)a, *(char *const *)b)
	       : x.st_mtime < y.st_mtime ? 1
	                                 : -1;
}

/* Locks the folder of a build, made if it is missing. Another process may remove it between opening and locking; then
 * the lock is on a folder that is gone, and is taken again on the new one. */
static int lock_build(const char *dir, int how, GError **error)
{
	for (;;) {
		struct stat locked, named;
		if (!durable_make_dir(dir, error))
			return -1;
		int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0 || flock(fd, how) != 0 || fstat(fd, &locked) != 0) {
			int failed = errno;
			if (fd >= 0)
				close(fd);
			if (failed != EINTR || cancel_check(error))
				firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, failed, "cannot lock %s", dir);
			return -1;
		}
		if (stat(dir, &named) == 0 && named.st_ino == locked.st_ino && named.st_dev == locked.st_dev)
			return fd;
		close(fd);
	}
}

/* Where there are layouts, each check makes that many of either side, which the next one should find. */
static guint builds_to_keep(const Config *config)
{
	guint most = 1;
	for (guint i = 0; i < config->benchmarks->len; i++)
		most = MAX(most, ((const ConfigBenchmark *)config->benchmarks->pdata[i])->layouts);
	return CACHE_KEEP + 2 * (most - 1);
}

/* Removes all but the newest `keep` builds; one that is in use is left alone. */
static void prune_builds(const char *builds, guint keep)
{
	g_autoptr(GPtrArray) dirs = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(builds, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
		g_ptr_array_add(dirs, g_build_filename(builds, name, NULL));
	g_ptr_array_sort(dirs, newest_first);
	for (guint i = keep; i < dirs->len; i++) {
		int lock = lock_build(dirs->pdata[i], LOCK_EX | LOCK_NB, NULL);
		if (lock < 0)
			continue;
		durable_remove_tree(dirs->pdata[i], NULL);
		close(lock);
	}
}

/* A copy that shares the file system's blocks where it can. */
static gboolean copy_tree(const char *from, const char *to, GError **error)
{
	g_auto(GStrv) environment = benchmark_environment("/nonexistent", NULL, 0);
	const char *argv[] = {"cp", "-a", "--reflink=auto", "--", from, to, NULL};
	ChildSpec spec = {
	        .argv = argv, .envp = (const char *const *)environment, .cwd = "/", .timeout_ms = COPY_TIMEOUT_MS};
	g_autoptr(Child) child = child_run(&spec, error);
	if (child == NULL)
		return FALSE;
	g_autofree char *failure = child_describe_failure(child_result(child));
	if (failure == NULL)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "cannot copy %s to %s: cp %s: %s", from, to,
	        failure, child_result(child)->err->str);
	return FALSE;
}

static gboolean is_built(const char *dir)
{
	g_autofree char *done = g_build_filename(dir, "done", NULL);
	return g_file_test(done, G_FILE_TEST_EXISTS);
}

static void say_build(const SidePlan *plan, const char *name, const Choice *choice, const char *what)
{
	g_autofree char *layout = plan->layout > 0 ? g_strdup_printf(", layout %u", plan->layout) : g_strdup("");
	progress(plan, "%s %.12s%s: %s", name, choice->sha, layout, what);
}

/* Makes sure that the build is there and returns a shared lock on it, so that nobody prunes it while it is used; -1 on
 * error. */
static int ensure_build(
        const SidePlan *plan, const char *name, const Choice *choice, const char *dir, Side *side, GError **error)
{
	int lock = lock_build(dir, LOCK_SH, error);
	side->cached = lock >= 0 && is_built(dir);
	if (lock < 0 || side->cached)
		return lock;
	close(lock);
	lock = lock_build(dir, LOCK_EX | LOCK_NB, NULL);
	if (lock < 0) {
		progress(plan, "%s: waiting for another firebreak that builds it", name);
		lock = lock_build(dir, LOCK_EX, error);
	}
	if (lock < 0)
		return -1;
	g_autofree char *done = g_build_filename(dir, "done", NULL);
	say_build(plan, name, choice, plan->config->build_command == NULL ? "checking out" : "building");
	gboolean ok =
	        is_built(dir) || (make_build(plan, name, choice, dir, error) && durable_write_file(done, "", 0, error));
	if (ok && flock(lock, LOCK_SH) == 0)
		return lock;
	close(lock);
	return ok ? lock_build(dir, LOCK_SH, error) : -1;
}

gboolean side_prepare(const SidePlan *plan, const char *name, const Choice *choice, Side *side, GError **error)
{
	g_autofree char *key = cache_key(plan, choice);
	g_autofree char *builds = g_build_filename(plan->cache_dir, "builds", NULL);
	g_autofree char *dir = g_build_filename(builds, key, NULL);
	*side = (Side){
	        .name = name,
	        .arena = plan->arena,
	        .tree_dir = arena_draw(plan->arena),
	        .layout = plan->layout,
	        .build_dir = g_build_filename(dir, "tree", NULL),
	};
	int lock = ensure_build(plan, name, choice, dir, side, error);
	if (lock < 0)
		return FALSE;
	side->lock = lock;
	if (side->cached)
		say_build(plan, name, choice, "built before");
	prune_builds(builds, builds_to_keep(plan->config));
	return copy_tree(side->build_dir, side->tree_dir, error);
}

/* The first word of a text for a shell that is a command: neither `exec` nor an assignment. Owned by the caller. */
static char *first_command(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n;|&<>()", -1);
	for (char **word = words; *word != NULL; word++) {
		gboolean assigns = strchr(*word, '=') != NULL;
		if (**word != '\0' && !assigns && !g_str_equal(*word, "exec"))
			return g_strdup(*word);
	}
	return g_strdup("");
}

/* What a benchmark starts, as its command has it. Owned by the caller. */
static char *command_word(const ConfigBenchmark *benchmark)
{
	char *const *command = benchmark->command;
	gboolean is_shell = g_str_equal(command[0], "/bin/sh") && g_strcmp0(command[1], "-c") == 0;
	return is_shell && command[2] != NULL ? first_command(command[2]) : g_strdup(command[0]);
}

/* The file of that program, NULL unless it is an executable one that lies in the tree. */
static char *program_file(const Side *side, const ConfigBenchmark *benchmark, const char *word)
{
	if (g_path_is_absolute(word) || strchr(word, '/') == NULL)
		return NULL;
	g_autofree char *path = g_build_filename(side->tree_dir, benchmark->cwd, word, NULL);
	g_autofree char *real = realpath(path, NULL), *tree = realpath(side->tree_dir, NULL);
	if (real == NULL || tree == NULL || !g_str_has_prefix(real, tree) || real[strlen(tree)] != '/')
		return NULL;
	return g_file_test(real, G_FILE_TEST_IS_EXECUTABLE) && g_file_test(real, G_FILE_TEST_IS_REGULAR)
	               ? g_steal_pointer(&path)
	               : NULL;
}

/* What a program can lack. */
enum { NO_DEBUG, NO_OPTIMISATION, NO_FRAME_POINTERS, N_LACKS };

/* How a side built a program. */
typedef struct {
	const char *side;
	guint64 lacks[N_LACKS]; /* equal where sides lack the same; 0 = nothing */
	guint n_bare, n_units;  /* units without frame pointers, of so many */
} ProgramBuild;

static ProgramBuild program_build(const Side *side, const ConfigBenchmark *benchmark, const char *word)
{
	ProgramBuild build = {.side = side->name};
	BinaryInfo info = {0};
	g_autofree char *program = program_file(side, benchmark, word);
	g_autoptr(SymbolChild) reader = symbol_child_new();
	if (program == NULL || !symbol_child_binary_info(reader, program, &info, NULL))
		return build;
	build.n_bare = info.has_debug && benchmark->unwind != RECORDER_DWARF ? info.n_units_no_frame_pointer : 0;
	build.n_units = info.n_units;
	build.lacks[NO_DEBUG] = !info.has_debug;
	build.lacks[NO_OPTIMISATION] = info.has_debug && info.n_units > 0 && info.n_units_unoptimised == info.n_units;
	build.lacks[NO_FRAME_POINTERS] = build.n_bare > 0 ? (guint64)build.n_bare << 32 | build.n_units : 0;
	binary_info_clear(&info);
	return build;
}

/* The sides that lack the same as this one, if it is the first of them: "base", "base and head"; else NULL. */
static char *lacking(const ProgramBuild *builds, guint n, guint at, guint what)
{
	g_autoptr(GString) sides = g_string_new(NULL);
	for (guint i = 0; builds[at].lacks[what] != 0 && i < n; i++) {
		if (builds[i].lacks[what] != builds[at].lacks[what])
			continue;
		if (i < at)
			return NULL;
		g_string_append_printf(sides, "%s%s", sides->len > 0 ? " and " : "", builds[i].side);
	}
	return sides->len > 0 ? g_string_free(g_steal_pointer(&sides), FALSE) : NULL;
}

void side_inspect(const Side *const *sides, guint n, const ConfigBenchmark *benchmark, FindingList *findings)
{
	g_autofree char *word = command_word(benchmark);
	g_autofree ProgramBuild *builds = g_new(ProgramBuild, n);
	for (guint i = 0; i < n; i++)
		builds[i] = program_build(sides[i], benchmark, word);
	for (guint i = 0; i < n; i++) {
		g_autofree char *no_debug = lacking(builds, n, i, NO_DEBUG);
		g_autofree char *unoptimised = lacking(builds, n, i, NO_OPTIMISATION);
		g_autofree char *bare = lacking(builds, n, i, NO_FRAME_POINTERS);
		if (no_debug != NULL)
			finding_add(findings, FINDING_WARNING, "no_debug_info", benchmark->name,
			        "%s of %s has no debug information: inlined functions and source lines are missing; "
			        "let the build use CFLAGS from the environment",
			        word, no_debug);
		if (unoptimised != NULL)
			finding_add(findings, FINDING_WARNING, "not_optimized", benchmark->name,
			        "%s of %s is built without optimisation (-O0): its profile says little about the real "
			        "program",
			        word, unoptimised);
		if (bare != NULL)
			finding_add(findings, FINDING_WARNING, "no_frame_pointers", benchmark->name,
			        "%u of %u units of %s (%s) are built without frame pointers: callers will be wrong or "
			        "missing; let the build use CFLAGS from the environment, or set `unwind: dwarf`",
			        builds[i].n_bare, builds[i].n_units, word, bare);
	}
}

void side_check_layouts(const Side *layouts, guint n, const ConfigBenchmark *benchmark, FindingList *findings)
{
	OrderChange change = {0};
	g_autofree char *word = command_word(benchmark);
	for (guint i = 1; i < n; i++) {
		g_autofree char *one = program_file(&layouts[i - 1], benchmark, word);
		g_autofree char *other = program_file(&layouts[i], benchmark, word);
		OrderChange step;
		if (one == NULL || other == NULL || !function_order_compare(one, other, &step))
			continue;
		if (step.moved * SHUFFLED_SHARE >= step.functions)
			return;
		change = step;
	}
	if (n > 1 && change.functions == 0)
		finding_add(findings, FINDING_INFO, "layouts_unchecked", benchmark->name,
		        "whether the layouts of %s differ is not known: it is no program of the checkout with symbols",
		        word);
	else if (n > 1)
		finding_add(findings, FINDING_WARNING, "layouts_ignored", benchmark->name,
		        "the layouts of %s (%s) hardly differ: %u of %u functions have another one after them; let the "
		        "build use CFLAGS and LDFLAGS (RUSTFLAGS) from the environment",
		        word, layouts[0].name, change.moved, change.functions);
}
