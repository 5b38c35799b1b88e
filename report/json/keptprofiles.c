/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/keptprofiles.h"

#include "core/escape.h"
#include "model/engine.h"
#include "report/json/reportprofiles.h"
#include "report/words/highlights.h"

#include <string.h>

gboolean kept_file_is_plain(const char *file)
{
	return *file != '\0' && *file != '.' && strchr(file, '/') == NULL;
}

/* The text of an artifact, or NULL if there is none, or not of a name that an output folder has. */
static char *read_artifact(const char *dir, const ResultBenchmark *benchmark, const char *kind)
{
	const char *file = highlights_artifact(benchmark, kind);
	if (file == NULL || !kept_file_is_plain(file))
		return NULL;
	g_autofree char *path = g_build_filename(dir, file, NULL);
	char *text = NULL;
	return g_file_get_contents(path, &text, NULL, NULL) ? text : NULL;
}

/* Kinds of artifacts begin with the name of an extra profile. */
static char *read_kept(const char *dir, const ResultBenchmark *benchmark, const char *event, const char *kind)
{
	if (event == NULL)
		return read_artifact(dir, benchmark, kind);
	g_autofree char *prefix = escape_to_string(escape_filename, event);
	g_autofree char *own = g_strdup_printf("%s.%s", prefix, kind);
	return read_artifact(dir, benchmark, own);
}

static void restore(const char *dir, const ResultBenchmark *benchmark, const char *event, const RestoredSides *sides)
{
	g_autofree char *picture = read_kept(dir, benchmark, event, "diff_svg");
	g_autofree char *base = read_kept(dir, benchmark, event, "base_folded");
	g_autofree char *head = read_kept(dir, benchmark, event, "head_folded");
	KeptProfiles kept = {picture, base, head};
	report_profiles_restore(sides, &kept);
}

void kept_profiles_restore(const CheckResult *result, const char *dir)
{
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		RestoredSides own = {
		        benchmark->base, benchmark->head, benchmark->comparison, engine_counts(benchmark->engine)};
		restore(dir, benchmark, NULL, &own);
		for (guint n = 0; n < benchmark->profiles->len; n++) {
			const ResultProfile *profile = g_ptr_array_index(benchmark->profiles, n);
			RestoredSides sides = {
			        profile->base, profile->head, profile->comparison, engine_counts(profile->engine)};
			if (profile->decides)
				restore(dir, benchmark, profile->event, &sides);
		}
	}
}
