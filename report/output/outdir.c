/* SPDX-License-Identifier: Apache-2.0 */
#include "report/output/outdir.h"

#include "compare/outcome.h"
#include "core/durable.h"
#include "core/error.h"
#include "core/escape.h"
#include "model/engine.h"
#include "profile/folded/folded.h"
#include "report/flame/flamediff.h"
#include "report/flame/flamesvg.h"
#include "report/html/htmlreport.h"
#include "report/json/keptprofiles.h"
#include "report/json/reportjson.h"
#include "report/output/outputforms.h"
#include "report/words/highlights.h"
#include "report/words/wording.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define KEPT_MAX_BYTES (1 << 30) /* of a file that is copied from another output folder */

/* The data that writing one benchmark's files needs. */
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

static double work_of(const Measurement *measurement)
{
	return measurement == NULL ? 1 : measurement->work;
}

/* The measurements of one event on both sides; either may be NULL. */
typedef struct {
	const Measurement *base, *head;
	const BenchmarkComparison *comparison; /* of these profiles' functions; NULL = they were not compared */
	FoldedFlags folded;
	const char *event; /* goes in front of kinds and names; NULL = the profile of the benchmark itself */
	gboolean counted;  /* costs are counts */
	gboolean decides;  /* the comparison is part of the verdict */
} Pair;

/* The title of a picture; says of what it is where that is not the time of the benchmark. */
static char *title_of(const Pair *pair, const char *commits)
{
	const Profile *profile = highlights_profile(pair->base, pair->head);
	const char *what = pair->event != NULL ? pair->event : pair->counted ? profile->event : NULL;
	return what == NULL ? g_strdup(commits) : g_strconcat(commits, ", ", what, NULL);
}

static gboolean write_of_pair(const Writer *writer, const Pair *pair, const char *kind, const char *what, char *text,
        gsize length, GError **error)
{
	G_GNUC_UNUSED g_autofree char *owned = text;
	if (pair->event == NULL)
		return write_artifact(writer, kind, what, text, length, error);
	g_autofree char *event = escape_to_string(escape_filename, pair->event);
	g_autofree char *own_kind = g_strdup_printf("%s.%s", event, kind);
	g_autofree char *own_what = g_strdup_printf("%s.%s", event, what);
	return write_artifact(writer, own_kind, own_what, text, length, error);
}

/* Samples of all runs, but counts of the first: they are those of any other, and sums of as many runs as either side
 * happens to have would not compare. */
static gboolean write_folded(const Writer *writer, const Pair *pair, gboolean head, GError **error)
{
	const Profile *profile = profile_of(head ? pair->head : pair->base);
	if (profile == NULL || (pair->counted && profile_n_runs(profile) == 0))
		return TRUE;
	char *text = folded_write(profile, pair->counted ? 0 : FOLDED_ALL_RUNS, pair->folded);
	return write_of_pair(writer, pair, head ? "head_folded" : "base_folded", head ? "head.folded" : "base.folded",
	        text, strlen(text), error);
}

static gboolean write_graph(const Writer *writer, const Pair *pair, gboolean head, GError **error)
{
	const Profile *profile = profile_of(head ? pair->head : pair->base);
	if (profile == NULL)
		return TRUE;
	const ResultSide *side = head ? &writer->result->head : &writer->result->base;
	g_autofree char *sha = wording_sha(side->sha);
	g_autofree char *commit = g_strdup_printf("%s %s", head ? "head" : "base", sha);
	g_autofree char *title = title_of(pair, commit);
	FlameGraph graph = {.profile = profile,
	        .work = work_of(head ? pair->head : pair->base),
	        .benchmark = writer->benchmark->name,
	        .title = title,
	        .counted = pair->counted};
	gsize length;
	char *text = flame_svg(&graph, &length);
	return write_of_pair(
	        writer, pair, head ? "head_svg" : "base_svg", head ? "head.svg" : "base.svg", text, length, error);
}

