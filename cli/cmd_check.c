#include "cli/command.h"
#include "cli/gate.h"
#include "cli/rendering.h"
#include "core/error.h"
#include "report/outdir.h"

#include <errno.h>
#include <sys/random.h>
#include <unistd.h>

typedef struct {
	char *base, *head, *out, *schedule, *color, *on_inconclusive, *seed;
	char **benchmarks;
	int rounds;
	gboolean allow_policy_change, no_store, json, quiet, verbose;
} Options;

static void options_clear(Options *o)
{
	g_free(o->base);
	g_free(o->head);
	g_free(o->out);
	g_free(o->schedule);
	g_free(o->color);
	g_free(o->on_inconclusive);
	g_free(o->seed);
	g_strfreev(o->benchmarks);
}

/* What the texts of the options mean. */
typedef struct {
	GateRequest request;
	ColorChoice color;
} Parsed;

static gboolean parse_schedule(const char *text, Schedule *schedule)
{
	for (Schedule s = SCHEDULE_AUTO; s <= SCHEDULE_SEQUENTIAL; s++)
		if (text == NULL || g_str_equal(text, schedule_name(s))) {
			*schedule = s;
			return TRUE;
		}
	return FALSE;
}

static gboolean parse_seed(const char *text, guint64 *seed, GError **error)
{
	if (text != NULL)
		return g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, seed, error);
	if (getrandom(seed, sizeof *seed, 0) == sizeof *seed)
		return TRUE;
	return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno, "cannot draw a seed");
}

static int parse_options(const Command *command, const Options *o, Parsed *parsed)
{
	g_autoptr(GError) error = NULL;
	if (!parse_schedule(o->schedule, &parsed->request.schedule))
		return command_usage(command, "--schedule is auto, coscheduled or sequential");
	if (!color_parse(o->color, &parsed->color))
		return command_usage(command, "--color is auto, always or never");
	if (!rounds_valid(o->rounds))
		return command_usage(command, "--rounds is a number from 1 to 62");
	if (!parse_seed(o->seed, &parsed->request.seed, &error))
		return command_usage(command, "--seed: %s", error->message);
	if (o->on_inconclusive != NULL && !g_str_equal(o->on_inconclusive, "pass") &&
	        !g_str_equal(o->on_inconclusive, "fail") && !g_str_equal(o->on_inconclusive, "report"))
		return command_usage(command, "--on-inconclusive is pass, fail or report");
	return 0;
}

/* 3 stays 3 for `report`; `fail` makes it 1 and `pass` 0 for CI systems that only know those. The report keeps 3. */
static int process_exit_code(const CheckResult *result, const char *on_inconclusive)
{
	if (result->exit_code != 3 || on_inconclusive == NULL || g_str_equal(on_inconclusive, "report"))
		return result->exit_code;
	return g_str_equal(on_inconclusive, "pass") ? 0 : 1;
}

static int finish(CheckResult *result, const Options *o, const Parsed *parsed)
{
	const char *out = o->out != NULL ? o->out : "firebreak-out";
	g_autoptr(GError) error = NULL;
	if (!outdir_write(result, out, &error)) {
		g_prefix_error(&error, "cannot write the results to %s: ", out);
		int failed = result->exit_code == FIREBREAK_ERROR_STORAGE ? result->exit_code : command_failed(error);
		if (result->exit_code != failed)
			check_result_add_reason(result, failed, "output", NULL, "%s", error->message);
		check_result_decide(result);
		out = NULL;
	}
	if (!print_check(result, parsed->color, out, o->json, o->quiet))
		return FIREBREAK_ERROR_STORAGE;
	return process_exit_code(result, o->on_inconclusive);
}

static int check_and_report(const Parsed *parsed, const Options *o, Talk *talk)
{
	g_autoptr(CheckResult) result = gate_check(&parsed->request);
	talk_end_line(talk);
	return finish(result, o, parsed);
}

