/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/baselinesync.h"

#include "baselines/retention.h"
#include "baselines/sync.h"
#include "cli/options/commandline.h"
#include "cli/output/output.h"
#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "core/git/repo.h"
#include "core/json/document.h"
#include "gate/request/talk.h"
#include "model/textpiece.h"

#include <string.h>

/* --- telling --- */

/* Prints the fields of `record` with the findings, and returns the exit code. */
static int print_json(const char *schema, FieldTable table, gconstpointer record, const FindingList *findings, int code)
{
	const JsonDocument document = {.schema = schema, .table = table, .findings = findings};
	g_autofree char *text = json_document(&document, record, NULL);
	return print_result(text) ? code : FIREBREAK_ERROR_STORAGE;
}

static int print_line(const char *text, const FindingList *findings, int code)
{
	talk_findings(findings, TALK_NORMAL);
	return print_result(text) ? code : FIREBREAK_ERROR_STORAGE;
}

/* Appends ", <n> <what>" if there are any. */
static void append_count(GString *text, guint n, const char *what)
{
	if (n > 0)
		g_string_append_printf(text, ", %u %s", n, what);
}

static int exit_code_of(guint damaged, guint refused, const BaselineOptions *options)
{
	if (damaged > 0)
		return FIREBREAK_ERROR_BASELINE;
	return refused > 0 && options->strict ? FIREBREAK_ERROR_STORAGE : 0;
}

static const Field sync_fields[] = {
        FIELD("received", COUNT, SyncCounts, received),
        FIELD("sent", COUNT, SyncCounts, sent),
        FIELD("same", COUNT, SyncCounts, same),
        FIELD("missing", COUNT, SyncCounts, missing),
        FIELD("refused", COUNT, SyncCounts, refused),
        FIELD("damaged", COUNT, SyncCounts, damaged),
};

static int print_counts(const SyncCounts *counts, const FindingList *findings, const BaselineOptions *options)
{
	int code = exit_code_of(counts->damaged, counts->refused, options);
	if (options->json)
		return print_json("firebreak-sync/1", FIELD_TABLE(sync_fields), counts, findings, code);
	g_autoptr(GString) text = g_string_new("commits:");
	append_count(text, counts->received, "received");
	append_count(text, counts->sent, "sent");
	append_count(text, counts->same, "the same");
	append_count(text, counts->missing, "without baselines there");
	append_count(text, counts->refused, "refused");
	append_count(text, counts->damaged, "damaged");
	if (strchr(text->str, ',') == NULL)
		g_string_append(text, ", none");
	g_string_erase(text, (gssize)strlen("commits:"), 1);
	g_string_append_c(text, '\n');
	return print_line(text->str, findings, code);
}

/* --- fetch and push --- */

/* Full SHAs of the revisions; a full SHA stays as it is, since the commit may not be in the clone. */
static char **resolve_all(char **revisions, GError **error)
{
	g_autoptr(Repo) repo = repo_open(".", error);
	g_autoptr(GPtrArray) shas = g_ptr_array_new_with_free_func(g_free);
	for (; repo != NULL && *revisions != NULL; revisions++) {
		char *sha = NULL;
		if (text_hex_digits(*revisions) == 40)
			sha = g_strdup(*revisions);
		else if (!repo_resolve(repo, *revisions, &sha, error))
			return NULL;
		g_ptr_array_add(shas, sha);
	}
	g_ptr_array_add(shas, NULL);
	return repo != NULL ? g_strdupv((char **)shas->pdata) : NULL;
}

int baseline_fetch_run(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error)
{
	g_autoptr(FindingList) findings = finding_list_new();
	SyncCounts counts;
	gboolean named = arguments[0] != NULL && baseline_is_remote(store, arguments[0]);
	char **revisions = named ? arguments + 1 : arguments;
	g_auto(GStrv) commits = *revisions != NULL ? resolve_all(revisions, error) : NULL;
	if (*revisions != NULL && commits == NULL) {
		if (revisions == arguments)
			g_prefix_error(error,
			        "'%s' is not a remote (`git remote` lists them), and as a commit: ", arguments[0]);
		return 0;
	}
	if (!baseline_fetch(store, named ? arguments[0] : NULL, (const char *const *)commits, findings, &counts, error))
		return 0;
	return print_counts(&counts, findings, options);
}

int baseline_push_run(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error)
{
	g_autoptr(FindingList) findings = finding_list_new();
	SyncCounts counts;
	if (!baseline_push(store, arguments[0], findings, &counts, error))
		return 0;
	return print_counts(&counts, findings, options);
}

/* --- prune --- */

static const Field prune_fields[] = {
        FIELD("dry_run", FLAG, RetentionResult, dry_run),
        FIELD("kept", COUNT, RetentionResult, kept),
        FIELD("removed", COUNT, RetentionResult, removed),
        FIELD("refused", COUNT, RetentionResult, refused),
        FIELD("damaged", COUNT, RetentionResult, damaged),
        FIELD("commits", TEXTS, RetentionResult, commits),
};

static int print_retention(const RetentionResult *result, const FindingList *findings, const BaselineOptions *options)
{
	int code = exit_code_of(result->damaged, result->refused, options);
	if (options->json)
		return print_json("firebreak-prune/1", FIELD_TABLE(prune_fields), result, findings, code);
	g_autoptr(GString) text = g_string_new(NULL);
	g_string_append_printf(text, "commits: %u kept, %u %s", result->kept, result->removed,
	        result->dry_run ? "would be removed" : "removed");
	append_count(text, result->refused, "refused");
	append_count(text, result->damaged, "damaged");
	g_string_append_c(text, '\n');
	return print_line(text->str, findings, code);
}

int baseline_prune_run(
        BaselineStore *store, const BaselineOptions *options, G_GNUC_UNUSED char **arguments, GError **error)
{
	g_autoptr(FindingList) findings = finding_list_new();
	g_auto(RetentionResult) result = {0};
	g_auto(GStrv) branches = options->keep_branches != NULL ? g_strsplit(options->keep_branches, ",", -1) : NULL;
	if (options->keep < 1) {
		firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "prune needs --keep N, at least 1");
		return 0;
	}
	if (branches != NULL && branches[0] == NULL) {
		firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--keep-branches names no branch");
		return 0;
	}
	RetentionRules rules = {.keep = (guint)options->keep,
	        .branches = (const char *const *)branches,
	        .remote = options->remote,
	        .dry_run = options->dry_run};
	if (!baseline_prune(store, &rules, findings, &result, error))
		return 0;
	return print_retention(&result, findings, options);
}
