/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/stderrtalk.h"
#include "compare/endings.h"
#include "core/error.h"
#include "core/yamltree.h"
#include "gate/gate.h"
#include "model/engine.h"
#include "report/output/outdir.h"
#include "runner/campaign/shardjob.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define MAX_CAMPAIGNS 1000
#define OUT_BY_DEFAULT "firebreak-out"

typedef struct {
	char *base, *head, *config, *engine, *out, *seed, *max_time, *shard;
	char **benchmarks;
	int rounds, campaigns; /* 0 = not given */
	Schedule schedule;
	ColorChoice color;
	InconclusiveChoice inconclusive;
	gboolean allow_policy_change, no_store, measure_base, no_confirm, calibrate, self_test, json, quiet, verbose;
} Options;

static const char *const head_words[] = {"worktree", NULL};
static const char *const shard_words[] = {"auto", NULL};
/* In the order of Schedule. */
static const char *const schedule_choices[] = {"auto", "coscheduled", "sequential", NULL};

static const Option option_rows[] = {
        {"base", 0, OPTION_TEXT, "REV",
                "compare with this revision (default: merge commit's parent, CI variable, merge base, previous commit)",
                offsetof(Options, base), .section = SECTION_SIDES},
        {"head", 0, OPTION_HINTED, "REV",
                "measure this revision (default HEAD), or `worktree`: the files as they are now, against HEAD",
                offsetof(Options, head), .section = SECTION_SIDES, .choices = head_words},
        {"config", 0, OPTION_FILE, "FILE",
                "read policy and builds from this file, not from firebreak.yml of the commits",
                offsetof(Options, config), .section = SECTION_SIDES},
        {"benchmark", 'b', OPTION_TEXTS, "NAME", "only this benchmark (repeatable)", offsetof(Options, benchmarks),
                .section = SECTION_SIDES},
        {"engine", 0, OPTION_TEXT, "NAME", "of benchmarks with both engines, only this one: perf or callgrind",
                offsetof(Options, engine), .section = SECTION_SIDES, .choices = engine_choices},
        {"shard", 0, OPTION_HINTED, "I/N",
                "only the I-th of N parts (1/N to N/N), for N machines, or `auto`: as the variables of the job say; "
                "`merge` joins their results",
                offsetof(Options, shard), .section = SECTION_SIDES, .choices = shard_words},
        {"calibrate", 0, OPTION_FLAG, NULL,
                "measure base against base, and store how often that is called a regression: the false-alarm rate",
                offsetof(Options, calibrate), .section = SECTION_SIDES},
        {"campaigns", 0, OPTION_INT, "N", "with --calibrate: so many times (default 1)", offsetof(Options, campaigns),
                .section = SECTION_SIDES, .min = 1, .max = MAX_CAMPAIGNS},
        {"self-test", 0, OPTION_FLAG, NULL, "measure base against base with a planted delay, which the gate must find",
                offsetof(Options, self_test), .section = SECTION_SIDES},
        ROUNDS_OPTION(Options, rounds, "exactly this many rounds (default: as needed, 8 to 20; more with many gates)"),
        {"max-time", 0, OPTION_TEXT, "DURATION",
                "end within this time, builds included: 90s, 10m, 1h (default: no limit)", offsetof(Options, max_time),
                .section = SECTION_MEASURING},
        {"measure-base", 0, OPTION_FLAG, NULL, "count base even where its counts are stored",
                offsetof(Options, measure_base), .section = SECTION_MEASURING},
        {"no-store", 0, OPTION_FLAG, NULL, "do not keep the measurements as baselines", offsetof(Options, no_store),
                .section = SECTION_MEASURING},
        {"no-confirm", 0, OPTION_FLAG, NULL, "do not measure a regression a second time", offsetof(Options, no_confirm),
                .section = SECTION_VERDICT},
        {"allow-policy-change", 0, OPTION_FLAG, NULL, "warn instead of failing where head weakens the gate",
                offsetof(Options, allow_policy_change), .section = SECTION_VERDICT},
        INCONCLUSIVE_OPTION(Options, inconclusive),
        {"out", 'o', OPTION_FOLDER, "DIR", "output folder (default firebreak-out)", offsetof(Options, out),
                .section = SECTION_OUTPUT},
        REPORT_JSON_OPTION(Options, json),
        COLOR_OPTION(Options, color),
        VERDICT_ONLY_OPTION(Options, quiet),
        {"verbose", 'v', OPTION_FLAG, NULL, "every round, the compilers of both builds, and all numbers at the end",
                offsetof(Options, verbose), .section = SECTION_OUTPUT},
        {"schedule", 0, OPTION_CHOICE, "HOW",
                "how rounds of base and head follow each other: auto, coscheduled or sequential (default auto)",
                offsetof(Options, schedule), .section = SECTION_ADVANCED, .choices = schedule_choices},
        {"seed", 0, OPTION_TEXT, "N", "seed of the order of rounds (default: random, in the report)",
                offsetof(Options, seed), .section = SECTION_ADVANCED},
};

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

