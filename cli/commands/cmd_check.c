#include "cli/options/command.h"
#include "cli/output/color.h"
#include "cli/output/rendering.h"
#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "core/yamltree.h"
#include "gate/gate.h"
#include "report/output/outdir.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define CAMPAIGNS_NOT_GIVEN G_MININT
#define MAX_CAMPAIGNS 1000
#define OUT_BY_DEFAULT "firebreak-out"

typedef struct {
	char *base, *head, *config, *out, *schedule, *color, *on_inconclusive, *seed, *max_time, *shard;
	char **benchmarks;
	int rounds, campaigns;
	gboolean allow_policy_change, no_store, measure_base, no_confirm, calibrate, self_test, json, quiet, verbose;
} Options;

static void options_clear(Options *o)
{
	g_free(o->base);
	g_free(o->head);
	g_free(o->config);
	g_free(o->out);
	g_free(o->schedule);
	g_free(o->color);
	g_free(o->on_inconclusive);
	g_free(o->seed);
	g_free(o->max_time);
	g_free(o->shard);
	g_strfreev(o->benchmarks);
}

/* What the texts of the options mean. */
typedef struct {
	GateRequest request;
	ColorChoice color;
	InconclusiveChoice inconclusive;
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

/* Durations are written as in firebreak.yml, and read by the same reader. */
static gboolean parse_max_time(char *text, double *seconds, GError **error)
{
	char option[] = "--max-time";
	const YamlNode node = {.kind = YAML_SCALAR, .file = option, .text = text, .line = 1, .column = 1};
	gint64 milliseconds = 0;
	if (text != NULL && !yaml_read_duration(&node, &milliseconds, error))
		return FALSE;
	*seconds = (double)milliseconds / 1000;
	return TRUE;
}

/* What is measured instead of base and head, and what makes no sense then. */
static int parse_mode(const Command *command, const Options *o, GateRequest *request)
{
	request->mode = o->calibrate ? CHECK_CALIBRATE : o->self_test ? CHECK_SELF_TEST : CHECK_GATE;
	request->campaigns = o->campaigns > 0 ? (guint)o->campaigns : 1;
	const char *mode = o->calibrate ? "--calibrate" : "--self-test";
	if (o->calibrate && o->self_test)
		return command_usage(command, "--calibrate and --self-test are two checks: run one after the other");
	if (o->campaigns != CAMPAIGNS_NOT_GIVEN && !o->calibrate)
		return command_usage(command, "--campaigns is for --calibrate: it says how many times base is "
		                              "measured against itself");
	if (o->campaigns != CAMPAIGNS_NOT_GIVEN && (o->campaigns < 1 || o->campaigns > MAX_CAMPAIGNS))
		return command_usage(command, "--campaigns is a number from 1 to %d", MAX_CAMPAIGNS);
	if (request->mode != CHECK_GATE && o->head != NULL)
		return command_usage(
		        command, "%s runs base on both sides: leave --head out, and name the commit with --base", mode);
	if (request->mode != CHECK_GATE && o->no_confirm)
		return command_usage(
		        command, "%s confirms nothing, so --no-confirm has no meaning: leave it out", mode);
	return 0;
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
	if (!parse_max_time(o->max_time, &parsed->request.max_time_s, &error))
		return command_usage(command, "--max-time%s", strstr(error->message, ": "));
	if (o->shard != NULL && !shard_parse(o->shard, &parsed->request.shard, &error))
		return command_usage(command, "--shard: %s", error->message);
	if (o->shard != NULL && g_strcmp0(o->head, "worktree") == 0)
		return command_usage(command, "--shard needs a commit, which is the same on all machines: commit the "
		                              "files of the working tree, or leave --shard out");
	if (!inconclusive_parse(o->on_inconclusive, &parsed->inconclusive))
		return command_usage(command, "--on-inconclusive is pass, fail or report");
	return parse_mode(command, o, &parsed->request);
}

static int finish(CheckResult *result, const Options *o, const Parsed *parsed)
{
	const char *out = o->out != NULL ? o->out : OUT_BY_DEFAULT;
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
	return inconclusive_exit_code(result, parsed->inconclusive);
}

/* An earlier result that passed must not be taken for one of this check, should it be killed. */
static void begin(const Parsed *parsed)
{
	const Shard *shard = &parsed->request.shard;
	g_autoptr(CheckResult) instead = check_result_new();
	if (shard->total > 0) {
		instead->shards = shard_set_new(shard->total);
		shard_set_add(instead->shards, shard->index);
	}
	check_result_add_reason(instead, FIREBREAK_ERROR_INVALID, "not_ended", NULL,
	        "`firebreak check` began to write here and did not end");
	/* a folder that cannot be written ends the check itself */
	outdir_outdate(parsed->request.out_dir, instead, NULL);
}

static int check_and_report(const Parsed *parsed, const Options *o, Talk *talk)
{
	begin(parsed);
	g_autoptr(CheckResult) result = gate_check(&parsed->request);
	talk_end_line(talk);
	return finish(result, o, parsed);
}

/* The folder that a command line names which cannot be understood as a whole. Owned by the caller. */
static char *named_folder(char **argv)
{
	g_autofree char *out = NULL;
	const GOptionEntry entries[] = {
	        {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out, NULL, NULL},
	        G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_auto(GStrv) arguments = g_strdupv(argv);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_ignore_unknown_options(context, TRUE);
	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_parse_strv(context, &arguments, NULL);
	return out != NULL ? g_steal_pointer(&out) : g_strdup(OUT_BY_DEFAULT);
}

/* A mistake on the command line is the end of a check, too. */
static void end_unstarted(char **argv)
{
	g_autofree char *out = named_folder(argv);
	g_autoptr(CheckResult) instead = check_result_new();
	g_autoptr(GError) error = NULL;
	check_result_add_reason(instead, FIREBREAK_ERROR_USAGE, "usage", NULL,
	        "the last `firebreak check` that was to write here was not started: there is a mistake in its options");
	if (!outdir_outdate(out, instead, &error))
		command_failed(error);
}

static int run(const Command *command, char **argv)
{
	Options o = {.rounds = ROUNDS_AS_CONFIGURED, .campaigns = CAMPAIGNS_NOT_GIVEN};
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
	        {"config", 0, 0, G_OPTION_ARG_FILENAME, &o.config,
	                "read policy and builds from this file, not from firebreak.yml of the commits", "FILE"},
	        {"benchmark", 'b', 0, G_OPTION_ARG_STRING_ARRAY, &o.benchmarks, "only this benchmark (repeatable)",
	                "NAME"},
	        {"out", 'o', 0, G_OPTION_ARG_FILENAME, &o.out, "output folder (default firebreak-out)", "DIR"},
	        {"rounds", 0, 0, G_OPTION_ARG_INT, &o.rounds,
	                "exactly this many rounds (default: as needed, 8 to 20; more with many gates)", "N"},
	        {"max-time", 0, 0, G_OPTION_ARG_STRING, &o.max_time,
	                "end within this time, builds included: 90s, 10m, 1h (default: no limit)", "DURATION"},
	        {"shard", 0, 0, G_OPTION_ARG_STRING, &o.shard,
	                "only the I-th of N parts (1/N to N/N), for N machines; `merge` joins their results", "I/N"},
	        {"no-confirm", 0, 0, G_OPTION_ARG_NONE, &o.no_confirm, "do not measure a regression once more", NULL},
	        {"calibrate", 0, 0, G_OPTION_ARG_NONE, &o.calibrate,
	                "measure base against base, and keep how often that looks like a change", NULL},
	        {"campaigns", 0, 0, G_OPTION_ARG_INT, &o.campaigns, "with --calibrate: so many times (default 1)", "N"},
	        {"self-test", 0, 0, G_OPTION_ARG_NONE, &o.self_test,
	                "measure base against base with a planted delay, which the gate must find", NULL},
	        {"schedule", 0, 0, G_OPTION_ARG_STRING, &o.schedule, "auto, coscheduled or sequential", "HOW"},
	        {"seed", 0, 0, G_OPTION_ARG_STRING, &o.seed,
	                "seed of the order of rounds (default: random, in the report)", "N"},
	        {"allow-policy-change", 0, 0, G_OPTION_ARG_NONE, &o.allow_policy_change,
	                "do not fail when head weakens the gate; say it", NULL},
	        {"on-inconclusive", 0, 0, G_OPTION_ARG_STRING, &o.on_inconclusive,
	                "what exit code 3 becomes: report (3), fail (1), or pass (0, if all was measured)", "WHAT"},
	        {"no-store", 0, 0, G_OPTION_ARG_NONE, &o.no_store, "do not keep the measurements as baselines", NULL},
	        {"measure-base", 0, 0, G_OPTION_ARG_NONE, &o.measure_base,
	                "count base also where its exact counts are stored", NULL},
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
		talk_on_stderr(&talk, o.quiet ? TALK_QUIET : o.verbose ? TALK_VERBOSE : TALK_NORMAL);
		parsed.request.repo_path = ".";
		parsed.request.base = o.base;
		parsed.request.head = o.head;
		parsed.request.config_file = o.config;
		parsed.request.benchmarks = o.benchmarks;
		parsed.request.rounds = (guint)MAX(o.rounds, 0);
		parsed.request.allow_policy_change = o.allow_policy_change;
		parsed.request.no_confirm = o.no_confirm;
		parsed.request.store = !o.no_store;
		parsed.request.measure_base = o.measure_base;
		parsed.request.out_dir = o.out != NULL ? o.out : OUT_BY_DEFAULT;
		parsed.request.talk = &talk;
		code = check_and_report(&parsed, &o, &talk);
		talk_clear(&talk);
	} else if (code == FIREBREAK_ERROR_USAGE) {
		end_unstarted(argv);
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
                "A regression is measured once more in a campaign of its own, and what that does not find again is\n"
                "inconclusive. Without a second campaign (--no-confirm, no time left, a failed run) it stays a\n"
                "regression. --calibrate tells how far the verdicts of this machine can be trusted, and passes "
                "unless\n"
                "the measurement is not valid; --self-test passes if the planted delay is found.\n\n"
                "With the engine callgrind, instructions are counted under valgrind: base twice and head once, or, if\n"
                "base's counts are stored, head alone; --rounds does not apply. More runs are made where counts do "
                "not\n"
                "repeat. Such benchmarks need no access to perf events.\n\n"
                "Results: DIR/report.html (open it in a browser), DIR/report.json (everything), DIR/summary.md,\n"
                "DIR/junit.xml, and per benchmark NAME.diff.svg (differential flame graph), NAME.base.svg,\n"
                "NAME.head.svg and folded stacks.",
        .run = run,
};
