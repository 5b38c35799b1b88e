/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/baselinelist.h"

#include "baselines/inventory.h"
#include "cli/options/commandline.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/json/fieldtable.h"
#include "model/numbers/number.h"

#include <stdio.h>

static const char header[] = "COMMIT                                    FINGERPRINT       BENCHMARK                "
                             "ENGINES      RUNS     SIZE\n";

static void append_entry(GString *text, const BaselineEntry *entry)
{
	g_autofree char *name = escape_to_string(escape_terminal, entry->benchmark);
	g_autofree char *joined = g_strjoinv(",", entry->engines);
	g_autofree char *engines = escape_to_string(escape_terminal, joined);
	g_autofree char *problem = entry->problem != NULL ? escape_to_string(escape_terminal, entry->problem) : NULL;
	g_autofree char *size = number_value((double)entry->size_bytes, "bytes");
	g_string_append_printf(text, "%s  %.16s  %-24s ", entry->commit, entry->fingerprint, name);
	if (entry->campaigns > 0)
		g_string_append_printf(text, "%u A/A campaign%s", entry->campaigns, entry->campaigns == 1 ? "" : "s");
	else
		g_string_append_printf(text, "%-10s %3u runs %10s", engines, entry->runs, size);
	if (problem != NULL)
		g_string_append_printf(
		        text, "  %s%s", g_str_has_prefix(problem, "damaged: ") ? "" : "damaged: ", problem);
	g_string_append_c(text, '\n');
}

static char *list_text(const GPtrArray *entries)
{
	GString *text = g_string_new(entries->len > 0 ? header : NULL);
	for (guint i = 0; i < entries->len; i++)
		append_entry(text, entries->pdata[i]);
	return g_string_free(text, FALSE);
}

static const Field entry_fields[] = {
        FIELD("sha", WORDS, BaselineEntry, commit),
        FIELD("fingerprint", WORDS, BaselineEntry, fingerprint),
        FIELD("benchmark", WORDS, BaselineEntry, benchmark),
        FIELD("engines", STRV, BaselineEntry, engines),
        FIELD("runs", COUNT, BaselineEntry, runs),
        FIELD("size_bytes", BIG_COUNT, BaselineEntry, size_bytes),
        FIELD("campaigns", COUNT, BaselineEntry, campaigns),
        FIELD("problem", TEXT, BaselineEntry, problem),
};

/* An array, as scripts read it with `jq '.[]'`. */
static char *list_json(const GPtrArray *entries)
{
	json_auto_t *list = records_json(FIELD_TABLE(entry_fields), entries, FALSE);
	return json_dump_text(list, NULL);
}

int baseline_list_run(
        BaselineStore *store, const BaselineOptions *options, G_GNUC_UNUSED char **arguments, GError **error)
{
	g_autoptr(GPtrArray) entries = baseline_store_list(store, error);
	if (entries == NULL)
		return 0;
	if (entries->len == 0 && !options->json)
		fprintf(stderr, "firebreak: no baselines are stored here\n");
	g_autofree char *text = options->json ? list_json(entries) : list_text(entries);
	return print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
}
