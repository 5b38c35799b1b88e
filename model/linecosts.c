/* SPDX-License-Identifier: Apache-2.0 */
#include "model/linecosts.h"

static void module_free(gpointer data)
{
	LineModule *module = data;
	g_free(module->path);
	g_free(module->build_id);
	g_free(module->failure);
	g_free(module);
}

LineCosts *line_costs_new(void)
{
	LineCosts *costs = g_new0(LineCosts, 1);
	costs->lines = g_array_new(FALSE, FALSE, sizeof(LineCost));
	costs->instructions = g_array_new(FALSE, FALSE, sizeof(InstructionCost));
	costs->modules = g_ptr_array_new_with_free_func(module_free);
	return costs;
}

void line_costs_free(LineCosts *costs)
{
	if (costs == NULL)
		return;
	g_array_unref(costs->lines);
	g_array_unref(costs->instructions);
	g_ptr_array_unref(costs->modules);
	g_free(costs);
}