static gboolean write_diff(const Writer *writer, const Pair *pair, GError **error)
{
	const Profile *base = profile_of(pair->base), *head = profile_of(pair->head);
	if (base == NULL || head == NULL)
		return TRUE;
	g_autofree char *base_sha = wording_sha(writer->result->base.sha);
	g_autofree char *head_sha = wording_sha(writer->result->head.sha);
	g_autofree char *commits = g_strdup_printf("base %s → head %s", base_sha, head_sha);
	g_autofree char *title = title_of(pair, commits);
	FlameDiff diff = {
	        .base = base,
	        .head = head,
	        .base_work = work_of(pair->base),
	        .head_work = work_of(pair->head),
	        .comparison = pair->comparison,
	        .counted = pair->counted,
	        .shown_only = !pair->decides,
	        .max_frames = FLAME_DIFF_MAX_FRAMES,
	        .benchmark = writer->benchmark->name,
	        .title = title,
	};
	gsize length;
	char *text = flame_diff_svg(&diff, &length);
	return write_of_pair(writer, pair, "diff_svg", "diff.svg", text, length, error);
}

static gboolean write_pair(const Writer *writer, const Pair *pair, GError **error)
{
	return write_folded(writer, pair, FALSE, error) && write_folded(writer, pair, TRUE, error) &&
	       write_graph(writer, pair, FALSE, error) && write_graph(writer, pair, TRUE, error) &&
	       write_diff(writer, pair, error);
}

