#include "cli/command.h"
#include "core/error.h"
#include "core/jsontext.h"
#include "runner/doctor.h"
#include "runner/machine.h"
#include "runner/side.h"

/* All that is known about this machine. */
typedef struct {
	GArray *checks; /* of DoctorCheck */
	CpuPlan *plan;
	FindingList *findings;
	GError *refusal; /* why nothing can be measured; NULL = it can */
} Diagnosis;

static void diagnosis_clear(Diagnosis *diagnosis)
{
	g_clear_pointer(&diagnosis->checks, g_array_unref);
	g_clear_pointer(&diagnosis->plan, cpu_plan_free);
	g_clear_pointer(&diagnosis->findings, finding_list_free);
	g_clear_error(&diagnosis->refusal);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Diagnosis, diagnosis_clear)

static gboolean diagnose(Diagnosis *diagnosis, GError **error)
{
	PerfAbilities abilities;
	g_autoptr(FindingList) known = finding_list_new(); /* the checks say the same */
	g_autofree char *compiler = compiler_version();
	g_autoptr(Environment) environment = machine_environment(compiler);
	gboolean usable = perf_probe(&abilities, known, &diagnosis->refusal);
	diagnosis->checks = doctor_examine(usable ? &abilities : NULL);
	diagnosis->findings = finding_list_new();
	diagnosis->plan = cpu_plan_new(1, diagnosis->findings, error);
	if (diagnosis->plan == NULL)
		return FALSE;
	machine_noise_findings(environment, diagnosis->plan, diagnosis->findings);
	return TRUE;
}

static gboolean print_text(const Diagnosis *diagnosis)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < diagnosis->checks->len; i++) {
		const DoctorCheck *check = &g_array_index(diagnosis->checks, DoctorCheck, i);
		g_string_append_printf(text, "%s: %s\n", check->name, check->text);
		if (check->remedy != NULL)
			g_string_append_printf(text, "    to have more: %s\n", check->remedy);
	}
	g_string_append_printf(text, "CPUs: %u allowed, benchmarks run on CPU %d\n", diagnosis->plan->allowed->len,
	        g_array_index(diagnosis->plan->measured, int, 0));
	for (guint i = 0; i < finding_count(diagnosis->findings); i++) {
		const Finding *finding = finding_get(diagnosis->findings, i);
		g_string_append_printf(text, "%s: %s\n", finding_severity_name(finding->severity), finding->text);
	}
	return print_result(text->str);
}

static gboolean print_json(const Diagnosis *diagnosis)
{
	json_t *checks = json_array(), *findings = json_array();
	for (guint i = 0; i < diagnosis->checks->len; i++) {
		const DoctorCheck *check = &g_array_index(diagnosis->checks, DoctorCheck, i);
		json_array_append_new(checks,
		        json_pack("{s:s, s:s, s:o, s:o}", "name", check->name, "state", doctor_state_name(check->state),
		                "text", json_text(check->text), "remedy", json_text(check->remedy)));
	}
	for (guint i = 0; i < finding_count(diagnosis->findings); i++) {
		const Finding *finding = finding_get(diagnosis->findings, i);
		json_array_append_new(
		        findings, json_pack("{s:s, s:s, s:o}", "severity", finding_severity_name(finding->severity),
		                          "code", finding->code, "text", json_text(finding->text)));
	}
	json_auto_t *result = json_pack("{s:s, s:b, s:o, s:i, s:i, s:o}", "schema", "firebreak-doctor-1", "usable",
	        diagnosis->refusal == NULL, "checks", checks, "cpus_allowed", (int)diagnosis->plan->allowed->len,
	        "benchmark_cpu", g_array_index(diagnosis->plan->measured, int, 0), "findings", findings);
	g_autofree char *text = json_dump_text(result, NULL);
	return print_result(text);
}

static int run(const Command *command, char **argv)
{
	int code = 0;
	gboolean json = FALSE;
	const GOptionEntry entries[] = {
	        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "print the same as JSON", NULL},
	        G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) rest = command_parse(command, entries, argv, &code);
	if (rest == NULL)
		return code;
	if (rest[1] != NULL)
		return command_usage(command, "unexpected argument \"%s\"", rest[1]);
	g_auto(Diagnosis) diagnosis = {0};
	g_autoptr(GError) error = NULL;
	if (!diagnose(&diagnosis, &error))
		return command_failed(error);
	if (!(json ? print_json(&diagnosis) : print_text(&diagnosis)))
		return FIREBREAK_ERROR_STORAGE;
	return diagnosis.refusal != NULL ? command_failed(diagnosis.refusal) : 0;
}

const Command doctor_command = {
        .name = "doctor",
        .arguments = "",
        .summary = "say what this machine can measure and how to improve it",
        .description = "Tries everything it speaks of and changes nothing. Exit code 8 if nothing can be measured.",
        .run = run,
};
