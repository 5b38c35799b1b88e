#include "report/outdir.h"

#include "core/durable.h"
#include "core/error.h"
#include "core/escape.h"
#include "profile/folded.h"
#include "report/flamediff.h"
#include "report/flamesvg.h"
#include "report/reportjson.h"
#include "report/summarymd.h"
#include "report/wording.h"

#include <errno.h>
#include <string.h>

/* What writing one benchmark's files needs to know. */
typedef struct {
	const CheckResult *result;
	ResultBenchmark *benchmark;
	const char *dir;
	char *stem;
} Writer;

static gboolean write_file(const char *dir, const char *name, const char *text, gsize length, GError **error)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	return durable_write_file(path, text, (gssize)length, error);
}

/* Writes <stem>.<what> and enters it as an artifact of that kind. */
static gboolean write_artifact(
        const Writer *writer, const char *kind, const char *what, const char *text, gsize length, GError **error)
{
	g_autofree char *name = g_strdup_printf("%s.%s", writer->stem, what);
	if (!write_file(writer->dir, name, text, length, error))
		return FALSE;
	g_ptr_array_add(writer->benchmark->artifacts, g_strdup(kind));
	g_ptr_array_add(writer->benchmark->artifacts, g_steal_pointer(&name));
	return TRUE;
}

static const Profile *profile_of(const Measurement *measurement)
{
	return measurement == NULL ? NULL : measurement->profile;
}

static gboolean write_folded(
        const Writer *writer, const Measurement *measurement, const char *kind, const char *what, GError **error)
{
	if (profile_of(measurement) == NULL)
		return TRUE;
	g_autofree char *text = folded_write(measurement->profile, FOLDED_ALL_RUNS, FOLDED_SAMPLES);
	return write_artifact(writer, kind, what, text, strlen(text), error);
}

static gboolean write_graph(const Writer *writer, const Measurement *measurement, gboolean head, GError **error)
{
	if (profile_of(measurement) == NULL)
		return TRUE;
	const ResultSide *side = head ? &writer->result->head : &writer->result->base;
	g_autofree char *sha = wording_sha(side->sha);
	g_autofree char *title = g_strdup_printf("%s %s", head ? "head" : "base", sha);
	FlameGraph graph = {.profile = measurement->profile,
	        .work = measurement->work,
	        .benchmark = writer->benchmark->name,
	        .title = title};
	gsize length;
	g_autofree char *text = flame_svg(&graph, &length);
	return write_artifact(
	        writer, head ? "head_svg" : "base_svg", head ? "head.svg" : "base.svg", text, length, error);
}

static gboolean write_diff(const Writer *writer, GError **error)
{
	const Measurement *base = writer->benchmark->base, *head = writer->benchmark->head;
	if (profile_of(base) == NULL || profile_of(head) == NULL)
		return TRUE;
	g_autofree char *base_sha = wording_sha(writer->result->base.sha);
	g_autofree char *head_sha = wording_sha(writer->result->head.sha);
	g_autofree char *title = g_strdup_printf("base %s → head %s", base_sha, head_sha);
	FlameDiff diff = {
	        .base = base->profile,
	        .head = head->profile,
	        .base_work = base->work,
	        .head_work = head->work,
	        .comparison = writer->benchmark->comparison,
	        .benchmark = writer->benchmark->name,
	        .title = title,
	};
	gsize length;
	g_autofree char *text = flame_diff_svg(&diff, &length);
	return write_artifact(writer, "diff_svg", "diff.svg", text, length, error);
}

static gboolean write_benchmark(const CheckResult *result, ResultBenchmark *benchmark, const char *dir, GError **error)
{
	g_autofree char *stem = escape_to_string(escape_filename, benchmark->name);
	Writer writer = {result, benchmark, dir, stem};
	g_ptr_array_set_size(benchmark->artifacts, 0);
	return write_folded(&writer, benchmark->base, "base_folded", "base.folded", error) &&
	       write_folded(&writer, benchmark->head, "head_folded", "head.folded", error) &&
	       write_graph(&writer, benchmark->base, FALSE, error) &&
	       write_graph(&writer, benchmark->head, TRUE, error) && write_diff(&writer, error);
}

/* The texts come last: they name the artifacts. */
static gboolean write_all(CheckResult *result, const char *dir, GError **error)
{
	for (guint i = 0; i < result->benchmarks->len; i++) {
		if (!write_benchmark(result, g_ptr_array_index(result->benchmarks, i), dir, error))
			return FALSE;
	}
	gsize json_length, summary_length;
	g_autofree char *json = report_json(result, &json_length);
	g_autofree char *summary = summary_markdown(result, 0, &summary_length);
	/* results are no part of the project: a later `--head worktree` must not measure them */
	static const char ignore_all[] = "*\n";
	return write_file(dir, ".gitignore", ignore_all, sizeof ignore_all - 1, error) &&
	       write_file(dir, "summary.md", summary, summary_length, error) &&
	       write_file(dir, "report.json", json, json_length, error);
}

/* TRUE if the folder may be replaced: it is not there, is empty, or is an earlier output. */
static gboolean may_replace(const char *dir, GError **error)
{
	if (!g_file_test(dir, G_FILE_TEST_EXISTS) && !g_file_test(dir, G_FILE_TEST_IS_SYMLINK))
		return TRUE;
	g_autofree char *report = g_build_filename(dir, "report.json", NULL);
	g_autoptr(GError) open_error = NULL;
	g_autoptr(GDir) entries = g_dir_open(dir, 0, &open_error);
	if (entries != NULL && (g_dir_read_name(entries) == NULL || g_file_test(report, G_FILE_TEST_IS_REGULAR)))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE,
	        "%s: exists and is not an output folder of firebreak (no report.json inside); remove it or name "
	        "another",
	        dir);
	return FALSE;
}

/* The target without slashes at its end, so that there is a sibling. */
static char *target_path(const char *dir)
{
	char *target = g_strdup(dir);
	for (gsize length = strlen(target); length > 1 && target[length - 1] == '/'; length--)
		target[length - 1] = '\0';
	return target;
}

/* A new folder beside the target, in which everything is prepared. */
static char *make_sibling(const char *target, GError **error)
{
	g_autofree char *parent = g_path_get_dirname(target);
	if (!durable_make_dir(parent, error))
		return NULL;
	char *sibling = g_strdup_printf("%s.XXXXXX", target);
	if (g_mkdtemp_full(sibling, 0777) != NULL)
		return sibling;
	firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make a folder in that of %s", target);
	g_free(sibling);
	return NULL;
}

gboolean outdir_check(const char *dir, GError **error)
{
	g_autofree char *target = target_path(dir);
	if (!may_replace(target, error))
		return FALSE;
	g_autofree char *sibling = make_sibling(target, error);
	return sibling != NULL && durable_remove_tree(sibling, error);
}

static void forget_artifacts(CheckResult *result)
{
	for (guint i = 0; i < result->benchmarks->len; i++) {
		ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		g_ptr_array_set_size(benchmark->artifacts, 0);
	}
}

gboolean outdir_write(CheckResult *result, const char *dir, GError **error)
{
	g_autofree char *target = target_path(dir);
	if (!may_replace(target, error))
		return FALSE;
	g_autofree char *prepared = make_sibling(target, error);
	if (prepared == NULL)
		return FALSE;
	if (write_all(result, prepared, error) && durable_replace_dir(prepared, target, error))
		return TRUE;
	durable_remove_tree(prepared, NULL);
	forget_artifacts(result);
	return FALSE;
}
