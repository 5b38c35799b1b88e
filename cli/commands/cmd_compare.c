#include "cli/options/command.h"
#include "cli/output/color.h"
#include "cli/output/rendering.h"
#include "core/error.h"
#include "gate/stored/comparestored.h"
#include "report/output/outdir.h"

typedef struct {
	char *out, *color, *on_inconclusive;
	char **benchmarks;
	gboolean allow_policy_change, json, quiet;
} Options;

static void options_clear(Options *o)
{
	g_free(o->out);
	g_free(o->color);
	g_free(o->on_inconclusive);
	g_strfreev(o->benchmarks);
}

static int compare_and_print(const Command *command, const Options *o, char *const *sides)
{
	ColorChoice color;
	InconclusiveChoice inconclusive;
	g_autoptr(GError) error = NULL;
	if (!color_parse(o->color, &color))
		return command_usage(command, "--color is auto, always or never");
	if (!inconclusive_parse(o->on_inconclusive, &inconclusive))
		return command_usage(command, "--on-inconclusive is pass, fail or report");
	StoredRequest request = {.repo_path = ".",
	        .base = sides[0],
	        .head = sides[1],
	        .benchmarks = o->benchmarks,
	        .allow_policy_change = o->allow_policy_change};
	g_autoptr(CheckResult) result = compare_stored(&request);
	if (o->out != NULL && !outdir_write(result, o->out, &error))
		return command_failed(error);
	if (!print_check(result, color, o->out, o->json, o->quiet))
		return FIREBREAK_ERROR_STORAGE;
	return inconclusive_exit_code(result, inconclusive);
}

static int run(const Command *command, char **argv)
{
	Options o = {0};
	int code = 0;
	const GOptionEntry entries[] = {
	        {"benchmark", 'b', 0, G_OPTION_ARG_STRING_ARRAY, &o.benchmarks, "only this benchmark (repeatable)",
	                "NAME"},
	        {"out", 'o', 0, G_OPTION_ARG_FILENAME, &o.out,
	                "also write report, tables and flame graphs to this folder", "DIR"},
	        {"allow-policy-change", 0, 0, G_OPTION_ARG_NONE, &o.allow_policy_change,
	                "do not fail when head weakens the gate; say it", NULL},
	        {"on-inconclusive", 0, 0, G_OPTION_ARG_STRING, &o.on_inconclusive,
	                "what exit code 3 becomes: report (3), fail (1), or pass (0, if all was measured)", "WHAT"},
	        {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "print report.json instead of the text", NULL},
	        {"color", 0, 0, G_OPTION_ARG_STRING, &o.color, "auto, always or never", "WHEN"},
	        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "only the verdict", NULL},
	        G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) rest = command_parse(command, entries, argv, &code);
	if (rest != NULL && g_strv_length(rest) != 3)
		code = command_usage(command, "name two sides: base and head");
	else if (rest != NULL)
		code = compare_and_print(command, &o, rest + 1);
	options_clear(&o);
	return code;
}

const Command compare_command = {
        .name = "compare",
        .arguments = "BASE HEAD",
        .summary = "compare two stored measurements without running anything",
        .description =
                "BASE and HEAD are revisions whose measurements are stored (`firebreak run`, `check`, `baseline "
                "fetch`),\n"
                "or files that `firebreak baseline export` wrote. A name that is both is a revision; ./NAME is a "
                "file.\n\n"
                "Exact counts (engine callgrind) of the same environment are judged, by base's firebreak.yml where "
                "the\n"
                "clone has it. What was timed is shown but never judged: that takes a `check`, which runs both sides\n"
                "together. A benchmark that was only timed is inconclusive.\n\n"
                "Exit codes: those of check; 6 where a side has nothing stored that can be compared.",
        .run = run,
};
