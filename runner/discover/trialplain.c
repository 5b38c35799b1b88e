/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trialplain.h"

#include "core/cancel.h"
#include "model/numbers/number.h"
#include "runner/discover/trialremarks.h"
#include "runner/discover/usageguess.h"
#include "runner/discover/worksource.h"
#include "runner/discover/workvariable.h"
#include "runner/hints/outputhint.h"

#include <string.h>

/* A run whose work can be set is to take AIM_NS, and at least ENOUGH_NS. */
#define AIM_NS (700 * G_GINT64_CONSTANT(1000000))
#define ENOUGH_NS (400 * G_GINT64_CONSTANT(1000000))
#define MAX_WORK (1 << 30)

/* The line in which a program that exits with 0 says that something went wrong, or how it is used; NULL if there is
 * none. A number after the word "error" is a result. Owned by the caller. */
static char *said_error(const char *output)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex, g_regex_new("^\\W*(error|fatal)\\b(?![\\s:=~<]*[-+]?(\\.?\\d|nan|inf|none))(?"
		                                      "!.*[:=~<]\\s*[-+]?\\.?\\d).*$",
		                                  G_REGEX_MULTILINE | G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL));
	g_auto(Complaint) complaint = complaint_of(output);
	g_autoptr(GMatchInfo) match = NULL;
	if (complaint.kind != COMPLAINT_NONE)
		return g_steal_pointer(&complaint.line);
	return g_regex_match(regex, output, 0, &match) ? g_match_info_fetch(match, 0) : NULL;
}

/* Says that a program is started which calibrates itself, if one is; NULL if not. Owned by the caller. */
static char *calibrating_text(const Trial *trial, const TrialRun *run)
{
	const char *tree = trial->place->tree;
	if (run->calibrating_path == NULL)
		return NULL;
	gboolean in_tree = g_str_has_prefix(run->calibrating_path, tree);
	const char *path = in_tree ? run->calibrating_path + strlen(tree) : run->calibrating_path;
	return g_strdup_printf("it starts %s, which is written with %s and calibrates itself; let `command` name that "
	                       "program, with `framework: %s`",
	        in_tree && *path == '/' ? path + 1 : path, framework_name(run->calibrating),
	        framework_name(run->calibrating));
}

/* Runs a plain program; what it says of an error counts as a failure, too, and so does a program that calibrates
 * itself. */
static void run_plain(const Trying *trying, const DiscoveredProgram *program, char *const *words_before,
        char *const *more, TrialRun *run)
{
	gint64 limit_ms = trial_limit_ms();
	trial_run_words(trying->trial, program, words_before, more, limit_ms, run);
	if (run->timed_out) {
		g_free(run->failure);
		run->failure = g_strdup_printf("it did not end within %d s: name arguments with which a run takes 0.5 "
		                               "to 1 s; if it is a server, name another program",
		        (int)(limit_ms / 1000));
	}
	g_autofree char *said = run->failure == NULL ? said_error(run->output) : NULL;
	if (said != NULL)
		run->failure = g_strdup_printf("it exits with 0, but says: %s", said);
	if (run->failure == NULL)
		run->failure = calibrating_text(trying->trial, run);
}

/* The number with one digit that counts, so that a second look comes to the same in most cases. */
static guint64 round_number(double number)
{
	guint64 unit = 1;
	while (number / (double)unit >= 10)
		unit *= 10;
	return (guint64)(number / (double)unit + .5) * unit;
}

/* The work of a run is set by a number among the words before or after its command. */
typedef struct {
	char *const *before, *const *after; /* NULL = none */
	gboolean demands_effect;            /* the work of 1 must make a run short, or it is not set by that */
} Knob;

/* Runs with more and more work until a run takes half a second. The work that does, or 0. */
static guint64 find_work(const Trying *trying, const DiscoveredProgram *program, const Knob *knob, gint64 *cpu_ns)
{
	for (guint64 work = 1; work <= MAX_WORK && cancel_signal() == 0;) {
		g_auto(TrialRun) run = {0};
		g_auto(GStrv) before = knob->before != NULL ? usage_fill(knob->before, work) : NULL;
		g_auto(GStrv) after = knob->after != NULL ? usage_fill(knob->after, work) : NULL;
		run_plain(trying, program, before, after, &run);
		if (run.failure != NULL || (knob->demands_effect && work == 1 && run.cpu_ns >= ENOUGH_NS))
			return 0;
		*cpu_ns = run.cpu_ns;
		if (run.cpu_ns >= ENOUGH_NS || !(usage_has_knob(knob->before) || usage_has_knob(knob->after)))
			return work;
		double factor = run.cpu_ns > ENOUGH_NS / 20 ? (double)AIM_NS / (double)run.cpu_ns : 10;
		work = MAX(round_number((double)work * factor), work + 1);
	}
	return 0;
}

