/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/output/output.h"
#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/json/document.h"
#include "gate/request/talk.h"
#include "model/numbers/number.h"
#include "report/words/texttable.h"
#include "runner/events/counters.h"
#include "runner/events/eventparse.h"
#include "runner/record/recordsession.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_HZ 1999
#define DEFAULT_PATH "perf.data"
#define MAX_STACK_BYTES 65528

typedef struct {
	char *path;
	char **events;
	char *call_graph, *cpus;
	gint64 frequency_hz, period; /* 0 = not given */
	double timeout_s;            /* 0 = none */
	gboolean kernel, off_cpu, off_at_start, quiet, json;
} Options;

static void clear_spec(gpointer spec)
{
	perf_event_spec_clear(spec);
}

/* --- from options to a request --- */

/* "fp", "leaf", "dwarf", "dwarf,8192", "no" */
static gboolean read_call_graph(const char *text, RecorderPlan *plan, GError **error)
{
	if (text == NULL)
		text = "leaf";
	static const struct {
		const char *name;
		RecorderStacks stacks;
	} choices[] = {
	        {"fp", RECORDER_FRAME_POINTERS},
	        {"leaf", RECORDER_LEAF_REPAIR},
	        {"dwarf", RECORDER_DWARF},
	        {"no", RECORDER_NO_STACKS},
	};
	const char *comma = strchr(text, ',');
	g_autofree char *name = comma != NULL ? g_strndup(text, (gsize)(comma - text)) : g_strdup(text);
	guint64 bytes = 0;
	for (gsize i = 0; i < G_N_ELEMENTS(choices); i++) {
		if (!g_str_equal(name, choices[i].name))
			continue;
		plan->stacks = choices[i].stacks;
		if (comma == NULL)
			return TRUE;
		if (plan->stacks != RECORDER_DWARF && plan->stacks != RECORDER_LEAF_REPAIR)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--call-graph=%s takes no size", name);
		if (!g_ascii_string_to_unsigned(comma + 1, 10, 256, MAX_STACK_BYTES, &bytes, NULL))
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "--call-graph: the size \"%s\" is not a number from 256 to %d", comma + 1,
			        MAX_STACK_BYTES);
		plan->stack_bytes = (guint)bytes;
		return TRUE;
	}
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "--call-graph is fp, leaf, leaf,BYTES, dwarf, dwarf,BYTES or no, not \"%s\"", text);
}

/* A tracepoint counts single happenings; all others are sampled so many times a second. */
static void set_rate(const Options *options, RecorderEvent *event)
{
	gboolean has_period = options->period != 0, has_frequency = options->frequency_hz != 0;
	if (has_period || (!has_frequency && event->spec.type == PERF_TYPE_TRACEPOINT))
		event->period = has_period ? (guint64)options->period : 1;
	else
		event->frequency_hz = has_frequency ? (guint64)options->frequency_hz : DEFAULT_HZ;
}

static gboolean refuse_twins(const GArray *specs, GError **error)
{
	for (guint i = 0; i < specs->len; i++)
		for (guint j = i + 1; j < specs->len; j++) {
			const PerfEventSpec *one = &g_array_index(specs, PerfEventSpec, i);
			const PerfEventSpec *other = &g_array_index(specs, PerfEventSpec, j);
			if (perf_event_spec_equal(one, other))
				return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
				        "the events %s and %s are the same; name it once", one->name, other->name);
		}
	return TRUE;
}

/* Adds the events. If none is named, CPU time is recorded, or with --off-cpu only waits. */
static gboolean add_events(
        const Options *options, const PerfAbilities *abilities, GArray *specs, GArray *events, GError **error)
{
	gboolean named = options->events != NULL, off_cpu = options->off_cpu;
	if (!named && !off_cpu && !perf_events_parse(abilities->sampling, specs, error))
		return FALSE;
	for (guint i = 0; named && options->events[i] != NULL; i++)
		if (!perf_events_parse_recorded(options->events[i], specs, &off_cpu, error))
			return FALSE;
	if (!refuse_twins(specs, error))
		return FALSE;
	for (guint i = 0; i < specs->len; i++) {
		RecorderEvent event = {.spec = g_array_index(specs, PerfEventSpec, i), .or_clock = !named};
		set_rate(options, &event);
		g_array_append_val(events, event);
	}
	const RecorderEvent waits = {.off_cpu = TRUE};
	if (off_cpu)
		g_array_append_val(events, waits);
	return TRUE;
}

/* --- what is said --- */

