/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/side.h"

#include "core/cancel.h"
#include "core/child.h"
#include "core/durable.h"
#include "core/error.h"
#include "core/git/repocheckout.h"
#include "profile/objects/functionorder.h"
#include "profile/symbols/symbolchild.h"
#include "runner/compilers/compilerflags.h"
#include "runner/compilers/compilerfolder.h"
#include "runner/config/configlookup.h"
#include "runner/record/privileges.h"
#include "runner/trees/buildhint.h"
#include "runner/trees/hostenv.h"
#include "runner/trees/ignoredhint.h"
#include "runner/trees/treecopy.h"
#include "runner/trees/treefiles.h"
#include "runner/trees/treelinks.h"
#include "runner/trees/treewalk.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUBMODULE_REMEDY                                                                                               \
	"; `git submodule update --init --recursive` fetches them (submodules: recursive in actions/checkout, "        \
	"GIT_SUBMODULE_STRATEGY: recursive in GitLab)"
#define COMPILERS "compilers"        /* folder in that of the builds */
#define COMPILER_LOG "compilers.log" /* beside the tree of a build */
#define LOOK_FILE "written"          /* likewise: build_look_text() */
#define OLDEST_LLD 13                /* older ones cannot shuffle only what lies in .text */
#define SHUFFLED_SHARE 4             /* 1 of so many functions must have another one after it, else it is no shuffle */

void side_clear(Side *side)
{
	g_clear_pointer(&side->tree_dir, g_free);
	g_clear_pointer(&side->build_dir, g_free);
	g_clear_pointer(&side->log, g_free);
	g_clear_pointer(&side->key, g_free);
	g_clear_pointer(&side->state, tree_state_free);
	g_clear_pointer(&side->build_state, tree_state_free);
	g_clear_pointer(&side->seal, tree_seal_free);
	if (side->lock > 0)
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

/* Everything that decides what the build makes. Submodules are named by the tree itself, but for those that lack. */
static char *cache_key(const SidePlan *plan, const Choice *choice, const char *missing)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	/* The number in the first part grows whenever firebreak builds in another way. */
	const char *parts[] = {"firebreak-build-5", choice->tree, plan->compiler, compiler_flags_text(), missing};
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		g_checksum_update(sum, (const guchar *)parts[i], (gssize)strlen(parts[i]) + 1);
	for (char **arg = plan->config->build_command; arg != NULL && *arg != NULL; arg++)
		g_checksum_update(sum, (const guchar *)*arg, (gssize)strlen(*arg) + 1);
	/* The folders of a build are others in each check, and do not decide what it makes. */
	const BuildPlace nowhere = {
	        .source = "", .scratch = "", .compilers = "", .pass_env = plan->pass_env, .layout = plan->layout};
	g_auto(GStrv) environment = build_environment(&nowhere);
	for (char **variable = environment; *variable != NULL; variable++)
		g_checksum_update(sum, (const guchar *)*variable, (gssize)strlen(*variable) + 1);
	if (plan->privileges)
		g_checksum_update(sum, (const guchar *)"privileges", -1);
	add_toolchain(sum);
	return g_strndup(g_checksum_get_string(sum), 32);
}

/* "a, b". Owned by the caller. */
static char *submodules_text(const GPtrArray *paths)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < paths->len; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (const char *)paths->pdata[i]);
	return g_string_free(text, FALSE);
}

static gboolean build_failed(const SidePlan *plan, const char *name, const Choice *choice, const char *tree,
        const ChildResult *result, GError **error)
{
	g_autofree char *what = child_describe_failure(result);
	const char *output = result->err->len > 0 ? result->err->str : result->out->str;
	gsize length = strlen(output), shown = MIN(length, 4000);
	g_autofree char *layout =
	        plan->layout > 0 ? g_strdup_printf(" for layout %u (linked by ld.lld, see `layouts`)", plan->layout)
	                         : g_strdup("");
	g_autofree char *hint = plan->privileges ? NULL : privileges_hint(result, "", "the build");
	if (hint == NULL)
		hint = ignored_hint(plan->repo, tree, output + length - shown);
	g_autoptr(GPtrArray) missing = repo_missing_submodules(plan->repo, choice->tree, NULL);
	g_autofree char *lacks = missing != NULL ? submodules_text(missing) : g_strdup("");
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BUILD, "the build of %s%s %s%s%s%s%s%s\n%s", name, layout,
	        what, *lacks != '\0' ? " without the submodules " : "", lacks, *lacks != '\0' ? SUBMODULE_REMEDY : "",
	        hint != NULL ? "; " : "", hint != NULL ? hint : "", output + length - shown);
	return FALSE;
}

