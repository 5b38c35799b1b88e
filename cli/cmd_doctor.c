#include "cli/command.h"
#include "core/error.h"
#include "runner/machine.h"
#include "runner/perfevent.h"
#include "runner/side.h"

static void add_findings(GString *text, const FindingList *findings)
{
	for (guint i = 0; i < finding_count(findings); i++)
		g_string_append_printf(text, "%s: %s\n", finding_severity_name(finding_get(findings, i)->severity),
		        finding_get(findings, i)->text);
}

static void describe(GString *text, const PerfAbilities *abilities, const CpuPlan *plan)
{
	g_string_append_printf(text, "sampling: %s (user code)\n", abilities->sampling->name);
	g_string_append_printf(text, "hardware counters: %s\n", abilities->hardware ? "yes" : "no");
	g_string_append_printf(text, "context switches and migrations: %s\n",
	        abilities->kernel_allowed ? "counted" : "not counted (needs CAP_PERFMON or perf_event_paranoid <= 1)");
	g_string_append_printf(text, "CPUs: %u allowed, benchmarks run on CPU %d\n", plan->allowed->len,
	        g_array_index(plan->measured, int, 0));
}

static int run(const Command *command, char **argv)
{
	int code = 0;
	const GOptionEntry none[] = {G_OPTION_ENTRY_NULL};
	g_auto(GStrv) rest = command_parse(command, none, argv, &code);
	if (rest == NULL)
		return code;
	if (rest[1] != NULL)
		return command_usage(command, "unexpected argument \"%s\"", rest[1]);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *compiler = compiler_version();
	g_autoptr(Environment) environment = machine_environment(compiler);
	PerfAbilities abilities;
	if (!perf_probe(&abilities, findings, &error))
		return command_failed(error);
	g_autoptr(CpuPlan) plan = cpu_plan_new(1, findings, &error);
	if (plan == NULL)
		return command_failed(error);
	machine_noise_findings(environment, plan, findings);
	describe(text, &abilities, plan);
	add_findings(text, findings);
	return print_result(text->str) ? 0 : FIREBREAK_ERROR_STORAGE;
}

const Command doctor_command = {
        .name = "doctor",
        .arguments = "",
        .summary = "say what this machine can measure and how to improve it",
        .run = run,
};
