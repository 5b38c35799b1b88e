/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/nextsteps.h"

#include "model/textpiece.h"

#include <string.h>

#define STEPS_NAMED 5 /* so many benchmarks are named */
#define NAME_MAX_BYTES 64

/* As a configuration allows it: nothing that a shell or YAML would take for anything else, and no option. */
static gboolean is_copied_safely(const char *name)
{
	gsize length = strnlen(name, NAME_MAX_BYTES + 1);
	return g_ascii_isalnum(*name) && length <= NAME_MAX_BYTES &&
	       strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-") == length;
}

GPtrArray *next_steps_names(const GArray *rows, gboolean regressed, gboolean *more)
{
	GPtrArray *names = g_ptr_array_new();
	*more = FALSE;
	for (guint i = 0; i < rows->len && !*more; i++) {
		const StandingRow *row = &g_array_index(rows, StandingRow, i);
		gboolean wanted = regressed ? row->standing == STANDING_REGRESSED : row->standing <= STANDING_SLOWER;
		if (!wanted || !is_copied_safely(row->benchmark->name))
			continue;
		*more = names->len == STEPS_NAMED;
		if (!*more)
			g_ptr_array_add(names, row->benchmark->name);
	}
	return names;
}

gboolean next_steps_is_commit(const char *sha)
{
	gsize digits = text_hex_digits(sha);
	return digits >= 7 && digits <= 64;
}

char *next_steps_command(const CheckResult *result, const GArray *rows)
{
	const char *base = result->base.sha, *head = result->head.sha;
	gboolean more, worktree = g_str_equal(head, "worktree");
	g_autoptr(GPtrArray) names = next_steps_names(rows, FALSE, &more);
	if (names->len == 0 || !next_steps_is_commit(base) || (!worktree && !next_steps_is_commit(head)))
		return NULL;
	GString *out = g_string_new("firebreak check");
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(out, " -b %s", (const char *)names->pdata[i]);
	g_string_append_printf(out, " --base %s --head %s", base, head);
	return g_string_free(out, FALSE);
}