/* Reads what is measured instead of base and head, and refuses options that make no sense then. */
static int parse_mode(const Command *command, const Options *o, GateRequest *request)
{
	request->mode = o->calibrate ? CHECK_CALIBRATE : o->self_test ? CHECK_SELF_TEST : CHECK_GATE;
	request->campaigns = (guint)MAX(o->campaigns, 1);
	const char *mode = o->calibrate ? "--calibrate" : "--self-test";
	if (o->calibrate && o->self_test)
		return command_usage(command, "--calibrate and --self-test are two checks: run one after the other");
	if (o->campaigns > 0 && !o->calibrate)
		return command_usage(command, "--campaigns is for --calibrate: it says how many times base is "
		                              "measured against itself");
	if (request->mode != CHECK_GATE && o->head != NULL)
		return command_usage(
		        command, "%s runs base on both sides: leave --head out, and name the commit with --base", mode);
	if (request->mode != CHECK_GATE && o->no_confirm)
		return command_usage(
		        command, "%s confirms nothing, so --no-confirm has no meaning: leave it out", mode);
	return 0;
}

static gboolean parse_shard(const char *text, Shard *shard, GError **error)
{
	if (!g_str_equal(text, "auto"))
		return shard_parse(text, shard, error);
	if (shard_of_job(g_getenv, shard, error))
		return TRUE;
	g_prefix_error(error, "auto: ");
	return FALSE;
}

static int parse_options(const Command *command, const Options *o, GateRequest *request)
{
	g_autoptr(GError) error = NULL;
	if (!parse_seed(o->seed, &request->seed, &error))
		return command_usage(command, "--seed: %s", error->message);
	if (!parse_max_time(o->max_time, &request->max_time_s, &error))
		return command_usage(command, "--max-time%s", strstr(error->message, ": "));
	if (o->shard != NULL && !parse_shard(o->shard, &request->shard, &error))
		return command_usage(command, "--shard: %s", error->message);
	if (o->shard != NULL && g_strcmp0(o->head, "worktree") == 0)
		return command_usage(command, "--shard needs a commit, which is the same on all machines: commit the "
		                              "files of the working tree, or leave --shard out");
	return parse_mode(command, o, request);
}

static PrintForm form_of(const Options *o)
{
	if (o->json)
		return PRINT_JSON;
	if (o->quiet)
		return PRINT_VERDICT;
	return o->verbose ? PRINT_DETAILS : PRINT_SHORT;
}

static int finish(CheckResult *result, const Options *o)
{
	const char *out = o->out != NULL ? o->out : OUT_BY_DEFAULT;
	g_autoptr(GError) error = NULL;
	if (!outdir_write(result, out, &error)) {
		g_prefix_error(&error, "cannot write the results to %s: ", out);
		ending_not_written(result, command_failed(error), error->message);
		out = NULL;
	}
	if (!print_check(result, o->color, out, form_of(o)))
		return FIREBREAK_ERROR_STORAGE;
	return print_exit_code(result, o->inconclusive, form_of(o));
}