static void add_row(TextTable *table, const char *name, const char *format, ...) G_GNUC_PRINTF(3, 4);
static void add_row(TextTable *table, const char *name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *value = g_strdup_vprintf(format, args);
	va_end(args);
	text_table_cell(table, name, NULL);
	text_table_cell(table, value, NULL);
}

/* Times stand below each other, so all are in seconds, to the microsecond. */
static void add_time(TextTable *table, const char *name, double ns)
{
	g_autofree char *seconds = number_decimal(ns / 1e9, 6);
	add_row(table, name, "%s s", seconds);
}

static void add_counter(TextTable *table, const CounterValue *counter)
{
	if (!counter->counted)
		add_row(table, counter->name, "not counted");
	else if (g_str_equal(counter->unit, "ns"))
		add_time(table, counter->name, counter->value);
	else
		add_row(table, counter->name, "%.0f", counter->value);
}

static void print_table(const RecordRequest *request, const RecordOutcome *outcome)
{
	g_autoptr(TextTable) table = text_table_new("lr");
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *path = escape_to_string(escape_terminal, request->path);
	add_time(table, "wall", (double)outcome->wall_ns);
	for (guint i = 0; i < outcome->counters->len; i++)
		add_counter(table, &g_array_index(outcome->counters, CounterValue, i));
	g_autofree char *peak = number_value((double)outcome->peak_rss_bytes, "bytes");
	add_row(table, "peak-rss", "%s", peak);
	add_row(table, "samples", "%" G_GUINT64_FORMAT, outcome->counts.samples);
	add_row(table, "lost", "%" G_GUINT64_FORMAT, outcome->counts.lost);
	add_row(table, "incomplete stacks", "%" G_GUINT64_FORMAT, outcome->counts.incomplete);
	text_table_append(text, table, "  ", 0);
	fprintf(stderr, "recorded into %s\n%s", path, text->str);
}

static json_t *value_json(gconstpointer counter, G_GNUC_UNUSED gboolean counted)
{
	const CounterValue *own = counter;
	return own->counted ? json_number(own->value) : json_null();
}

static const Field counter_fields[] = {
        FIELD("name", WORDS, CounterValue, name),
        FIELD("unit", WORDS, CounterValue, unit),
        FIELD_MADE("value", value_json, NULL),
        FIELD("running_share", NUMBER, CounterValue, running_share),
};

static const Field counts_fields[] = {
        FIELD("samples", BIG_COUNT, RecorderCounts, samples),
        FIELD("lost", BIG_COUNT, RecorderCounts, lost),
        FIELD("throttled", BIG_COUNT, RecorderCounts, throttled),
        FIELD("incomplete_stacks", BIG_COUNT, RecorderCounts, incomplete),
        FIELD("bytes", BIG_COUNT, RecorderCounts, bytes),
};

typedef struct {
	const char *file, *doubt;
	const char *const *command;
	guint exit_code;
	RecordOutcome outcome; /* borrows */
} Report;

static const Field report_fields[] = {
        FIELD("file", WORDS, Report, file),
        FIELD("command", STRV, Report, command),
        FIELD("exit_code", COUNT, Report, exit_code),
        FIELD("failure", TEXT, Report, outcome.failure),
        FIELD("doubt", TEXT, Report, doubt),
        FIELD("wall_ns", BIG_COUNT, Report, outcome.wall_ns),
        FIELD("peak_rss_bytes", BIG_COUNT, Report, outcome.peak_rss_bytes),
        FIELD_ROWS("counters", Report, outcome.counters, CounterValue, counter_fields, 0),
        FIELD_STRUCT("recording", Report, outcome.counts, counts_fields),
};

static gboolean print_json(
        const RecordRequest *request, const RecordOutcome *outcome, const FindingList *findings, const char *doubt)
{
	const Report report = {
	        .file = request->path,
	        .doubt = doubt,
	        .command = request->command,
	        .exit_code = (guint)outcome->exit_code,
	        .outcome = *outcome,
	};
	const JsonDocument document = {
	        .schema = "firebreak-record/1",
	        .table = FIELD_TABLE(report_fields),
	        .findings = findings,
	};
	g_autofree char *text = json_document(&document, &report, NULL);
	return print_result(text);
}