static gboolean run_build(const SidePlan *plan, const char *name, const Choice *choice, const char *tree,
        const char *scratch, GError **error)
{
	if (plan->config->build_command == NULL)
		return TRUE;
	g_autofree char *compilers = g_build_filename(build_cache_dir(plan->cache), COMPILERS, NULL);
	g_autofree char *dir = g_path_get_dirname(tree), *log = g_build_filename(dir, COMPILER_LOG, NULL);
	const BuildPlace place = {
	        .source = tree,
	        .scratch = scratch,
	        .compilers = compilers,
	        .log = log,
	        .pass_env = plan->pass_env,
	        .layout = plan->layout,
	};
	g_auto(GStrv) environment = build_environment(&place);
	if (!compiler_folder_make(compilers, g_environ_getenv(environment, "PATH") + strlen(compilers) + 1, error))
		return FALSE;
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
	return build_failed(plan, name, choice, tree, result, error);
}

/* As it is written, and where it really is. */
static void add_folder(GPtrArray *folders, const char *path)
{
	char *real = path != NULL ? realpath(path, NULL) : NULL;
	if (real != NULL && !g_str_equal(real, "/")) {
		g_ptr_array_add(folders, g_canonicalize_filename(path, NULL));
		g_ptr_array_add(folders, g_strdup(real));
	}
	free(real);
}

/* Links of base's commit, read when the first one is asked about. */
typedef struct {
	const SidePlan *plan;
	GHashTable *links; /* path -> target; NULL = not read yet */
	GString *kept;     /* "a -> ../../b", the first that may stay */
	guint n;
} KnownLinks;

static gboolean is_known_link(gpointer data, const char *path, const char *target, GError **error)
{
	KnownLinks *known = data;
	if (known->links == NULL)
		known->links = repo_tree_links(known->plan->repo, known->plan->links_tree, error);
	if (known->links == NULL || g_strcmp0(g_hash_table_lookup(known->links, path), target) != 0)
		return FALSE;
	if (known->n++ == 0)
		g_string_printf(known->kept, "%s -> %s", path, target);
	return TRUE;
}

static void note_kept_links(const KnownLinks *known)
{
	if (known->n > 0 && !finding_has(known->plan->findings, "links_leave_tree"))
		finding_add(known->plan->findings, FINDING_INFO, "links_leave_tree", NULL,
		        "%u links lead out of the tree, such as %s; base's commit has them with the same targets, so "
		        "they may stay; what they lead to belongs to neither side",
		        known->n, known->kept->str);
}

/* Nothing that runs may follow a link to the other side, to what both share, or to the files of the repository. */
static gboolean check_links(const SidePlan *plan, const char *name, const char *dir, const char *tree, GError **error)
{
	g_autoptr(GPtrArray) forbidden = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) own = g_ptr_array_new_with_free_func(g_free);
	add_folder(forbidden, build_cache_dir(plan->cache));
	add_folder(forbidden, arena_dir(plan->arena));
	add_folder(forbidden, repo_path_workdir(plan->repo));
	add_folder(forbidden, repo_path_gitdir(plan->repo));
	add_folder(forbidden, repo_path_commondir(plan->repo));
	add_folder(own, dir);
	g_ptr_array_add(forbidden, NULL);
	g_ptr_array_add(own, NULL);
	g_autoptr(GString) kept = g_string_new(NULL);
	KnownLinks known = {.plan = plan, .kept = kept};
	const TreeLinksPlan links = {
	        .tree = tree,
	        .forbidden = (const char *const *)forbidden->pdata,
	        .own = (const char *const *)own->pdata,
	        .known = plan->links_tree != NULL ? is_known_link : NULL,
	        .known_data = &known,
	};
	gboolean ok = tree_links_check(&links, error);
	g_clear_pointer(&known.links, g_hash_table_unref);
	if (ok)
		note_kept_links(&known);
	else
		g_prefix_error(error, "%s: ", name);
	return ok;
}