static int run(const Command *command, char **argv)
{
	Options o = {.rounds = ROUNDS_AS_CONFIGURED};
	Parsed parsed = {0};
	Talk talk;
	int code = 0;
	const GOptionEntry entries[] = {
	        {"base", 0, 0, G_OPTION_ARG_STRING, &o.base,
	                "compare with this revision (default: merge commit's parent, CI variable, merge base, previous "
	                "commit)",
	                "REV"},
	        {"head", 0, 0, G_OPTION_ARG_STRING, &o.head,
	                "measure this revision (default HEAD), or `worktree`: the files as they are now", "REV"},
	        {"benchmark", 'b', 0, G_OPTION_ARG_STRING_ARRAY, &o.benchmarks, "only this benchmark (repeatable)",
	                "NAME"},
	        {"out", 'o', 0, G_OPTION_ARG_FILENAME, &o.out, "output folder (default firebreak-out)", "DIR"},
	        {"rounds", 0, 0, G_OPTION_ARG_INT, &o.rounds,
	                "exactly this many rounds (default: from 8 to 25, as needed)", "N"},
	        {"schedule", 0, 0, G_OPTION_ARG_STRING, &o.schedule, "auto, coscheduled or sequential", "HOW"},
	        {"seed", 0, 0, G_OPTION_ARG_STRING, &o.seed,
	                "seed of the order of rounds (default: random, in the report)", "N"},
	        {"allow-policy-change", 0, 0, G_OPTION_ARG_NONE, &o.allow_policy_change,
	                "do not fail when head weakens the gate; say it", NULL},
	        {"on-inconclusive", 0, 0, G_OPTION_ARG_STRING, &o.on_inconclusive,
	                "what exit code 3 becomes: report (3), fail (1) or pass (0)", "WHAT"},
	        {"no-store", 0, 0, G_OPTION_ARG_NONE, &o.no_store, "do not keep the measurements as baselines", NULL},
	        {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "print report.json instead of the text", NULL},
	        {"color", 0, 0, G_OPTION_ARG_STRING, &o.color, "auto, always or never", "WHEN"},
	        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "only the verdict", NULL},
	        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &o.verbose, "every round", NULL},
	        G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) rest = command_parse(command, entries, argv, &code);
	if (rest != NULL && rest[1] != NULL)
		code = command_usage(command, "unexpected argument \"%s\"", rest[1]);
	if (rest != NULL && code == 0)
		code = parse_options(command, &o, &parsed);
	if (rest != NULL && code == 0) {
		talk_init(&talk, o.quiet ? TALK_QUIET : o.verbose ? TALK_VERBOSE : TALK_NORMAL);
		parsed.request.repo_path = ".";
		parsed.request.base = o.base;
		parsed.request.head = o.head;
		parsed.request.benchmarks = o.benchmarks;
		parsed.request.rounds = (guint)MAX(o.rounds, 0);
		parsed.request.allow_policy_change = o.allow_policy_change;
		parsed.request.store = !o.no_store;
		parsed.request.out_dir = o.out != NULL ? o.out : "firebreak-out";
		parsed.request.talk = &talk;
		code = check_and_report(&parsed, &o, &talk);
		talk_clear(&talk);
	}
	options_clear(&o);
	return code;
}

const Command check_command = {
        .name = "check",
        .arguments = "",
        .summary = "measure base and head, compare, report; the exit code is the verdict",
        .description =
                "Exit codes: 0 pass, 1 regression, 2 usage or configuration, 3 inconclusive, 4 measurement invalid,\n"
                "5 build failed, 6 no usable baseline, 7 storage or output, 8 environment unsupported, 9 policy "
                "violation,\n"
                "128+n ended by signal n.\n\n"
                "Results: DIR/report.json (everything), DIR/summary.md, and per benchmark NAME.diff.svg (differential\n"
                "flame graph), NAME.base.svg, NAME.head.svg and folded stacks.",
        .run = run,
};