/* Arguments by what the program says of its use, and the time with them; NULL if that leads nowhere. */
static char **guess_arguments(
        const Trying *trying, const DiscoveredProgram *program, const char *output, gint64 *cpu_ns)
{
	g_auto(GStrv) words = usage_words(output);
	g_autofree char *data = words != NULL ? discover_data_file(trying->trial->place) : NULL;
	g_autofree char *seen = data != NULL ? discovery_seen_from(program->cwd, data) : NULL;
	g_auto(GStrv) arguments = words != NULL ? usage_arguments(words, seen) : NULL;
	if (arguments == NULL)
		return NULL;
	trial_say(trying->trial, "running %s with arguments that its usage asks for", program->name);
	guint64 work = find_work(trying, program, &(Knob){.after = arguments}, cpu_ns);
	return work > 0 ? usage_fill(arguments, work) : NULL;
}

static void surround_command(ProposedBenchmark *benchmark, char *const *before, char *const *after)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	if (before != NULL)
		g_strv_builder_addv(words, (const char **)before);
	g_strv_builder_addv(words, (const char **)benchmark->command);
	if (after != NULL)
		g_strv_builder_addv(words, (const char **)after);
	g_strfreev(benchmark->command);
	benchmark->command = g_strv_builder_end(words);
}

/* Makes a long run short by the variable of the environment that the program names for that. FALSE if there is none,
 * or if it does not have that effect; then nothing is changed. */
static gboolean shorten(
        const Trying *trying, const DiscoveredProgram *program, const TrialRun *run, ProposedBenchmark *benchmark)
{
	g_autofree char *path = discover_file(trying->trial->place, program->program);
	g_autofree char *variable = work_variable_of_file(path);
	if (variable == NULL)
		return FALSE;
	g_autofree char *word = g_strconcat(variable, "=" USAGE_KNOB, NULL);
	char *const words[] = {(char *)"env", word, NULL};
	gint64 cpu_ns = 0;
	trial_say(trying->trial, "running %s with %s", program->name, variable);
	guint64 work = find_work(trying, program, &(Knob){.before = words, .demands_effect = TRUE}, &cpu_ns);
	if (work == 0 || cpu_ns >= run->cpu_ns)
		return FALSE;
	g_auto(GStrv) before = usage_fill(words, work);
	surround_command(benchmark, before, NULL);
	g_autofree char *usual = number_duration((double)run->cpu_ns / 1e9);
	benchmark->comment = g_strdup_printf("%s sets how much a run does, which takes %s%s without it", variable,
	        run->timed_out ? "more than " : "", usual);
	benchmark->left_out = trial_clock_text(trying->trial, program, before, NULL, cpu_ns);
	if (benchmark->left_out == NULL)
		remark_time(benchmark, cpu_ns, trying->trial->can_count);
	return TRUE;
}

void trial_plain(const Trying *trying, const DiscoveredProgram *program)
{
	g_auto(TrialRun) run = {0};
	trial_say(trying->trial, "running %s", program->name);
	run_plain(trying, program, NULL, NULL, &run);
	ProposedBenchmark *benchmark = proposal_add(trying->proposal, program, NULL);
	if ((run.failure == NULL || run.timed_out) && remark_is_long(run.cpu_ns) &&
	        shorten(trying, program, &run, benchmark))
		return;
	g_auto(GStrv) guessed = run.failure != NULL && program->arguments == NULL
	                                ? guess_arguments(trying, program, run.output, &run.cpu_ns)
	                                : NULL;
	g_autofree char *usage = usage_line(run.output);
	if (guessed != NULL) {
		surround_command(benchmark, NULL, guessed);
		benchmark->comment =
		        g_strdup_printf("the arguments are guessed; check that they make sense: %s", usage);
	} else if (run.failure != NULL && program->arguments == NULL && !run.timed_out &&
	           run.calibrating == FRAMEWORK_NONE && usage == NULL) {
		benchmark->left_out = g_strdup_printf("%s (run without arguments)", run.failure);
	} else {
		benchmark->left_out = g_steal_pointer(&run.failure);
	}
	if (benchmark->left_out == NULL)
		benchmark->left_out = trial_clock_text(trying->trial, program, NULL, guessed, run.cpu_ns);
	if (benchmark->left_out == NULL)
		remark_time(benchmark, run.cpu_ns, trying->trial->can_count);
	if (benchmark->run_s > 0)
		benchmark->work_line = work_source_line(trying->trial->place, program);
}