/* An earlier result that passed must not be taken for one of this check, should it be killed. */
static void begin(const GateRequest *request)
{
	const Shard *shard = &request->shard;
	g_autoptr(CheckResult) instead = check_result_new();
	if (shard->total > 0) {
		instead->shards = shard_set_new(shard->total);
		shard_set_add(instead->shards, shard->index);
	}
	ending_not_ended(instead, "check");
	/* a folder that cannot be written ends the check itself */
	outdir_outdate(request->out_dir, instead, NULL);
}

static int check_and_report(GateRequest *request, const Options *o)
{
	Talk talk;
	talk_on_stderr(&talk, o->quiet ? TALK_QUIET : o->verbose ? TALK_VERBOSE : TALK_NORMAL);
	request->repo_path = ".";
	request->base = o->base;
	request->head = o->head;
	request->config_file = o->config;
	request->benchmarks = o->benchmarks;
	request->engine = engine_find(o->engine);
	request->rounds = (guint)o->rounds;
	request->schedule = o->schedule;
	request->allow_policy_change = o->allow_policy_change;
	request->no_confirm = o->no_confirm;
	request->store = !o->no_store;
	request->measure_base = o->measure_base;
	request->out_dir = o->out != NULL ? o->out : OUT_BY_DEFAULT;
	request->talk = &talk;
	begin(request);
	g_autoptr(CheckResult) result = gate_check(request);
	talk_end_line(&talk);
	int code = finish(result, o);
	talk_clear(&talk);
	return code;
}

/* A mistake on the command line is the end of a check, too. */
static void end_unstarted(const Command *command, char **argv)
{
	g_autofree char *out = command_file_given(command, "out", argv);
	g_autoptr(CheckResult) instead = check_result_new();
	g_autoptr(GError) error = NULL;
	ending_not_started(instead, "check");
	if (!outdir_outdate(out != NULL ? out : OUT_BY_DEFAULT, instead, &error))
		command_failed(error);
}

static int run(const Command *command, char **argv)
{
	Options o = {0};
	GateRequest request = {0};
	int code = 0;
	g_auto(GStrv) rest = command_parse(command, &o, argv, &code);
	if (rest != NULL && rest[1] != NULL)
		code = command_usage(command, "unexpected argument \"%s\"", rest[1]);
	if (rest != NULL && code == 0)
		code = parse_options(command, &o, &request);
	if (rest != NULL && code == 0)
		code = check_and_report(&request, &o);
	else if (code == FIREBREAK_ERROR_USAGE)
		end_unstarted(command, argv);
	command_clear(command, &o);
	return code;
}

const Command check_command = {
        .name = "check",
        .arguments = "",
        .summary = "measure base and head, compare, report; the exit code is the verdict",
        .description = "A regression is measured once more in a campaign of its own, and what that does not find again "
                       "is inconclusive. Without a second campaign (--no-confirm, no time left, a failed run) it stays "
                       "a regression. --calibrate tells how far the verdicts of this machine can be trusted, and "
                       "passes unless the measurement is not valid; --self-test passes if the planted delay is found.\n"
                       "\n"
                       "With the engine callgrind, instructions are counted under valgrind: base twice and head once, "
                       "or, if base's counts are stored, head alone; --rounds does not apply. More runs are made where "
                       "counts do not repeat. Such benchmarks need no access to perf events.\n"
                       "\n"
                       "Results: DIR/report.html (open it in a browser), DIR/report.json (everything), DIR/summary.md, "
                       "DIR/junit.xml, and per benchmark NAME.diff.svg (differential flame graph), NAME.base.svg, "
                       "NAME.head.svg and folded stacks.",
        .exit_codes = CHECK_EXIT_CODES,
        .options = {OPTION_GROUP(option_rows, 0)},
        .run = run,
};