/* Refuses an entry that this user cannot read, so that it could be neither sealed nor copied. */
static TreeStep check_readable(gpointer name, const TreeEntry *entry, GError **error)
{
	const struct stat *info = entry->info;
	int needed = S_ISDIR(info->st_mode) ? R_OK | X_OK : S_ISREG(info->st_mode) ? R_OK : F_OK;
	if (S_ISLNK(info->st_mode) || faccessat(entry->folder, entry->name, needed, AT_EACCESS) == 0)
		return TREE_GO_ON;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BUILD,
	        "%s: its build leaves the %s %s, which cannot be read (mode %04o); end the build command with "
	        "chmod -R u+rX .",
	        (const char *)name, S_ISDIR(info->st_mode) ? "folder" : "file", entry->path,
	        (guint)info->st_mode & 07777);
	return TREE_STOP;
}

static gboolean check_build(const SidePlan *plan, const char *name, const char *dir, const char *tree, GError **error)
{
	struct stat info;
	if (stat(tree, &info) == 0 && faccessat(AT_FDCWD, tree, R_OK | X_OK, AT_EACCESS) != 0) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BUILD,
		        "%s: its build leaves its own folder, which cannot be read (mode %04o)", name,
		        (guint)info.st_mode & 07777);
		return FALSE;
	}
	return tree_walk(tree, check_readable, (gpointer)name, error) && check_links(plan, name, dir, tree, error);
}

/* Says what is odd about what the build wrote, and keeps it for checks that find the build in the cache; one that
 * cannot be kept is not said again. */
static void look_at_build(
        const SidePlan *plan, const char *name, const char *tree, const char *path, const BuildStart *start)
{
	g_autoptr(BuildLook) look = build_look(tree, start);
	if (look == NULL)
		return;
	g_autofree char *text = build_look_text(look);
	g_file_set_contents(path, text, -1, NULL);
	build_hint(tree, look, plan->config, name, plan->findings);
}

/* Says the same of a build that was made before. */
static void look_at_cached(const SidePlan *plan, const char *name, const char *dir, const char *tree)
{
	g_autofree char *path = g_build_filename(dir, LOOK_FILE, NULL), *text = NULL;
	if (plan->config->build_command == NULL || !g_file_get_contents(path, &text, NULL, NULL))
		return;
	g_autoptr(BuildLook) look = build_look_parse(text);
	build_hint(tree, look, plan->config, name, plan->findings);
}

