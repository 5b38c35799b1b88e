/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/inventory.h"
#include "baselines/quarantine.h"
#include "baselines/transfer.h"
#include "cli/commands/baselinelist.h"
#include "cli/commands/baselineoptions.h"
#include "cli/commands/baselineshow.h"
#include "cli/commands/baselinesync.h"
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/output/output.h"
#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/git/repo.h"
#include "core/json/document.h"

#include <stdio.h>

static int export_commit(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error)
{
	const char *path = options->out != NULL ? options->out : arguments[1];
	if (path == NULL || (options->out != NULL && arguments[1] != NULL)) {
		firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "name one file to export to: -o FILE");
		return 0;
	}
	g_autofree char *sha = repo_resolve_at(".", arguments[0], error);
	if (sha != NULL)
		baseline_export(store, sha, path, error);
	return 0;
}

static int import_file(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error)
{
	g_autofree char *commit = options->commit != NULL ? repo_resolve_at(".", options->commit, error) : NULL;
	if (options->commit != NULL && commit == NULL)
		return 0;
	g_autoptr(FindingList) findings = finding_list_new();
	baseline_store_set_findings(store, findings);
	g_autofree char *sha = baseline_import(store, arguments[0], commit, error);
	baseline_store_set_findings(store, NULL);
	if (sha == NULL)
		return 0;
	talk_findings(findings, TALK_NORMAL);
	g_autofree char *text = g_strdup_printf("%s\n", sha);
	return print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
}

static void append_findings(GString *text, const FindingList *findings)
{
	for (guint i = 0; i < finding_count(findings); i++) {
		g_autofree char *safe = escape_to_string(escape_terminal, finding_get(findings, i)->text);
		g_string_append_printf(text, "%s\n", safe);
	}
}

typedef struct {
	gboolean sound;
	guint set_aside; /* commits */
} Verification;

static const Field verify_fields[] = {
        FIELD("sound", FLAG, Verification, sound),
        FIELD("set_aside", COUNT, Verification, set_aside),
};

static char *verification_json(const Verification *verification, const FindingList *findings)
{
	const JsonDocument document = {
	        .schema = "firebreak-verify/1", .table = FIELD_TABLE(verify_fields), .findings = findings};
	return json_document(&document, verification, NULL);
}

static char *verification_text(const Verification *verification, const FindingList *findings)
{
	GString *text = g_string_new(NULL);
	guint n = verification->set_aside;
	append_findings(text, findings);
	if (n > 0)
		g_string_append_printf(text, "damage of %u commit%s was set aside; ", n, n == 1 ? "" : "s");
	g_string_append(text, verification->sound ? "all baselines are sound\n"
	                                          : "some baselines are damaged; `firebreak baseline verify "
	                                            "--set-aside` moves them out of the way\n");
	return g_string_free(text, FALSE);
}

static int verify(BaselineStore *store, const BaselineOptions *options, G_GNUC_UNUSED char **arguments, GError **error)
{
	g_autoptr(FindingList) findings = finding_list_new();
	Verification verification = {.sound = options->set_aside};
	gboolean done = options->set_aside ? baselines_quarantine(store, findings, &verification.set_aside, error)
	                                   : baseline_store_verify(store, findings, &verification.sound, error);
	if (!done)
		return 0;
	g_autofree char *text =
	        options->json ? verification_json(&verification, findings) : verification_text(&verification, findings);
	if (!print_result(text))
		return FIREBREAK_ERROR_STORAGE;
	return verification.sound ? 0 : FIREBREAK_ERROR_BASELINE;
}

/* Options that not every action has, as bits. */
enum { TAKES_JSON = 1, TAKES_OUT = 2, TAKES_COMMIT = 4, TAKES_STRICT = 8, TAKES_RETENTION = 16, TAKES_ASIDE = 32 };

typedef struct {
	const char *name, *arguments;
	guint least, most; /* arguments */
	guint options;
	int (*run)(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error);
} Action;

static const Action actions[] = {
        {"list", " [--json]", 0, 0, TAKES_JSON, baseline_list_run},
        {"show", " REV [--json]", 1, 1, TAKES_JSON, baseline_show_run},
        {"export", " REV -o FILE", 1, 2, TAKES_OUT, export_commit},
        {"import", " FILE [--commit REV]", 1, 1, TAKES_COMMIT, import_file},
        {"verify", " [--set-aside] [--json]", 0, 0, TAKES_ASIDE | TAKES_JSON, verify},
        {"fetch", " [REMOTE] [REV...] [--json]", 0, G_MAXUINT, TAKES_JSON, baseline_fetch_run},
        {"push", " [REMOTE] [--strict] [--json]", 0, 1, TAKES_JSON | TAKES_STRICT, baseline_push_run},
        {"prune", " --keep N [--keep-branches NAMES] [--remote REMOTE] [--dry-run] [--json]", 0, 0,
                TAKES_JSON | TAKES_STRICT | TAKES_RETENTION, baseline_prune_run},
};