/* Prints the outcome and returns the exit code: that of the command if it failed. */
static int tell(
        const Options *options, const RecordRequest *request, const RecordOutcome *outcome, const FindingList *findings)
{
	g_autofree char *doubt = record_doubt(request, outcome);
	g_autofree char *command = escape_to_string(escape_terminal, request->command[0]);
	if (outcome->exec_errno != 0) {
		fprintf(stderr, "firebreak: %s %s\n", command, outcome->failure);
		return FIREBREAK_ERROR_USAGE;
	}
	if (!options->quiet) {
		talk_findings(findings, TALK_NORMAL);
		print_table(request, outcome);
	}
	if (outcome->orphans_killed > 0)
		fprintf(stderr, "firebreak: warning: %s left %u process%s behind, killed at its end\n", command,
		        outcome->orphans_killed, outcome->orphans_killed == 1 ? "" : "es");
	if (doubt != NULL) {
		g_autofree char *safe = escape_to_string(escape_terminal, doubt);
		fprintf(stderr, "firebreak: the recording is not to be trusted: %s\n", safe);
	}
	if (outcome->failure != NULL && outcome->cancelled == 0)
		fprintf(stderr, "firebreak: %s %s\n", command, outcome->failure);
	if (options->json && !print_json(request, outcome, findings, doubt))
		return FIREBREAK_ERROR_STORAGE;
	if (outcome->cancelled != 0)
		return 128 + outcome->cancelled;
	if (outcome->exit_code != 0)
		return outcome->exit_code;
	return doubt != NULL || outcome->timed_out ? FIREBREAK_ERROR_INVALID : 0;
}

/* --- the command --- */

/* Everything that a request borrows from. */
typedef struct {
	GArray *specs, *events, *cpus; /* of PerfEventSpec, RecorderEvent, int */
	PerfAbilities abilities;
	FindingList *findings;
	RecordRequest request;
} Job;

static void job_clear(Job *job)
{
	g_array_unref(job->specs);
	g_array_unref(job->events);
	g_array_unref(job->cpus);
	finding_list_free(job->findings);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

static void job_init(Job *job, const Options *options, char **command)
{
	*job = (Job){
	        .specs = g_array_new(FALSE, FALSE, sizeof(PerfEventSpec)),
	        .events = g_array_new(FALSE, FALSE, sizeof(RecorderEvent)),
	        .cpus = g_array_new(FALSE, FALSE, sizeof(int)),
	        .findings = finding_list_new(),
	        .request = {.command = (const char *const *)command,
	                .path = options->path != NULL ? options->path : DEFAULT_PATH,
	                .timeout_ms = (gint64)(options->timeout_s * 1000),
	                .plan = {.kernel = options->kernel, .start_disabled = options->off_at_start}},
	};
	g_array_set_clear_func(job->specs, clear_spec);
}

static gboolean plan_job(Job *job, const Options *options, GError **error)
{
	RecordRequest *request = &job->request;
	if (options->cpus != NULL && !cpu_list_parse(options->cpus, job->cpus))
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "--cpu is a list such as 0,2-3, not \"%s\"", options->cpus);
	if (g_str_equal(request->path, "-"))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "-o - would mix the recording with the output of the command; name a file or a pipe");
	if (!cpu_list_check(job->cpus, error))
		return FALSE;
	if (options->period != 0 && options->frequency_hz != 0)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "-F and -c exclude each other");
	if (!read_call_graph(options->call_graph, &request->plan, error) ||
	        !perf_probe(&job->abilities, job->findings, error) ||
	        !add_events(options, &job->abilities, job->specs, job->events, error))
		return FALSE;
	request->plan.events = (const RecorderEvent *)(void *)job->events->data;
	request->plan.n_events = job->events->len;
	request->cpus = (const int *)(void *)job->cpus->data;
	request->n_cpus = job->cpus->len;
	return TRUE;
}

static int record(const Command *self, const Options *options, char **command)
{
	g_auto(Job) job;
	g_auto(RecordOutcome) outcome = {0};
	g_autoptr(GError) error = NULL;
	job_init(&job, options, command);
	if (!plan_job(&job, options, &error))
		return error->code == FIREBREAK_ERROR_USAGE ? command_usage(self, "%s", error->message)
		                                            : command_failed(error);
	if (!record_session(&job.request, &job.abilities, &outcome, job.findings, &error))
		return command_failed(error);
	return tell(options, &job.request, &outcome, job.findings);
}

/* The index of "--", or of the end if there is none. */
static guint find_separator(char **argv)
{
	guint at = 0;
	while (argv[at] != NULL && !g_str_equal(argv[at], "--"))
		at++;
	return at;
}

static const char *const call_graph_names[] = {"leaf", "fp", "dwarf", "no", NULL};

