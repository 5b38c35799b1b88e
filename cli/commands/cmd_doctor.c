/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/commands/doctorruns.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "core/git/repo.h"
#include "core/json/document.h"
#include "runner/doctor/doctorbenchmark.h"
#include "runner/machine.h"
#include "runner/trees/side.h"

/* All that is known about this machine, and what the project here asks of it. */
typedef struct {
	PerfAbilities abilities;
	Valgrind *valgrind;
	GArray *checks; /* of DoctorCheck */
	CpuPlan *plan;
	FindingList *findings;
	GError *refusal;      /* why there are no perf events; NULL = there are */
	GError *no_valgrind;  /* NULL = it is there */
	char *config_path;    /* NULL = there is none here */
	GArray *benchmarks;   /* of DoctorCheck; NULL = not known */
	GError *config_error; /* why it cannot be used, or NULL */
	Config *config;       /* NULL = there is none that can be used */
	char *const *names;   /* of the benchmarks asked about; NULL = all */
	DoctorRuns runs;      /* of these benchmarks; without rows if none was run */
} Diagnosis;

static void diagnosis_clear(Diagnosis *diagnosis)
{
	g_clear_pointer(&diagnosis->valgrind, valgrind_free);
	g_clear_pointer(&diagnosis->checks, g_array_unref);
	g_clear_pointer(&diagnosis->plan, cpu_plan_free);
	g_clear_pointer(&diagnosis->findings, finding_list_free);
	g_clear_pointer(&diagnosis->benchmarks, g_array_unref);
	g_clear_pointer(&diagnosis->config_path, g_free);
	g_clear_pointer(&diagnosis->config, config_free);
	doctor_runs_clear(&diagnosis->runs);
	g_clear_error(&diagnosis->refusal);
	g_clear_error(&diagnosis->no_valgrind);
	g_clear_error(&diagnosis->config_error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Diagnosis, diagnosis_clear)

/* The configuration of the repository that this is in, as it lies there; or of this folder. */
static char *find_config(void)
{
	g_autoptr(Repo) repo = repo_open(".", NULL);
	const char *root = repo != NULL ? repo_path_workdir(repo) : NULL;
	g_autofree char *path = root != NULL ? g_build_filename(root, CONFIG_FILE, NULL) : g_strdup(CONFIG_FILE);
	return g_file_test(path, G_FILE_TEST_EXISTS) ? g_steal_pointer(&path) : NULL;
}

/* Leaves only the benchmarks of those names in it; NULL = all. */
static gboolean keep_named(Config *config, char *const *names, GError **error)
{
	for (guint i = 0; names != NULL && names[i] != NULL; i++)
		if (config_benchmark(config, names[i]) == NULL)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "no benchmark is named \"%s\"; see " CONFIG_FILE, names[i]);
	for (guint i = config->benchmarks->len; names != NULL && i > 0; i--) {
		const ConfigBenchmark *benchmark = config->benchmarks->pdata[i - 1];
		if (!g_strv_contains((const char *const *)names, benchmark->name))
			g_ptr_array_remove_index(config->benchmarks, i - 1);
	}
	return TRUE;
}

static void examine_project(Diagnosis *diagnosis, const DoctorMachine *machine)
{
	g_autofree char *text = NULL;
	gsize length;
	diagnosis->config_path = find_config();
	if (diagnosis->config_path == NULL ||
	        !g_file_get_contents(diagnosis->config_path, &text, &length, &diagnosis->config_error))
		return;
	g_autoptr(Config) config = config_parse(text, length, CONFIG_FILE, &diagnosis->config_error);
	if (config == NULL || !keep_named(config, diagnosis->names, &diagnosis->config_error))
		return;
	diagnosis->benchmarks = doctor_examine_benchmarks(config, machine);
	if (config_is_filled_in(config, &diagnosis->config_error))
		diagnosis->config = g_steal_pointer(&config);
}

static gboolean diagnose(Diagnosis *diagnosis, GError **error)
{
	g_autoptr(FindingList) known = finding_list_new(); /* the checks say the same */
	g_autofree char *compiler = compiler_version();
	g_autoptr(Environment) environment = machine_environment(compiler);
	gboolean usable = perf_probe(&diagnosis->abilities, known, &diagnosis->refusal);
	diagnosis->valgrind = valgrind_find(&diagnosis->no_valgrind);
	const DoctorMachine machine = {
	        .abilities = usable ? &diagnosis->abilities : NULL,
	        .valgrind = diagnosis->valgrind,
	        .no_valgrind = diagnosis->no_valgrind != NULL ? diagnosis->no_valgrind->message : NULL,
	};
	diagnosis->checks = doctor_examine(&machine);
	diagnosis->findings = finding_list_new();
	diagnosis->plan = cpu_plan_new(1, diagnosis->findings, error);
	if (diagnosis->plan == NULL)
		return FALSE;
	machine_noise_findings(environment, diagnosis->plan, diagnosis->findings);
	examine_project(diagnosis, &machine);
	return TRUE;
}

