#include "runner/runstate.h"

static gboolean restore(const RunRequest *request, FindingList *findings, GError **error)
{
	if (request->trusted)
		return TRUE;
	return arena_clean(request->side->arena, findings, error);
}

gboolean run_state_restore(const RunRequest *requests, guint n, FindingList *findings, GError **error)
{
	for (guint i = 0; i < n; i++)
		if (!restore(&requests[i], findings, error))
			return FALSE;
	return TRUE;
}