/* Waits and counts differ in size, so the stacks of extra profiles are weighed, not counted. */
static gboolean write_profiles(const Writer *writer, GError **error)
{
	for (guint i = 0; i < writer->benchmark->profiles->len; i++) {
		const ResultProfile *profile = g_ptr_array_index(writer->benchmark->profiles, i);
		Pair pair = {
		        .base = profile->base,
		        .head = profile->head,
		        .comparison = profile->comparison,
		        .folded = FOLDED_WEIGHT,
		        .event = profile->event,
		        .counted = engine_counts(profile->engine),
		        .decides = profile->decides,
		};
		if (!write_pair(writer, &pair, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean write_benchmark(const CheckResult *result, ResultBenchmark *benchmark, const char *dir, GError **error)
{
	g_autofree char *stem = escape_to_string(escape_filename, benchmark->name);
	Writer writer = {result, benchmark, dir, stem};
	g_ptr_array_set_size(benchmark->artifacts, 0);
	gboolean counted = engine_counts(benchmark->engine);
	Pair pair = {
	        .base = benchmark->base,
	        .head = benchmark->head,
	        .comparison = benchmark->comparison,
	        .folded = counted ? FOLDED_WEIGHT : FOLDED_SAMPLES,
	        .counted = counted,
	        .decides = TRUE,
	};
	return write_pair(&writer, &pair, error) && write_profiles(&writer, error);
}

static gboolean write_form(const OutputForm *form, const CheckResult *result, const char *dir, GError **error)
{
	gsize length;
	g_autofree char *text = form->render(result, NULL, &length);
	return write_file(dir, form->file, text, length, error);
}

static gboolean write_page(
        const OutputForm *form, const CheckResult *result, const char *dir, gboolean again, GError **error)
{
	gsize length;
	HtmlReport report = {.result = result, .again = again};
	g_autofree char *page = report_html(&report, &length);
	return write_file(dir, form->file, page, length, error);
}

/* The texts come last: they name the artifacts. The page may need profiles that were left out of the results, and comes
 * after the others, since those change what is known of runs. */
static gboolean write_texts(CheckResult *result, const char *dir, gboolean again, GError **error)
{
	guint n;
	const OutputForm *forms = output_forms(&n);
	/* results are no part of the project: a later `--head worktree` must not measure them */
	static const char ignore_all[] = "*\n";
	if (!write_file(dir, ".gitignore", ignore_all, sizeof ignore_all - 1, error))
		return FALSE;
	for (guint i = 0; i < n; i++)
		if (forms[i].in_folder && !forms[i].is_page && !write_form(&forms[i], result, dir, error))
			return FALSE;
	if (again)
		kept_profiles_restore(result, dir);
	for (guint i = 0; i < n; i++)
		if (forms[i].in_folder && forms[i].is_page && !write_page(&forms[i], result, dir, again, error))
			return FALSE;
	return TRUE;
}

/* --- files of other output folders --- */

/* A link could lead anywhere; what is no file of that benchmark could take the place of another one's. */
static gboolean check_kept(const ResultBenchmark *benchmark, const char *folder, const char *file, GError **error)
{
	g_autofree char *stem = escape_to_string(escape_filename, benchmark->name);
	g_autofree char *prefix = g_strconcat(stem, ".", NULL);
	g_autofree char *path = g_build_filename(folder, file, NULL);
	struct stat status;
	if (!kept_file_is_plain(file) || !g_str_has_prefix(file, prefix))
		return firebreak_refuse(error, FIREBREAK_ERROR_STORAGE,
		        "%s/report.json: \"%s\" is not a file of the benchmark %s", folder, file, benchmark->name);
	if (lstat(path, &status) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", path);
	if (!S_ISREG(status.st_mode) || status.st_size > KEPT_MAX_BYTES)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_STORAGE, "%s: not a file of at most %d MiB", path, KEPT_MAX_BYTES >> 20);
	return TRUE;
}

static gboolean copy_artifacts(const ResultBenchmark *benchmark, const char *folder, const char *dir, GError **error)
{
	for (guint i = 0; i + 1 < benchmark->artifacts->len; i += 2) {
		const char *file = g_ptr_array_index(benchmark->artifacts, i + 1);
		g_autofree char *path = g_build_filename(folder, file, NULL), *content = NULL;
		gsize length = 0;
		if (!check_kept(benchmark, folder, file, error) ||
		        !g_file_get_contents(path, &content, &length, error) ||
		        !write_file(dir, file, content, length, error))
			return FALSE;
	}
	return TRUE;
}

/* --- the whole --- */

/* `folders` is NULL unless the result was joined from those. */
static gboolean write_all(CheckResult *result, const char *const *folders, const char *dir, GError **error)
{
	for (guint i = 0; i < result->benchmarks->len; i++) {
		ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		gboolean written = folders == NULL      ? write_benchmark(result, benchmark, dir, error)
		                   : folders[i] != NULL ? copy_artifacts(benchmark, folders[i], dir, error)
		                                        : TRUE;
		if (!written)
			return FALSE;
	}
	return write_texts(result, dir, folders != NULL, error);
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

/* A new folder beside the target, in which everything is prepared. */
static char *make_sibling(const char *target, GError **error)
{
	g_autofree char *parent = g_path_get_dirname(target);
	if (!durable_make_dir(parent, error))
		return NULL;
	char *sibling = g_strdup_printf("%s.XXXXXX", target);
	if (g_mkdtemp_full(sibling, 0777) != NULL)
		return sibling;
	firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make the output folder %s", target);
	g_free(sibling);
	return NULL;
}

gboolean outdir_check(const char *dir, GError **error)
{
	g_autofree char *target = durable_plain_path(dir);
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

static gboolean write_whole(CheckResult *result, const char *const *folders, const char *dir, GError **error)
{
	g_autofree char *target = durable_plain_path(dir);
	if (!may_replace(target, error))
		return FALSE;
	g_autofree char *prepared = make_sibling(target, error);
	if (prepared == NULL)
		return FALSE;
	if (write_all(result, folders, prepared, error) && durable_replace_dir(prepared, target, error))
		return TRUE;
	durable_remove_tree(prepared, NULL);
	forget_artifacts(result);
	return FALSE;
}

gboolean outdir_write(CheckResult *result, const char *dir, GError **error)
{
	return write_whole(result, NULL, dir, error);
}

gboolean outdir_write_joined(CheckResult *result, const char *const *folders, const char *dir, GError **error)
{
	return write_whole(result, folders, dir, error);
}

/* --- before there is a result --- */

/* TRUE if the earlier report may be taken for a pass. One that cannot be read here may say anything to somebody
 * else. */
static gboolean may_pass(const char *path)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	if (!g_file_get_contents(path, &text, &length, NULL))
		return TRUE;
	g_autoptr(CheckResult) result = report_read(text, length, path, NULL);
	return result == NULL || result->exit_code == 0 || result->exit_code == 3;
}

gboolean outdir_outdate(const char *dir, CheckResult *instead, GError **error)
{
	g_autofree char *path = g_build_filename(dir, "report.json", NULL);
	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) || !may_pass(path))
		return TRUE;
	check_result_decide(instead);
	return outdir_write(instead, dir, error);
}
