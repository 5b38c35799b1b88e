#include "runner/executor.h"

void run_outcome_clear(RunOutcome *outcome)
{
	g_clear_pointer(&outcome->failure_code, g_free);
	g_clear_pointer(&outcome->failure, g_free);
	g_clear_pointer(&outcome->metrics, g_array_unref);
	g_clear_pointer(&outcome->own, own_metrics_free);
}

void executor_free(Executor *executor)
{
	if (executor != NULL)
		executor->destroy(executor);
}
