/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/summarysteps.h"

#include "compare/acceptance.h"
#include "report/text/markdowntext.h"
#include "report/words/nextsteps.h"

#define DECIDED_SHOWN 5

/* A first change needs nobody to do anything, which has to be said. */
static void add_first(GString *out, const Summary *summary)
{
	guint n = 0;
	for (guint i = 0; i < summary->n_look; i++)
		n += g_array_index(summary->rows, StandingRow, i).standing == STANDING_NEW;
	if (n > 0)
		g_string_append_printf(out,
		        "- nothing to do for what is new: once this change is merged, later ones are compared with "
		        "%s\n",
		        n == 1 ? "it" : "them");
}

void summary_decide_add(TextBlocks *blocks, const Summary *summary)
{
	if (summary->result->mode != CHECK_GATE)
		return;
	GString *out = text_blocks_add(blocks, DROP_STEPS, PART_FRAME);
	const char *merge = next_steps_merge(summary->result);
	guint n = 0;
	if (merge != NULL)
		g_string_append_printf(out, "- may it be merged: %s\n", merge);
	for (guint i = 0; i < summary->n_look && n < DECIDED_SHOWN; i++) {
		const StandingRow *row = &g_array_index(summary->rows, StandingRow, i);
		g_autofree char *step = next_steps_decide(row);
		if (step == NULL)
			continue;
		n++;
		g_string_append(out, "- to decide ");
		markdown_code(out, row->benchmark->name);
		g_string_append_printf(out, ": %s\n", step);
	}
	add_first(out, summary);
	if (out->len > 0)
		g_string_append_c(out, '\n');
}

/* A clone has the commits of a branch, but not the one that a forge merged for the review. */
static void add_reproduction(TextBlocks *blocks, const Summary *summary)
{
	const char *head = summary->result->head.sha;
	g_autofree char *command = next_steps_command(summary->result, summary->rows, 0);
	if (command == NULL)
		return;
	GString *out = text_blocks_add(blocks, DROP_STEPS, PART_FRAME);
	g_string_append(out, "<details><summary>Reproduce it locally</summary>\n\n```sh\n");
	if (summary->links != NULL && summary->links->number > 0 && !g_str_equal(head, "worktree"))
		g_string_append_printf(out, "git fetch origin %s\n", head);
	g_string_append_printf(out, "%s\n```\n\n</details>\n\n", command);
}

static void add_acceptance(TextBlocks *blocks, const Summary *summary)
{
	gboolean more;
	g_autoptr(GPtrArray) names = next_steps_names(summary->rows, TRUE, &more);
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
	g_string_append_printf(out,
	        "```\n\n%sTo allow as much from now on, raise its `margin` in `firebreak.yml` by a change of its "
	        "own.\n\n"
	        "</details>\n\n",
	        more ? "The other benchmarks have lines of their own.\n\n" : "");
}

void summary_steps_add(TextBlocks *blocks, const Summary *summary)
{
	if (summary->result->mode != CHECK_GATE)
		return;
	add_reproduction(blocks, summary);
	add_acceptance(blocks, summary);
}
