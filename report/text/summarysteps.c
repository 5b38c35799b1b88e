/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/summarysteps.h"

#include "compare/acceptance.h"
#include "report/words/nextsteps.h"

/* A clone has the commits of a branch, but not the one that a forge merged for the review. */
static void add_reproduction(TextBlocks *blocks, const Summary *summary)
{
	const char *head = summary->result->head.sha;
	g_autofree char *command = next_steps_command(summary->result, summary->rows);
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
