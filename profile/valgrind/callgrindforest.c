/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindforest.h"

static CallgrindContext *context_at(const CallgrindDump *dump, guint32 row)
{
	return &g_array_index(dump->contexts, CallgrindContext, row);
}

/* The rank of a context as the caller of another one; the highest is taken. 0 = it cannot be the caller: its chain is
 * no longer than that of what it calls, or what it calls is itself. */
static guint64 caller_rank(const CallgrindContext *caller, const CallgrindContext *called)
{
	gboolean is_recursion = caller->function == called->function && caller->depth == called->depth;
	if (is_recursion)
		return caller->level < called->level ? caller->level : 0;
	/* of several levels of a recursive caller, the name does not tell which: the first */
	return caller->depth < called->depth && caller->depth + 1 == called->depth ? G_MAXUINT64 - caller->level : 0;
}

void callgrind_forest_find_callers(CallgrindDump *dump)
{
	for (guint i = 0; i < dump->calls->len; i++) {
		const CallgrindCall *call = &g_array_index(dump->calls, CallgrindCall, i);
		CallgrindContext *called = context_at(dump, call->called);
		const CallgrindContext *caller = context_at(dump, call->caller);
		guint64 rank = caller_rank(caller, called);
		guint64 known =
		        called->caller == CALLGRIND_NONE ? 0 : caller_rank(context_at(dump, called->caller), called);
		if (rank > known)
			called->caller = call->caller;
		called->is_cut |= caller->function != called->function && caller->depth >= called->depth;
	}
}

/* TRUE if it was called by itself, from the level below. */
static gboolean is_recursion(const CallgrindDump *dump, guint32 row)
{
	const CallgrindContext *context = context_at(dump, row);
	return context->caller != CALLGRIND_NONE && context_at(dump, context->caller)->depth == context->depth;
}

void callgrind_forest_spread_cuts(CallgrindDump *dump)
{
	guint32 n = dump->contexts->len;
	g_autofree guint32 *first_levels = g_new(guint32, n + 1);
	for (guint32 i = 0; i < n; i++)
		first_levels[i] = is_recursion(dump, i) ? CALLGRIND_NONE : i;
	for (guint32 i = 0; i < n; i++) {
		guint32 row = i, next;
		while (first_levels[row] == CALLGRIND_NONE)
			row = context_at(dump, row)->caller;
		guint32 first = first_levels[row];
		for (row = i; first_levels[row] == CALLGRIND_NONE; row = next) {
			next = context_at(dump, row)->caller;
			first_levels[row] = first;
		}
	}
	for (guint32 i = 0; i < n; i++)
		context_at(dump, i)->is_cut &= context_at(dump, i)->caller == CALLGRIND_NONE;
	for (guint32 i = 0; i < n; i++)
		context_at(dump, i)->is_cut = context_at(dump, first_levels[i])->is_cut;
}