/* TRUE if the machine can measure the benchmarks of the configuration, or, without one, anything by perf. */
static gboolean is_usable(const Diagnosis *diagnosis)
{
	if (diagnosis->benchmarks == NULL)
		return diagnosis->refusal == NULL;
	for (guint i = 0; i < diagnosis->benchmarks->len; i++)
		if (g_array_index(diagnosis->benchmarks, DoctorCheck, i).state == DOCTOR_MISSING)
			return FALSE;
	return TRUE;
}

/* Runs nothing that cannot be measured here anyway. */
static void run_benchmarks(Diagnosis *diagnosis, gboolean quiet)
{
	if (diagnosis->config != NULL && is_usable(diagnosis))
		diagnosis->runs = doctor_runs(diagnosis->config, diagnosis->names, quiet);
}

static void append_check(GString *text, const DoctorCheck *check)
{
	g_string_append_printf(text, "%s: %s\n", check->name, check->text);
	if (check->remedy != NULL)
		g_string_append_printf(text, "    %s: %s\n", check->state == DOCTOR_MISSING ? "remedy" : "to have more",
		        check->remedy);
}

static void append_checks(GString *text, const GArray *checks)
{
	for (guint i = 0; checks != NULL && i < checks->len; i++)
		append_check(text, &g_array_index(checks, DoctorCheck, i));
}

static gboolean print_text(const Diagnosis *diagnosis)
{
	g_autoptr(GString) text = g_string_new(NULL);
	append_checks(text, diagnosis->checks);
	g_string_append_printf(text, "CPUs: %u allowed, benchmarks run on CPU %d\n", diagnosis->plan->allowed->len,
	        g_array_index(diagnosis->plan->measured, int, 0));
	for (guint i = 0; i < finding_count(diagnosis->findings); i++) {
		const Finding *finding = finding_get(diagnosis->findings, i);
		g_string_append_printf(text, "%s: %s\n", finding_severity_name(finding->severity), finding->text);
	}
	/* those that were run have a better line below */
	if (diagnosis->runs.runs == NULL)
		append_checks(text, diagnosis->benchmarks);
	for (guint i = 0; diagnosis->runs.runs != NULL && i < diagnosis->runs.runs->len; i++)
		append_check(text, &g_array_index(diagnosis->runs.runs, DoctorRun, i).check);
	if (diagnosis->config_path == NULL)
		g_string_append(
		        text, "no " CONFIG_FILE " here, so no benchmark was run; `firebreak init` writes one\n");
	return print_result(text->str);
}

static const Field check_fields[] = {
        FIELD("name", WORDS, DoctorCheck, name),
        FIELD_WORD("state", DoctorCheck, state, doctor_state_name, DOCTOR_MISSING + 1),
        FIELD("text", WORDS, DoctorCheck, text),
        FIELD("remedy", TEXT, DoctorCheck, remedy),
};

static const Field run_fields[] = {
        FIELD("benchmark", TEXT, DoctorRun, benchmark),
        FIELD_WORD("state", DoctorRun, check.state, doctor_state_name, DOCTOR_MISSING + 1),
        FIELD("text", WORDS, DoctorRun, check.text),
        FIELD("remedy", TEXT, DoctorRun, check.remedy),
        FIELD("metric", TEXT, DoctorRun, metric),
        FIELD("repeats", FLAG, DoctorRun, repeats),
        FIELD("spread_pct", SHARE, DoctorRun, spread),
        FIELD("smallest_visible_pct", SHARE, DoctorRun, visible),
        FIELD("rounds", LINE, DoctorRun, rounds),
        FIELD("round_s", NUMBER, DoctorRun, round_s),
};

typedef struct {
	gboolean usable;
	const GArray *checks, *benchmarks, *fitness; /* NULL = not known, of the last two */
	guint cpus_allowed, benchmark_cpu;
	const char *valgrind;
} Report;

static json_t *benchmarks_json(gconstpointer report, G_GNUC_UNUSED gboolean counted)
{
	const GArray *rows = ((const Report *)report)->benchmarks;
	return rows != NULL ? rows_json(ELEMENT_TABLE(check_fields, DoctorCheck), rows, FALSE) : json_null();
}

