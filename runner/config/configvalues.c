/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configvalues.h"

#include "core/nearestword.h"
#include "runner/config/configlookup.h"
#include "runner/events/eventparse.h"

#include <string.h>

gboolean config_check_name(const YamlNode *node, gpointer field, GError **error)
{
	const char *name = *(char **)field;
	gsize length = strlen(name);
	if (length > 0 && length <= 64 && strchr(".-", name[0]) == NULL &&
	        strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-") == length)
		return TRUE;
	return yaml_error(
	        node, error, "a name has 1 to 64 letters, digits, `.`, `_` or `-` and does not start with `.` or `-`");
}

gboolean config_check_cwd(const YamlNode *node, gpointer field, GError **error)
{
	const char *cwd = *(char **)field;
	g_auto(GStrv) parts = g_strsplit(cwd, "/", -1);
	if (!g_path_is_absolute(cwd) && !g_strv_contains((const char *const *)parts, ".."))
		return TRUE;
	return yaml_error(node, error, "cwd is a folder inside the repository");
}

gboolean config_check_filter(const YamlNode *node, gpointer field, GError **error)
{
	const char *filter = *(char **)field;
	for (const char *at = filter; *at != '\0'; at++)
		if (g_ascii_iscntrl(*at))
			return yaml_error(node, error, "a filter is one line of text");
	return *filter != '\0' ||
	       yaml_error(node, error, "an empty filter chooses nothing: name a case, or leave `filter` out");
}

/* The path without what names nothing (empty parts and "."); NULL if it leads out, or names the root or git's own
 * folder. Owned by the caller. */
static char *plain_path(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();
	for (char **part = parts; *part != NULL; part++) {
		if (g_str_equal(*part, "..") || g_ascii_strcasecmp(*part, ".git") == 0)
			return NULL;
		if (**part != '\0' && !g_str_equal(*part, "."))
			g_ptr_array_add(kept, *part);
	}
	g_ptr_array_add(kept, NULL);
	return kept->len > 1 && !g_path_is_absolute(path) ? g_strjoinv("/", (char **)kept->pdata) : NULL;
}

gboolean config_check_files(const YamlNode *node, gpointer field, GError **error)
{
	char **files = *(char ***)field;
	for (guint i = 0; files[i] != NULL; i++) {
		char *plain = plain_path(files[i]);
		if (plain == NULL)
			return yaml_error(yaml_item(node, i), error,
			        "\"%s\" is not a file or folder below the root of the repository", files[i]);
		g_free(files[i]);
		files[i] = plain;
	}
	return TRUE;
}

gboolean config_check_metrics(const YamlNode *node, gpointer field, GError **error)
{
	char *const *metrics = *(char ***)field;
	for (guint i = 0; metrics[i] != NULL; i++)
		if (!config_own_metric_name(metrics[i]))
			return yaml_error(yaml_item(node, i), error,
			        "the name of a benchmark's own metric has 1 to %d of a-z, 0-9 and `-`, and is not one "
			        "that firebreak uses itself",
			        CONFIG_METRIC_NAME_MAX);
	return TRUE;
}

/* The names of events that `profiles` takes, NULL-terminated; borrowed names. */
static GPtrArray *profile_names(void)
{
	GPtrArray *names = g_ptr_array_new();
	for (const char *const *name = perf_event_names(); *name != NULL; name++)
		g_ptr_array_add(names, (gpointer)*name);
	g_ptr_array_add(names, (gpointer)CONFIG_OFF_CPU);
	g_ptr_array_add(names, NULL);
	return names;
}

static gboolean check_profile(const YamlNode *node, const char *profile, GError **error)
{
	g_autoptr(GPtrArray) names = profile_names();
	const char *const *known = (const char *const *)(void *)names->pdata;
	if (g_strv_contains(known, profile))
		return TRUE;
	const char *near = nearest_word(profile, known);
	if (near != NULL)
		return yaml_error(node, error, "\"%s\" is not an event; did you mean \"%s\"?", profile, near);
	return yaml_error(node, error,
	        "\"%s\" is not an event: \"" CONFIG_OFF_CPU
	        "\", \"page-faults\", \"cache-misses\" and other names of `perf list` are",
	        profile);
}

gboolean config_check_profiles(const YamlNode *node, gpointer field, GError **error)
{
	char *const *profiles = *(char ***)field;
	for (guint i = 0; profiles[i] != NULL; i++)
		if (!check_profile(yaml_item(node, i), profiles[i], error))
			return FALSE;
	return TRUE;
}

gboolean config_check_anchor(const YamlNode *node, gpointer field, GError **error)
{
	const char *anchor = *(char **)field;
	guint64 n;
	if (strspn(anchor, "0123456789") == strlen(anchor) &&
	        !g_ascii_string_to_unsigned(anchor, 10, 1, CONFIG_ANCHOR_MAX, &n, NULL))
		return yaml_error(
		        node, error, "an anchor is at least 1 and at most %d commits back", CONFIG_ANCHOR_MAX);
	if (*anchor == '-')
		return yaml_error(node, error, "an anchor is release, none, a number of commits, or a revision");
	return TRUE;
}

gboolean config_check_reason(const YamlNode *node, gpointer field, GError **error)
{
	char *reason = *(char **)field;
	if (*g_strstrip(reason) == '\0')
		return yaml_error(node, error, "a reason has words: reviewers read it beside the verdict");
	return g_utf8_strlen(reason, -1) <= CONFIG_ACCEPT_REASON_MAX ||
	       yaml_error(node, error, "a reason has at most %d characters", CONFIG_ACCEPT_REASON_MAX);
}

gboolean config_read_work(const YamlNode *node, const ConfigKey *key, gpointer section, GError **error)
{
	ConfigBenchmark *benchmark = section;
	if (node->kind == YAML_SCALAR && g_str_equal(node->text, "reported")) {
		benchmark->work_reported = TRUE;
		return TRUE;
	}
	if (yaml_read_number(node, key->min, key->max, &benchmark->work, error))
		return TRUE;
	g_prefix_error(error, "work is a number, or `reported`: ");
	return FALSE;
}

gboolean config_read_functions(
        const YamlNode *node, G_GNUC_UNUSED const ConfigKey *key, gpointer section, GError **error)
{
	ConfigBenchmark *benchmark = section;
	benchmark->strict_functions = node->kind == YAML_SCALAR && !node->quoted && g_str_equal(node->text, "strict");
	benchmark->gate_functions = TRUE;
	if (benchmark->strict_functions || yaml_read_bool(node, &benchmark->gate_functions, NULL))
		return TRUE;
	return yaml_error(node, error, "expected true, false or strict");
}

/* --- accept and accept_from --- */

static gboolean read_source_list(const YamlNode *node, const char *const *choices, guint *from, GError **error)
{
	guint named = 0;
	if (yaml_length(node) == 0)
		return yaml_error(node, error, "expected at least one of config, trailer; or write `none`");
	for (guint i = 0; i < yaml_length(node); i++) {
		guint source = 0;
		if (!yaml_read_choice(yaml_item(node, i), choices, &source, error))
			return FALSE;
		if ((named & 1U << source) != 0)
			return yaml_error(yaml_item(node, i), error, "%s is in the list already", choices[source]);
		named |= 1U << source;
	}
	*from = named;
	return TRUE;
}

gboolean config_read_sources(const YamlNode *node, const ConfigKey *key, gpointer section, GError **error)
{
	Config *config = section;
	if (node->kind != YAML_SCALAR)
		return yaml_expect(node, YAML_SEQUENCE, error) &&
		       read_source_list(node, key->choices, &config->accept_from, error);
	if (!g_str_equal(node->text, "none"))
		return yaml_error(node, error, "expected a list of config and trailer, or `none`");
	config->accept_from = 0;
	return TRUE;
}

static gboolean looks_like_a_date(const char *text)
{
	static const char pattern[] = "dddd-dd-dd";
	if (strlen(text) != strlen(pattern))
		return FALSE;
	for (gsize i = 0; pattern[i] != '\0'; i++)
		if (pattern[i] == '-' ? text[i] != '-' : !g_ascii_isdigit(text[i]))
			return FALSE;
	return TRUE;
}

/* The first second after that day in UTC; FALSE unless it is a date written like 2026-12-31. */
static gboolean day_end(const char *text, gint64 *seconds)
{
	if (!looks_like_a_date(text))
		return FALSE;
	guint year = (guint)strtoul(text, NULL, 10), month = (guint)strtoul(text + 5, NULL, 10);
	guint day = (guint)strtoul(text + 8, NULL, 10);
	if (!g_date_valid_dmy((GDateDay)day, (GDateMonth)month, (GDateYear)year))
		return FALSE;
	g_autoptr(GDateTime) begin = g_date_time_new_utc((int)year, (int)month, (int)day, 0, 0, 0);
	*seconds = g_date_time_to_unix(begin) + 24 * 60 * 60;
	return TRUE;
}

gboolean config_read_until(const YamlNode *node, G_GNUC_UNUSED const ConfigKey *key, gpointer section, GError **error)
{
	ConfigAccept *accept = section;
	return yaml_read_string(node, &accept->until, error) &&
	       (day_end(accept->until, &accept->until_end_s) ||
	               yaml_error(node, error,
	                       "expected a date such as 2026-12-31; it is the last day that counts, in UTC"));
}
