/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/frameworkcases.h"

#include "core/error.h"
#include "runner/frameworks/frameworkoutput.h"
#include "runner/frameworks/frameworks.h"

#include <math.h>
#include <string.h>

#define MAX_NAMED 5
/* Arguments and variables longer than 128 KiB cannot be passed on. */
#define MAX_FILTER_BYTES 65536
/* A case that takes about a cycle on base may take a little less by chance. */
#define REMOVED_RATIO 1.5
#define REMOVED "removed"

GPtrArray *framework_cases_settle(const GPtrArray *cases)
{
	GPtrArray *settled = config_cases_new();
	for (guint i = 0; i < cases->len; i++) {
		const FrameworkCase *one = cases->pdata[i];
		config_cases_add(settled, one->name, one->repetitions, one->ns);
	}
	return settled;
}

const GPtrArray *framework_cases_known(const ConfigBenchmark *benchmark, const Engine *engine)
{
	return engine_counts(engine) ? benchmark->counted_cases : benchmark->cases;
}

static gboolean is_at(const GPtrArray *cases, guint i, const char *name)
{
	return i < cases->len && g_str_equal(((const ConfigCase *)cases->pdata[i])->name, name);
}

const ConfigCase *framework_cases_find(const GPtrArray *cases, guint place, const char *name)
{
	if (is_at(cases, place, name))
		return cases->pdata[place];
	for (guint i = 0; i < cases->len; i++)
		if (is_at(cases, i, name))
			return cases->pdata[i];
	return NULL;
}

GPtrArray *framework_cases_added(const GPtrArray *known, const GPtrArray *cases)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *added = g_ptr_array_new();
	for (guint i = 0; i < known->len; i++)
		g_hash_table_add(names, ((const ConfigCase *)known->pdata[i])->name);
	for (guint i = 0; i < cases->len; i++) {
		char *name = ((const ConfigCase *)cases->pdata[i])->name;
		if (!g_hash_table_contains(names, name))
			g_ptr_array_add(added, name);
	}
	return added;
}

char *framework_names_text(const GPtrArray *names)
{
	GString *text = g_string_new(NULL);
	guint shown = names->len > MAX_NAMED ? MAX_NAMED - 1 : names->len;
	for (guint i = 0; i < shown; i++)
		g_string_append_printf(text, "%s%s",
		        i == 0                ? ""
		        : i + 1 == names->len ? " and "
		                              : ", ",
		        (const char *)names->pdata[i]);
	if (names->len > shown)
		g_string_append_printf(text, " and %u more", names->len - shown);
	return g_string_free(text, FALSE);
}

static gboolean refuse_others(const GPtrArray *lacking, const GPtrArray *added, GError **error)
{
	g_autofree char *lost = framework_names_text(lacking), *more = framework_names_text(added);
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "did not run the cases of base, so that costs cannot be compared: %s%s%s%s%s; name the cases that both "
	        "sides have in `filter`, or let each case be a benchmark of its own",
	        lacking->len > 0 ? "it lacks " : "", lost, lacking->len > 0 && added->len > 0 ? ", and " : "",
	        added->len > 0 ? "it has also " : "", more);
}

static gboolean check_repetitions(const GPtrArray *known, guint place, const FrameworkCase *one, GError **error)
{
	guint wanted = framework_cases_find(known, place, one->name)->repetitions;
	return one->repetitions == wanted ||
	       firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	               "says %u result%s of %s, and base %u: a result that is said twice makes its work look twice as "
	               "much",
	               one->repetitions, one->repetitions == 1 ? "" : "s", one->name, wanted);
}

gboolean framework_cases_same(const GPtrArray *known, const GPtrArray *cases, GError **error)
{
	if (known == NULL)
		return TRUE;
	g_autoptr(GPtrArray) these = framework_cases_settle(cases);
	g_autoptr(GPtrArray) added = framework_cases_added(known, these), lacking = framework_cases_added(these, known);
	if (added->len + lacking->len > 0)
		return refuse_others(lacking, added, error);
	for (guint i = 0; i < cases->len; i++)
		if (!check_repetitions(known, i, cases->pdata[i], error))
			return FALSE;
	return TRUE;
}

gboolean framework_case_removed(double known_ns, double ns)
{
	return ns < FRAMEWORK_CYCLE_NS && known_ns >= FRAMEWORK_CYCLE_NS && known_ns > REMOVED_RATIO * ns;
}

const ConfigCase *framework_cases_removed_alone(const GPtrArray *cases, const GPtrArray *other)
{
	for (guint i = 0; i < cases->len; i++) {
		const ConfigCase *here = cases->pdata[i], *there = framework_cases_find(other, i, here->name);
		if (there != NULL && framework_case_removed(there->ns, here->ns))
			return here;
	}
	return NULL;
}

/* --- filters --- */

/* The name without the number of CPUs that Go adds to all of them. */
static char *go_name(const char *name, guint n_cpus)
{
	g_autofree char *suffix = g_strdup_printf("-%u", n_cpus);
	gboolean has = n_cpus > 1 && g_str_has_suffix(name, suffix);
	return g_strndup(name, strlen(name) - (has ? strlen(suffix) : 0));
}

