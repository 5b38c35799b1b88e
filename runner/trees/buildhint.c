#include "runner/trees/buildhint.h"

#include "runner/config/configlookup.h"
#include "runner/trees/treefiles.h"
#include "runner/trees/treewalk.h"

#include <glib/gstdio.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000
/* A tick of the slowest clock that kernels note times by. */
#define TICK_US 10000

typedef struct {
	gint64 since_ns;
	guint entries;
	gboolean written; /* some entry was changed after that */
} TreeLook;

/* When the kernel last noted a change: unlike the time of modification nobody can set it. */
static gint64 changed_ns(const struct stat *info)
{
	return (gint64)info->st_ctim.tv_sec * NS_PER_S + info->st_ctim.tv_nsec;
}

static TreeStep look(gpointer data, const TreeEntry *entry, GError **error)
{
	TreeLook *tree = data;
	(void)error;
	tree->entries++;
	tree->written = tree->written || changed_ns(entry->info) > tree->since_ns;
	return TREE_GO_ON;
}

BuildStart build_start(const char *tree)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	TreeLook before = {.since_ns = (gint64)now.tv_sec * NS_PER_S + now.tv_nsec};
	tree_walk(tree, look, &before, NULL);
	g_usleep(TICK_US);
	return (BuildStart){before.since_ns, before.entries};
}

/* The program of a benchmark as a path in the tree; NULL if it is named otherwise. Owned by the caller. */
static char *program_path(const char *tree, const ConfigBenchmark *benchmark)
{
	g_autofree char *program = config_program(benchmark);
	if (g_path_is_absolute(program) || strchr(program, '/') == NULL)
		return NULL;
	return g_build_filename(tree, benchmark->cwd, program, NULL);
}

/* A script is committed and runs as it is; a compiled program does not follow its sources unless it is built. */
static gboolean is_committed_program(const char *path, const BuildStart *start)
{
	GStatBuf info;
	return g_stat(path, &info) == 0 && S_ISREG(info.st_mode) && changed_ns(&info) <= start->time_ns &&
	       tree_file_is_elf(path);
}

static void look_at_program(const char *tree, const BuildStart *start, const ConfigBenchmark *benchmark,
        const char *name, FindingList *findings)
{
	g_autofree char *path = program_path(tree, benchmark), *program = config_program(benchmark);
	if (path == NULL || !is_committed_program(path, start))
		return;
	finding_add(findings, FINDING_WARNING, "program_not_built", benchmark->name,
	        "%s of %s is older than its build: it is part of the commit, and no change of a source reaches it; let "
	        "the build command make it, or name the program that it makes",
	        program, name);
}

void build_hint(
        const char *tree, const BuildStart *start, const Config *config, const char *name, FindingList *findings)
{
	TreeLook after = {.since_ns = start->time_ns};
	if (!tree_walk(tree, look, &after, NULL))
		return;
	if (!after.written && after.entries == start->entries)
		finding_add(findings, FINDING_WARNING, "build_did_nothing", NULL,
		        "the build of %s succeeded and wrote no file: its command has to build the benchmarks (a check "
		        "builds from a fresh checkout, without what lies in your working folder)",
		        name);
	for (guint i = 0; i < config->benchmarks->len; i++)
		look_at_program(tree, start, config->benchmarks->pdata[i], name, findings);
}