/* The first option that was given although the action does not have it, or NULL. */
static const char *misplaced_option(const Command *command, const BaselineOptions *given, guint taken)
{
	COMMAND_FOREACH_OPTION(command, group, option)
	if (option->actions != 0 && (option->actions & taken) == 0 && option_is_set(option, given))
		return option->name;
	return NULL;
}

static int run_action(const Command *command, const Action *action, const BaselineOptions *options, char **arguments)
{
	g_autoptr(GError) error = NULL;
	guint n = g_strv_length(arguments);
	const char *misplaced = misplaced_option(command, options, action->options);
	if (misplaced != NULL)
		return command_usage(command, "`baseline %s` has no option --%s", action->name, misplaced);
	if (n < action->least || n > action->most)
		return command_usage(command, "usage: firebreak baseline %s%s", action->name, action->arguments);
	g_autoptr(BaselineStore) store = baseline_store_open(".", options->prefix, &error);
	int code = store != NULL ? action->run(store, options, arguments, &error) : 0;
	return error != NULL ? command_failed(error) : code;
}

static const char *const action_names[] = {
        "list", "show", "export", "import", "verify", "fetch", "push", "prune", NULL};

static const Option option_rows[] = {
        {"json", 0, OPTION_FLAG, NULL, "list, show, verify, fetch, push, prune: the result as JSON",
                offsetof(BaselineOptions, json), .section = SECTION_OUTPUT, .actions = TAKES_JSON},
        {"output", 'o', OPTION_FILE, "FILE", "export: to this file", offsetof(BaselineOptions, out),
                .section = SECTION_OUTPUT, .actions = TAKES_OUT},
        {"commit", 0, OPTION_TEXT, "REV", "import: as measurements of this commit", offsetof(BaselineOptions, commit),
                .actions = TAKES_COMMIT},
        {"keep", 0, OPTION_INT, "N", "prune: how many commits of each kept branch stay",
                offsetof(BaselineOptions, keep), .actions = TAKES_RETENTION},
        {"keep-branches", 0, OPTION_TEXT, "NAMES", "prune: the kept branches, with commas between (the default branch)",
                offsetof(BaselineOptions, keep_branches), .actions = TAKES_RETENTION},
        {"remote", 0, OPTION_TEXT, "REMOTE", "prune: in this remote instead of here", offsetof(BaselineOptions, remote),
                .actions = TAKES_RETENTION},
        {"dry-run", 'n', OPTION_FLAG, NULL, "prune: only say what would go", offsetof(BaselineOptions, dry_run),
                .actions = TAKES_RETENTION},
        {"set-aside", 0, OPTION_FLAG, NULL, "verify: move what is damaged out of the way, into the git folder",
                offsetof(BaselineOptions, set_aside), .actions = TAKES_ASIDE},
        {"strict", 0, OPTION_FLAG, NULL, "push, prune: end with exit code 7 if the remote refuses",
                offsetof(BaselineOptions, strict), .actions = TAKES_STRICT},
        {"prefix", 0, OPTION_TEXT, "PREFIX",
                "where the refs are (git config firebreak.prefix, or " BASELINE_STORE_PREFIX ")",
                offsetof(BaselineOptions, prefix), .section = SECTION_ADVANCED},
};

static int run_named(const Command *command, void *options, char **arguments)
{
	for (gsize i = 0; arguments[0] != NULL && i < G_N_ELEMENTS(actions); i++)
		if (g_str_equal(actions[i].name, arguments[0]))
			return run_action(command, &actions[i], options, arguments + 1);
	return command_usage(command, "name one of list, show, export, import, verify, fetch, push, prune");
}

static int run(const Command *command, char **argv)
{
	return command_run(command, &(BaselineOptions){0}, argv, ANY_ARGUMENTS, run_named);
}

const Command baseline_command = {
        .name = "baseline",
        .arguments = "ACTION [ARGUMENT...]",
        .summary = "list, show, move, share, verify and prune stored baselines",
        .description = "Actions:\n"
                       "  list                    all baselines: commit, fingerprint, benchmark, engines, runs, size;\n"
                       "                          and how many A/A campaigns there are\n"
                       "  show REV                metrics, profiles and environment of what is stored for a commit\n"
                       "  export REV -o FILE      everything stored of a commit, in one file\n"
                       "  import FILE             store what `export` wrote; prints the commit\n"
                       "  verify                  read every baseline back, with all hashes\n"
                       "  fetch [REMOTE] [REV...] get what the remote (origin) has of these commits, or of all\n"
                       "  push [REMOTE]           send what is stored here to the remote (origin)\n"
                       "  prune --keep N          keep baselines of the newest commits of some branches, and remove "
                       "all others",
        .options = {OPTION_GROUP(option_rows, 0)},
        .words = action_names,
        .run = run,
};