static json_t *fitness_json(gconstpointer report, G_GNUC_UNUSED gboolean counted)
{
	const GArray *rows = ((const Report *)report)->fitness;
	return rows != NULL ? rows_json(ELEMENT_TABLE(run_fields, DoctorRun), rows, FALSE) : json_null();
}

static const Field report_fields[] = {
        FIELD("usable", FLAG, Report, usable),
        FIELD_ROWS("checks", Report, checks, DoctorCheck, check_fields, 0),
        FIELD("cpus_allowed", COUNT, Report, cpus_allowed),
        FIELD("benchmark_cpu", COUNT, Report, benchmark_cpu),
        FIELD("valgrind", TEXT, Report, valgrind),
        FIELD_MADE("benchmarks", benchmarks_json, NULL),
        FIELD_MADE("fitness", fitness_json, NULL),
};

static gboolean print_json(const Diagnosis *diagnosis)
{
	const Report report = {
	        .usable = is_usable(diagnosis),
	        .checks = diagnosis->checks,
	        .benchmarks = diagnosis->benchmarks,
	        .fitness = diagnosis->runs.runs,
	        .cpus_allowed = diagnosis->plan->allowed->len,
	        .benchmark_cpu = (guint)g_array_index(diagnosis->plan->measured, int, 0),
	        .valgrind = diagnosis->valgrind != NULL ? diagnosis->valgrind->version : NULL,
	};
	const JsonDocument document = {
	        .schema = "firebreak-doctor/1",
	        .table = FIELD_TABLE(report_fields),
	        .findings = diagnosis->findings,
	};
	g_autofree char *text = json_document(&document, &report, NULL);
	return print_result(text);
}

/* The exit code, and on stderr why it is not 0. */
static int conclude(const Diagnosis *diagnosis)
{
	if (diagnosis->config_error != NULL)
		return command_failed(diagnosis->config_error);
	if (diagnosis->runs.error != NULL)
		return command_failed(diagnosis->runs.error);
	if (is_usable(diagnosis))
		return 0;
	if (diagnosis->refusal != NULL)
		return command_failed(diagnosis->refusal);
	g_autoptr(GError) error = g_error_new(FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT,
	        "%s asks for what cannot be measured here", diagnosis->config_path);
	return command_failed(error);
}

typedef struct {
	gboolean json, no_run;
	char **benchmarks;
} Options;

static const Option option_rows[] = {
        BENCHMARKS_OPTION(Options, benchmarks),
        {"json", 0, OPTION_FLAG, NULL, "print the same as JSON", offsetof(Options, json), .section = SECTION_GENERAL},
        {"no-run", 0, OPTION_FLAG, NULL, "build and run nothing: only look at the machine and the configuration",
                offsetof(Options, no_run), .section = SECTION_GENERAL},
};

static int report(const Options *o)
{
	g_auto(Diagnosis) diagnosis = {.names = o->benchmarks};
	g_autoptr(GError) error = NULL;
	if (!diagnose(&diagnosis, &error))
		return command_failed(error);
	if (!o->no_run)
		run_benchmarks(&diagnosis, o->json);
	if (!(o->json ? print_json(&diagnosis) : print_text(&diagnosis)))
		return FIREBREAK_ERROR_STORAGE;
	return conclude(&diagnosis);
}

static int run(const Command *command, char **argv)
{
	int code = 0;
	Options o = {0};
	g_auto(GStrv) rest = command_parse(command, &o, argv, &code);
	if (rest == NULL)
		return code;
	if (rest[1] != NULL)
		return command_usage(command, "unexpected argument \"%s\"", rest[1]);
	code = report(&o);
	command_clear(command, &o);
	return code;
}

const Command doctor_command = {
        .name = "doctor",
        .arguments = "",
        .summary = "say what this machine can measure and how to improve it",
        .description = "Tries everything that it reports, and changes nothing. In a project with a " CONFIG_FILE
                       " it also says of each benchmark whether this machine has what it needs; exit code 8 if not. "
                       "Then it builds the working tree and runs each benchmark five times against itself, or those "
                       "that --benchmark names. It prints the smallest change that a check can find, or the reason "
                       "why there is none and the remedy. If a benchmark cannot be run, the exit code is that of a "
                       "check. Elsewhere, exit code 8 if there are no perf events.",
        .options = {OPTION_GROUP(option_rows, 0)},
        .run = run,
};
