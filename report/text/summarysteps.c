/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/summarysteps.h"

#include "compare/acceptance.h"

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

/* The first names of benchmarks for which something can be done, and whether there are more; elements are borrowed.
 * `regressed`: only these. */
static GPtrArray *names_of(const Summary *summary, gboolean regressed, gboolean *more)
{
	GPtrArray *names = g_ptr_array_new();
	*more = FALSE;
	for (guint i = 0; i < summary->n_look && !*more; i++) {
		const SummaryRow *row = &g_array_index(summary->rows, SummaryRow, i);
		gboolean wanted = regressed ? row->standing == STANDING_REGRESSED : row->standing <= STANDING_SLOWER;
		if (!wanted || !is_copied_safely(row->benchmark->name))
			continue;
		*more = names->len == STEPS_NAMED;
		if (!*more)
			g_ptr_array_add(names, row->benchmark->name);
	}
	return names;
}

/* A clone has the commits of a branch, but not the one that a forge merged for the review. */
static void add_reproduction(TextBlocks *blocks, const Summary *summary)
{
	const char *base = summary->result->base.sha, *head = summary->result->head.sha;
	gboolean more, worktree = g_str_equal(head, "worktree");
	g_autoptr(GPtrArray) names = names_of(summary, FALSE, &more);
	if (names->len == 0 || !review_is_commit(base) || (!worktree && !review_is_commit(head)))
		return;
	GString *out = text_blocks_add(blocks, DROP_STEPS, PART_FRAME);
	g_string_append(out, "<details><summary>Reproduce it locally</summary>\n\n```sh\n");
	if (summary->links != NULL && summary->links->number > 0 && !worktree)
		g_string_append_printf(out, "git fetch origin %s\n", head);
	g_string_append(out, "firebreak check");
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(out, " -b %s", (const char *)names->pdata[i]);
	g_string_append_printf(out, " --base %s --head %s\n```\n\n</details>\n\n", base, head);
}

static void add_acceptance(TextBlocks *blocks, const Summary *summary)
{
	gboolean more;
	g_autoptr(GPtrArray) names = names_of(summary, TRUE, &more);
	if (names->len == 0)
		return;
	GString *out = text_blocks_add(blocks, DROP_STEPS, PART_FRAME);
	g_string_append(out,
	        "<details><summary>Accept it, if it is intentional</summary>\n\n"
	        "In the last paragraph of a commit message of this change, with your reason:\n\n```text\n");
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(out, "%s: %s: REASON\n", ACCEPTANCE_TRAILER, (const char *)names->pdata[i]);
	g_string_append(out, "```\n\nor in its `firebreak.yml`:\n\n```yaml\naccept:\n");
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(
		        out, "  - {benchmark: \"%s\", reason: \"REASON\"}\n", (const char *)names->pdata[i]);
	g_string_append_printf(
	        out, "```\n\n%s</details>\n\n", more ? "The other benchmarks have lines of their own.\n\n" : "");
}

void summary_steps_add(TextBlocks *blocks, const Summary *summary)
{
	if (summary->result->mode != CHECK_GATE)
		return;
	add_reproduction(blocks, summary);
	add_acceptance(blocks, summary);
}