/* Checks out and builds in `dir`/tree, from nothing. */
static gboolean make_build(
        const SidePlan *plan, const char *name, const Choice *choice, const char *dir, GError **error)
{
	g_autofree char *tree = g_build_filename(dir, "tree", NULL), *scratch = g_build_filename(dir, "tmp", NULL);
	g_autofree char *log = g_build_filename(dir, COMPILER_LOG, NULL),
	                *looked = g_build_filename(dir, LOOK_FILE, NULL);
	guint pointers = 0;
	if (!durable_remove_tree(tree, error) || !durable_remove_tree(scratch, error) ||
	        !durable_remove_tree(log, error) || !durable_remove_tree(looked, error) ||
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
	const BuildStart start = build_start(tree);
	if (!check_links(plan, name, dir, tree, error) || !run_build(plan, name, choice, tree, scratch, error) ||
	        !durable_remove_tree(scratch, error))
		return FALSE;
	if (plan->config->build_command != NULL)
		look_at_build(plan, name, tree, looked, &start);
	return plan->config->build_command == NULL || check_build(plan, name, dir, tree, error);
}

static void say_build(const SidePlan *plan, const char *name, const Choice *choice, const char *what)
{
	g_autofree char *layout = plan->layout > 0 ? g_strdup_printf(", layout %u", plan->layout) : g_strdup("");
	progress(plan, "%s %.12s%s: %s", name, choice->sha, layout, what);
}

static gboolean make_and_keep(
        const SidePlan *plan, const char *name, const Choice *choice, const char *key, Side *side, GError **error)
{
	g_autofree char *dir = build_cache_path(plan->cache, key), *tree = g_build_filename(dir, "tree", NULL);
	say_build(plan, name, choice, plan->config->build_command == NULL ? "checking out" : "building");
	if (!build_cache_discard(plan->cache, key, error))
		return FALSE;
	/* what the change brings runs from here on */
	if (g_str_equal(name, "head") && !build_cache_distrust(plan->cache, error))
		return FALSE;
	if (!make_build(plan, name, choice, dir, error))
		return FALSE;
	side->seal = tree_seal_new(tree, error);
	return side->seal != NULL && build_cache_keep(plan->cache, key, side->seal, error);
}

/* Finds the build that was made before, if its seal holds. */
static gboolean find_build(const SidePlan *plan, const char *name, const char *key, Side *side)
{
	gboolean doubtful = FALSE;
	side->seal = build_cache_seal(plan->cache, key, &doubtful);
	if (doubtful)
		finding_add(plan->findings, FINDING_WARNING, "build_damaged", NULL,
		        "the seal of the cached build of %s was written by somebody else: it is built again", name);
	return side->seal != NULL;
}

/* Makes sure that the build is there and locked for sharing, so that nobody removes it while it is used. */
static gboolean ensure_build(
        const SidePlan *plan, const char *name, const Choice *choice, const char *key, Side *side, GError **error)
{
	side->lock = build_cache_lock(plan->cache, key, LOCK_SH, error);
	side->cached = side->lock >= 0 && find_build(plan, name, key, side);
	if (side->lock < 0 || side->cached)
		return side->lock >= 0;
	close(side->lock);
	side->lock = build_cache_lock(plan->cache, key, LOCK_EX | LOCK_NB, NULL);
	if (side->lock < 0) {
		progress(plan, "%s: waiting for another firebreak that builds it", name);
		side->lock = build_cache_lock(plan->cache, key, LOCK_EX, error);
	}
	if (side->lock < 0)
		return FALSE;
	/* Whoever held the lock may have made the build meanwhile. */
	gboolean ok = find_build(plan, name, key, side) || make_and_keep(plan, name, choice, key, side, error);
	if (ok && flock(side->lock, LOCK_SH) != 0)
		ok = firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot lock the build of %s", name);
	return ok;
}

gboolean side_build(const SidePlan *plan, const char *name, const Choice *choice, Side *side, GError **error)
{
	*side = (Side){.name = name};
	g_autoptr(GPtrArray) missing = repo_missing_submodules(plan->repo, choice->tree, error);
	if (missing == NULL)
		return FALSE;
	g_autofree char *lacks = submodules_text(missing), *key = cache_key(plan, choice, lacks);
	g_autofree char *dir = build_cache_path(plan->cache, key);
	if (missing->len > 0)
		finding_add(plan->findings, FINDING_WARNING, "submodule_missing", NULL,
		        "%s is built without the submodules %s, since no clone has their commits" SUBMODULE_REMEDY,
		        name, lacks);
	*side = (Side){
	        .name = name,
	        .key = g_steal_pointer(&key),
	        .arena = plan->arena,
	        .layout = plan->layout,
	        .build_dir = g_build_filename(dir, "tree", NULL),
	        .log = g_build_filename(dir, COMPILER_LOG, NULL),
	};
	if (!ensure_build(plan, name, choice, side->key, side, error)) {
		side_clear(side);
		return FALSE;
	}
	/* the base of the check that made the build may have had other links */
	if (side->cached && !check_links(plan, name, dir, side->build_dir, error)) {
		side_clear(side);
		return FALSE;
	}
	if (side->cached) {
		/* a check with new benchmarks takes a build several times */
		if (!build_cache_was_used(plan->cache, side->key))
			say_build(plan, name, choice, "built before");
		look_at_cached(plan, name, dir, side->build_dir);
	}
	build_cache_note_use(plan->cache, side->key, side->seal);
	return TRUE;
}

gboolean side_rebuild(const SidePlan *plan, const char *name, const Choice *choice, Side *side, GError **error)
{
	if (flock(side->lock, LOCK_EX | LOCK_NB) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno,
		        "the cached build of %s is damaged, and another check uses it", name);
	if (!build_cache_discard(plan->cache, side->key, error))
		return FALSE;
	side_clear(side);
	return side_build(plan, name, choice, side, error);
}

/* Sets *difference to what differs from the seal, in the build or in its copy; NULL if nothing does. */
static gboolean find_difference(const Side *side, char **difference, GError **error)
{
	/* The seal was made before the build was protected from writing, and the copy has the permissions of the seal
	 * again. */
	if (!tree_seal_check(side->seal, side->build_dir, 0222, difference, error))
		return FALSE;
	return *difference != NULL || tree_seal_check(side->seal, side->tree_dir, 0, difference, error);
}

gboolean side_copy(Side *side, char **difference, GError **error)
{
	*difference = NULL;
	if (side->tree_dir == NULL)
		side->tree_dir = arena_draw(side->arena);
	g_clear_pointer(&side->state, tree_state_free);
	g_clear_pointer(&side->build_state, tree_state_free);
	if (!durable_remove_tree(side->tree_dir, error) || !tree_copy(side->build_dir, side->tree_dir, error) ||
	        !tree_seal_apply_modes(side->seal, side->tree_dir, error) || !find_difference(side, difference, error))
		return FALSE;
	if (*difference != NULL)
		return TRUE;
	const TreeStatePlan tree = {
	        .root = side->tree_dir, .build = side->build_dir, .seal = side->seal, .copies = TRUE};
	/* programs load libraries from there by absolute paths: it is as much a part of what runs */
	const TreeStatePlan build = {.root = side->build_dir, .build = side->tree_dir, .seal = side->seal};
	side->state = tree_state_new(&tree, error);
	side->build_state = tree_state_new(&build, error);
	return side->state != NULL && side->build_state != NULL;
}

/* The file of that program, NULL unless it is an executable one that lies in the tree. */
static char *program_file(const Side *side, const ConfigBenchmark *benchmark, const char *word)
{
	g_autofree char *below = tree_path_named(side->tree_dir, benchmark->cwd, word);
	if (below == NULL || strchr(word, '/') == NULL)
		return NULL;
	g_autofree char *path = g_build_filename(side->tree_dir, benchmark->cwd, word, NULL);
	return g_file_test(path, G_FILE_TEST_IS_EXECUTABLE) && g_file_test(path, G_FILE_TEST_IS_REGULAR)
	               ? g_steal_pointer(&path)
	               : NULL;
}

/* The properties that a program can lack. */
enum { NO_DEBUG, NO_OPTIMISATION, NO_FRAME_POINTERS, N_LACKS };

/* The build of a program on one side. */
typedef struct {
	const char *side;
	guint64 lacks[N_LACKS]; /* equal where sides lack the same; 0 = nothing */
	guint n_bare, n_units;  /* units without frame pointers, of so many */
	char *bare_producer;    /* of one of them; NULL = there is none */
	ProgramFacts *facts;    /* NULL = it cannot be read */
} ProgramBuild;

static void program_build_clear(ProgramBuild *build)
{
	g_free(build->bare_producer);
	program_facts_free(build->facts);
}

/* The path of a file below the tree of a side. Owned by the caller. */
static char *path_in_tree(const Side *side, const char *file)
{
	g_autofree char *whole = g_canonicalize_filename(file, NULL),
	                *tree = g_canonicalize_filename(side->tree_dir, NULL);
	return g_strdup(g_str_has_prefix(whole, tree) ? whole + strlen(tree) + 1 : file);
}

static ProgramFacts *facts_of(const Side *side, const char *program, const BinaryInfo *info)
{
	ProgramFacts *facts = g_new0(ProgramFacts, 1);
	facts->file = path_in_tree(side, program);
	facts->producers = g_strdup(info->producers != NULL ? info->producers : "");
	facts->units = info->n_units;
	facts->units_unoptimised = info->n_units_unoptimised;
	facts->units_without_frame_pointers = info->n_units_no_frame_pointer;
	return facts;
}

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
	build.facts = facts_of(side, program, &info);
	build.bare_producer = info.bare_producer != NULL ? producer_name(info.bare_producer) : NULL;
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

/* A compiler that differs explains a change before any function does, so this comes first. */
static void compare_compilers(
        const ProgramBuild *builds, guint n, const ConfigBenchmark *benchmark, const char *word, FindingList *findings)
{
	if (n != 2 || builds[0].facts == NULL || builds[1].facts == NULL)
		return;
	g_autofree char *difference = producers_difference(builds[0].facts->producers, builds[1].facts->producers);
	if (difference != NULL)
		finding_add(findings, FINDING_WARNING, "compilers_differ", benchmark->name,
		        "%s was not compiled in the same way on both sides (%s): what differs may come from that and "
		        "not from the code",
		        word, difference);
}

void side_inspect(const Side *const *sides, guint n, const ConfigBenchmark *benchmark, ProgramFacts **facts,
        FindingList *findings)
{
	g_autofree char *word = config_program(benchmark);
	g_autofree ProgramBuild *builds = g_new(ProgramBuild, n);
	for (guint i = 0; i < n; i++)
		builds[i] = program_build(sides[i], benchmark, word);
	compare_compilers(builds, n, benchmark, word, findings);
	for (guint i = 0; i < n; i++) {
		g_autofree char *no_debug = lacking(builds, n, i, NO_DEBUG);
		g_autofree char *unoptimised = lacking(builds, n, i, NO_OPTIMISATION);
		g_autofree char *bare = lacking(builds, n, i, NO_FRAME_POINTERS);
		if (no_debug != NULL)
			finding_add(findings, FINDING_WARNING, "no_debug_info", benchmark->name,
			        "%s of %s has no debug information: inlined functions and source lines are missing; "
			        "build it with a compiler that is found in PATH (cc, gcc, clang, ...)",
			        word, no_debug);
		if (unoptimised != NULL)
			finding_add(findings, FINDING_WARNING, "not_optimized", benchmark->name,
			        "%s of %s is built without optimisation (-O0): its profile says little about the real "
			        "program",
			        word, unoptimised);
		if (bare != NULL)
			finding_add(findings, FINDING_WARNING, "no_frame_pointers", benchmark->name,
			        "%u of %u units of %s (%s) are built without frame pointers, by %s: callers will be "
			        "wrong or missing; build it with a compiler that is found in PATH (cc, gcc, clang, "
			        "...), or set `unwind: dwarf`",
			        builds[i].n_bare, builds[i].n_units, word, bare, builds[i].bare_producer);
	}
	for (guint i = 0; i < n; i++) {
		if (facts != NULL)
			facts[i] = g_steal_pointer(&builds[i].facts);
		program_build_clear(&builds[i]);
	}
}

void side_check_layouts(const Side *layouts, guint n, const ConfigBenchmark *benchmark, FindingList *findings)
{
	OrderChange change = {0};
	g_autofree char *word = config_program(benchmark);
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
		        "whether the layouts of %s differ is not known: it is not a program of the checkout with "
		        "symbols",
		        word);
	else if (n > 1)
		finding_add(findings, FINDING_WARNING, "layouts_ignored", benchmark->name,
		        "the layouts of %s (%s) hardly differ: %u of %u functions have another one after them; build "
		        "it with compilers that are found in PATH (cc, gcc, clang, ...)",
		        word, layouts[0].name, change.moved, change.functions);
}