static const Option option_rows[] = {
        {"output", 'o', OPTION_FILE, "FILE", "write to this file (perf.data)", offsetof(Options, path),
                .section = SECTION_OUTPUT},
        {"event", 'e', OPTION_TEXTS, "EVENTS", "what to sample, by perf's names; may be repeated (CPU time)",
                offsetof(Options, events), .section = SECTION_GENERAL},
        {"freq", 'F', OPTION_INT64, "HZ", "samples per second (1999)", offsetof(Options, frequency_hz), .min = 1,
                .max = 1000000, .mistake = "-F takes a number of samples per second, from 1 to 1000000"},
        {"count", 'c', OPTION_INT64, "PERIOD", "one sample every PERIOD events", offsetof(Options, period), .min = 1,
                .max = (double)G_MAXINT64, .mistake = "-c takes a number of events per sample, at least 1"},
        {"call-graph", 0, OPTION_HINTED, "HOW", "how stacks are followed: leaf[,BYTES], fp, dwarf[,BYTES] or no (leaf)",
                offsetof(Options, call_graph), .choices = call_graph_names},
        {"kernel", 0, OPTION_FLAG, NULL, "also sample kernel mode", offsetof(Options, kernel),
                .section = SECTION_GENERAL},
        {"off-cpu", 0, OPTION_FLAG, NULL, "record where time is spent waiting; alone, or beside the events of -e",
                offsetof(Options, off_cpu), .section = SECTION_GENERAL},
        {"cpu", 0, OPTION_TEXT, "LIST", "run the command on these CPUs only", offsetof(Options, cpus),
                .section = SECTION_GENERAL},
        {"off-at-start", 0, OPTION_FLAG, NULL, "measure only while the command says so",
                offsetof(Options, off_at_start), .section = SECTION_GENERAL},
        {"timeout", 0, OPTION_NUMBER, "SECONDS", "end the command after that many seconds",
                offsetof(Options, timeout_s), .min = 0.001, .max = 999999999,
                .mistake = "--timeout takes a number of seconds, at least 0.001"},
        {"json", 0, OPTION_FLAG, NULL, "print counters and counts of samples as JSON", offsetof(Options, json),
                .section = SECTION_OUTPUT},
        {"quiet", 'q', OPTION_FLAG, NULL, "print no table", offsetof(Options, quiet), .section = SECTION_OUTPUT},
};

static int run(const Command *command, char **argv)
{
	int code = 0;
	Options options = {0};
	guint separator = find_separator(argv);
	char **to_run = argv[separator] != NULL ? argv + separator + 1 : argv + separator;
	g_auto(GStrv) own = g_new0(char *, separator + 1);
	for (guint i = 0; i < separator; i++)
		own[i] = g_strdup(argv[i]);
	const char *misplaced = command_first_argument(command, own);
	if (misplaced != NULL)
		return command_usage(command, "put -- in front of the command: record ... -- %s ...", misplaced);
	g_auto(GStrv) rest = command_parse(command, &options, own, &code);
	if (rest != NULL && to_run[0] == NULL)
		code = command_usage(command, "name the command to record: record -- COMMAND...");
	else if (rest != NULL)
		code = record(command, &options, to_run);
	command_clear(command, &options);
	return code;
}

const Command record_command = {
        .name = "record",
        .arguments = "-- COMMAND...",
        .summary = "record counters and samples of one command into a perf.data file",
        .description =
                "The command keeps its input and output; processes that it leaves behind are ended. The file is one "
                "that perf and `firebreak fold` read. Without -e, CPU time is sampled: cycles where there are hardware "
                "counters, else the cpu-clock. Events: cycles, cache-misses, page-faults, L1-dcache-load-misses, r1a8, "
                "cpu/event=0x3c/, sched:sched_switch, {cycles,instructions}:u, off-cpu; modifiers u k h p pp ppp.\n"
                "\n"
                "Stacks: leaf follows frame pointers and finds the callers of functions without a frame by call frame "
                "information; fp follows frame pointers only; dwarf is for programs without frame pointers. BYTES of "
                "stack are looked at with each sample (leaf 3072, dwarf 16384); a finding says where more would help. "
                "Copies of the stack are never written to the file. The file is in its place when the recording is "
                "complete; one that was there stays until then.\n"
                "\n"
                "With --off-at-start the command writes \"enable\" and \"disable\" to the pipe $FIREBREAK_CTL_FIFO and "
                "reads \"ack\" from $FIREBREAK_ACK_FIFO.",
        .examples = "  firebreak record -- ./bench parse data/large.json\n"
                    "  firebreak record -e page-faults -c 1 -o faults.data -- ./bench\n"
                    "  firebreak record --off-cpu -- make",
        .exit_codes = "that of the command if it failed, 128+n if signal n ended it; 2 usage; 4 samples were lost or "
                      "missing, or the command timed out and says that it ended well; 7 the file cannot be written; 8 "
                      "not possible on this machine.",
        .options = {OPTION_GROUP(option_rows, 0)},
        .offer = OFFER_COMMANDS,
        .run = run,
};
