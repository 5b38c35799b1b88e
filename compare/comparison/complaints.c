/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/complaints.h"

#include "model/numbers/number.h"

#include <string.h>

/* The part of its cost that is left to a head where nobody knows if base prints the same. */
#define LITTLE_LEFT .5
/* Base may print more than the lines that are kept (measurement_add_complaints()). */
#define MANY_LINES 1000

static gboolean begins_word(const char *line, const char *at)
{
	return at == line || strchr(" \t\"'`([{<=:,", at[-1]) != NULL;
}

static const char *after_digits(const char *at)
{
	return at + strspn(at, "0123456789");
}

/* After the letters of a unit, if these are one: "ns", "k", "MiB", "M/s". */
static const char *after_unit(const char *at)
{
	const char *end = at + (g_str_has_prefix(at, "\xc2\xb5") ? 2 : strspn(at, "kKMGTmunp") > 0);
	end += *end == 'i';
	end += *end != '\0' && strchr("sB", *end) != NULL;
	end += g_str_has_prefix(end, "/s") ? 2 : 0;
	return g_ascii_isalnum(*end) ? at : end;
}

/* The end of a number with its unit: of digits with a point, commas and an exponent, or of the hexadecimal digits of an
 * address. "999 ns" and "1.2 us" are results, which differ from run to run. */
static const char *after_number(const char *at)
{
	if (g_str_has_prefix(at, "0x"))
		return at + 2 + strspn(at + 2, "0123456789abcdefABCDEF");
	at = after_digits(at);
	while ((*at == '.' || *at == ',') && g_ascii_isdigit(at[1]))
		at = after_digits(at + 1);
	const char *exponent = at + 1 + strspn(at + (*at != '\0'), "+-");
	if ((*at == 'e' || *at == 'E') && g_ascii_isdigit(*exponent))
		at = after_digits(exponent);
	return after_unit(at + (*at == ' ' && after_unit(at + 1) > at + 1));
}

/* The last part of an absolute path: its folders are those of a run. */
static const char *after_folders(const char *at)
{
	const char *end = at + strcspn(at, " \t\"'`)]}>:,");
	while (end > at && end[-1] != '/')
		end--;
	return end;
}

/* Owned by the caller. */
static char *normal_form(const char *line)
{
	GString *normal = g_string_new(NULL);
	for (const char *at = line; *at != '\0';) {
		if (g_ascii_isdigit(*at)) {
			at = after_number(at);
			g_string_append_c(normal, '#');
		} else if (*at == '/' && begins_word(line, at)) {
			at = after_folders(at);
		} else if (*at == ' ' || *at == '\t') {
			/* columns are filled up with blanks */
			at += strspn(at, " \t");
			g_string_append_c(normal, ' ');
		} else {
			g_string_append_c(normal, g_ascii_tolower(*at++));
		}
	}
	return g_string_free(normal, FALSE);
}

const char *complaint_of_head(const Measurement *base, const Measurement *head)
{
	g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; base->complaints != NULL && i < base->complaints->len; i++)
		g_hash_table_add(known, normal_form(base->complaints->pdata[i]));
	for (guint i = 0; head->complaints != NULL && i < head->complaints->len; i++) {
		g_autofree char *normal = normal_form(head->complaints->pdata[i]);
		if (!g_hash_table_contains(known, normal))
			return head->complaints->pdata[i];
	}
	return NULL;
}

static gboolean lost_much(const MetricComparison *metric)
{
	return metric->upper_ratio < LITTLE_LEFT && !metric->higher_is_better;
}

static const MetricComparison *improved_metric(const BenchmarkComparison *comparison, gboolean base_is_known)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && metric->improved && (base_is_known || lost_much(metric)))
			return metric;
	}
	return NULL;
}

void complaints_judge(const Measurement *base, const Measurement *head, BenchmarkComparison *comparison)
{
	const char *line = complaint_of_head(base, head);
	gboolean base_is_known = base->complaints != NULL && base->complaints->len < MANY_LINES;
	const MetricComparison *metric = line != NULL ? improved_metric(comparison, base_is_known) : NULL;
	if (metric == NULL || comparison->verdict == VERDICT_ERROR || comparison->verdict == VERDICT_REGRESSION)
		return;
	g_autofree char *change = number_change(metric->change_ratio);
	benchmark_comparison_decide(comparison, VERDICT_ERROR, "prints_error",
	        g_strdup_printf(
	                "head prints \"%s\"%s, exits with 0 and changes %s by %s, so it may leave out work; let "
	                "it fail where it cannot work, or set `error_output: allow` in base's configuration",
	                line, base_is_known ? ", which base does not" : "", metric->name, change));
}