/* "^(a|b)$" of the parts at one place of names, each once. */
static void append_part(GString *filter, const GPtrArray *names, guint place)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_string_append(filter, filter->len > 0 ? "/^(" : "^(");
	for (guint i = 0; i < names->len; i++) {
		char *const *parts = names->pdata[i];
		g_autofree char *escaped = g_regex_escape_string(parts[place], -1);
		if (g_hash_table_contains(seen, parts[place]))
			continue;
		g_string_append_printf(filter, "%s%s", g_hash_table_size(seen) > 0 ? "|" : "", escaped);
		g_hash_table_add(seen, g_strdup(parts[place]));
	}
	g_string_append(filter, ")$");
}

/* Go matches what stands between slashes part by part, so names with as many parts are chosen by each of them; a few
 * that are made of parts of several may be chosen, too. */
static char *go_cases_filter(const GPtrArray *names, guint n_cpus)
{
	g_autoptr(GPtrArray) split = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	guint n = 0;
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *name = go_name(names->pdata[i], n_cpus);
		char **parts = g_strsplit(name, "/", -1);
		g_ptr_array_add(split, parts);
		if (i > 0 && g_strv_length(parts) != n)
			return NULL;
		n = g_strv_length(parts);
	}
	GString *filter = g_string_new(NULL);
	for (guint place = 0; place < n; place++)
		append_part(filter, split, place);
	return g_string_free(filter, FALSE);
}

static char *join_filters(
        FrameworkId id, const GPtrArray *names, const char *begin, const char *between, const char *end)
{
	GString *filter = g_string_new(begin);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *one = *begin != '\0' ? g_regex_escape_string(names->pdata[i], -1)
		                                      : framework_filter(id, names->pdata[i]);
		g_string_append_printf(filter, "%s%s", i > 0 ? between : "", one);
	}
	g_string_append(filter, end);
	return g_string_free(filter, FALSE);
}

char *framework_cases_filter(FrameworkId id, const GPtrArray *names, guint n_cpus)
{
	g_autofree char *filter = NULL;
	if (names->len == 0)
		return NULL;
	switch (id) {
	case FRAMEWORK_GOOGLE_BENCHMARK:
	case FRAMEWORK_CRITERION:
		filter = join_filters(id, names, "^(", "|", ")$");
		break;
	case FRAMEWORK_GO:
		filter = go_cases_filter(names, n_cpus);
		break;
	case FRAMEWORK_CATCH2:
		filter = join_filters(id, names, "", ",", "");
		break;
	case FRAMEWORK_LIBTEST:
		filter = join_filters(id, names, "", "\n", "");
		break;
	default:
		break;
	}
	return filter != NULL && strlen(filter) <= MAX_FILTER_BYTES ? g_steal_pointer(&filter) : NULL;
}

/* --- as text --- */

char *framework_cases_text(const GPtrArray *cases)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; cases != NULL && i < cases->len; i++) {
		const ConfigCase *one = cases->pdata[i];
		g_autofree char *name = g_strescape(one->name, NULL);
		g_string_append_printf(text, "%s%s", i > 0 ? "\n" : "", name);
		if (one->repetitions != 1)
			g_string_append_printf(text, "\tx%u", one->repetitions);
		if (one->ns < FRAMEWORK_CYCLE_NS)
			g_string_append(text, "\t" REMOVED);
	}
	return g_string_free(text, FALSE);
}

static void read_case(GPtrArray *cases, const char *line)
{
	g_auto(GStrv) cells = g_strsplit(line, "\t", -1);
	/* an empty line has no cell; the text may be anybody's */
	g_autofree char *name = g_strcompress(cells[0] != NULL ? cells[0] : "");
	guint repetitions = 1;
	double ns = INFINITY;
	for (char **cell = cells; *cell != NULL; cell++) {
		if (cell == cells)
			continue;
		if (**cell == 'x')
			repetitions = (guint)g_ascii_strtoull(*cell + 1, NULL, 10);
		if (g_str_equal(*cell, REMOVED))
			ns = 0;
	}
	config_cases_add(cases, name, repetitions, ns);
}

GPtrArray *framework_cases_read(const char *text)
{
	if (*text == '\0')
		return NULL;
	GPtrArray *cases = config_cases_new();
	g_auto(GStrv) lines = g_strsplit(text, "\n", FRAMEWORK_MAX_CASES);
	for (char **line = lines; *line != NULL; line++)
		read_case(cases, *line);
	return cases;
}

char *framework_cases_unlike(const char *base, const char *head)
{
	g_autoptr(GPtrArray) here = framework_cases_read(base), there = framework_cases_read(head);
	if (here == NULL || there == NULL)
		return NULL;
	g_autoptr(GPtrArray) lacking = framework_cases_added(there, here), added = framework_cases_added(here, there);
	g_autofree char *lost = framework_names_text(lacking), *more = framework_names_text(added);
	if (lacking->len + added->len > 0)
		return g_strdup_printf("head ran other cases than base: %s%s%s%s%s",
		        lacking->len > 0 ? "it lacks " : "", lost, lacking->len > 0 && added->len > 0 ? ", and " : "",
		        added->len > 0 ? "it has also " : "", more);
	const ConfigCase *one = framework_cases_removed_alone(here, there);
	if (one == NULL)
		one = framework_cases_removed_alone(there, here);
	return one != NULL ? g_strdup_printf("the compiler has removed the work of %s on one side alone", one->name)
	                   : NULL;
}
