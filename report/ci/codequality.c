/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/codequality.h"

#include "core/escape.h"
#include "core/jsontext.h"
#include "report/ci/flagged.h"
#include "report/words/wording.h"

#include <string.h>

#define DESCRIPTION_MAX_CHARS 1000
#define CONFIG_FILE "firebreak.yml"

/* Foreign text for people: cut, and what they would not see made visible. */
static json_t *readable(const char *text)
{
	g_autofree char *shortened = wording_shorten_words(text, DESCRIPTION_MAX_CHARS);
	g_autofree char *visible = escape_to_string(escape_terminal, shortened);
	return json_string(visible);
}

/* Each part with its NUL, so that no two lists of parts are one text. */
static char *fingerprint(const FlaggedFunction *flagged)
{
	const FunctionList *list = &flagged->list;
	const char *parts[] = {flagged->benchmark->name, list->event != NULL ? list->event : "",
	        highlights_module(list->table, flagged->function->frame),
	        highlights_name(list->table, flagged->function->frame)};
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
		g_checksum_update(sum, (const guchar *)parts[i], (gssize)strlen(parts[i]) + 1);
	return g_strdup(g_checksum_get_string(sum));
}

static json_t *location(const FlaggedFunction *flagged)
{
	json_t *object = json_object(), *lines = json_object();
	json_set(lines, "begin", json_integer(flagged->place.path != NULL ? flagged->place.line : 1));
	json_set(object, "path",
	        flagged->place.path != NULL ? json_text(flagged->place.path) : json_string(CONFIG_FILE));
	json_set(object, "lines", lines);
	return object;
}

/* As readers keep one issue per fingerprint, that of a second function of the same name in a module has its number
 * after it. Owned by `taken`. */
static const char *free_fingerprint(GHashTable *taken, const FlaggedFunction *flagged)
{
	g_autofree char *first = fingerprint(flagged);
	char *print = g_strdup(first);
	for (guint number = 2; !g_hash_table_add(taken, print); number++) {
		g_autofree char *numbered = g_strdup_printf("%s %u", first, number);
		print = g_compute_checksum_for_string(G_CHECKSUM_SHA256, numbered, -1);
	}
	return print;
}

static json_t *issue(GHashTable *taken, const FlaggedFunction *flagged)
{
	static const char *const severities[] = {
	        [FLAGGED_GATES] = "critical",
	        [FLAGGED_SLOWER] = "major",
	        [FLAGGED_HELD] = "minor",
	        [FLAGGED_NOTICED] = "minor",
	};
	g_autofree char *text = flagged_text(flagged);
	json_t *object = json_object();
	json_set(object, "description", readable(text));
	json_set(object, "check_name",
	        json_string(flagged->weight == FLAGGED_GATES ? "performance-regression" : "performance"));
	json_set(object, "fingerprint", json_string(free_fingerprint(taken, flagged)));
	json_set(object, "severity", json_string(severities[flagged->weight]));
	json_set(object, "location", location(flagged));
	return object;
}

char *codequality_json(const CheckResult *result, gsize *length)
{
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	g_autoptr(GHashTable) taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	json_auto_t *issues = json_array();
	for (guint i = 0; i < MIN(flagged->len, CODEQUALITY_MAX_ISSUES); i++)
		json_array_append_new(issues, issue(taken, g_ptr_array_index(flagged, i)));
	return json_dump_text(issues, length);
}
