/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/reviewlinks.h"

#include "model/textpiece.h"
#include "report/json/keptprofiles.h"
#include "report/words/nextsteps.h"

#include <string.h>

#define ADDRESS_MAX_BYTES 1000

void review_links_clear(ReviewLinks *links)
{
	g_clear_pointer(&links->repository, g_free);
	g_clear_pointer(&links->artifact, g_free);
	*links = (ReviewLinks){0};
}

/* Only characters that mean nothing in Markdown, also inside of the parentheses of a link: no blank, bracket, quote or
 * semicolon, which would end a character reference. */
static gboolean is_address(const char *text)
{
	static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-._~:/?#%@+,=&";
	gsize length = strnlen(text, ADDRESS_MAX_BYTES);
	const char *host = g_str_has_prefix(text, "https://")  ? text + strlen("https://")
	                   : g_str_has_prefix(text, "http://") ? text + strlen("http://")
	                                                       : NULL;
	return host != NULL && g_ascii_isalnum(*host) && length < ADDRESS_MAX_BYTES && strspn(text, plain) == length;
}

/* The address up to `separator`, and the number that is all there is after it; 0 = there is none. */
static guint64 split_number(const char *address, const char *separator, char **before)
{
	guint64 number = 0;
	const char *at = g_strrstr(address, separator);
	if (at == NULL || !g_ascii_string_to_unsigned(at + strlen(separator), 10, 1, G_MAXINT64, &number, NULL))
		return 0;
	*before = g_strndup(address, (gsize)(at - address));
	return number;
}

gboolean review_links_set_review(ReviewLinks *links, const char *address)
{
	static const char *const separators[] = {[FORGE_GITHUB] = "/pull/", [FORGE_GITLAB] = "/-/merge_requests/"};
	for (Forge forge = FORGE_GITHUB; forge <= FORGE_GITLAB; forge++) {
		g_autofree char *repository = NULL;
		guint64 number = split_number(address, separators[forge], &repository);
		if (number == 0 || !review_links_set_repository(links, forge, repository))
			continue;
		links->number = number;
		return TRUE;
	}
	return FALSE;
}

gboolean review_links_set_repository(ReviewLinks *links, Forge forge, const char *address)
{
	if (!is_address(address) || g_str_has_suffix(address, "/"))
		return FALSE;
	g_free(links->repository);
	links->repository = g_strdup(address);
	links->forge = forge;
	return TRUE;
}

gboolean review_links_set_artifact(ReviewLinks *links, const char *address)
{
	if (!is_address(address))
		return FALSE;
	g_free(links->artifact);
	links->artifact = g_strdup(address);
	return TRUE;
}

/* --- the line of a diff --- */

/* A line of a diff as both forges number it: the next line of either side. */
typedef struct {
	guint base, head;
	gboolean removed; /* it is of base only */
} DiffLine;

static gboolean is_changed(const ChangedLine *line)
{
	return !changed_line_is_gap(line) && line->kind != CHANGED_CONTEXT;
}

/* The first line of the hunk that the change adds or removes, from a line of head on. FALSE if its text is not known.
 */
static gboolean first_change(const ChangedHunk *hunk, guint from, DiffLine *found)
{
	guint base = hunk->place.base_first, head = hunk->place.head_first;
	for (guint i = 0; i < hunk->lines->len; i++) {
		const ChangedLine *line = &g_array_index(hunk->lines, ChangedLine, i);
		base = line->base_line != 0 ? line->base_line : base;
		head = line->head_line != 0 ? line->head_line : head;
		if (is_changed(line) && head >= from) {
			*found = (DiffLine){base, head, line->kind == CHANGED_REMOVED};
			return TRUE;
		}
		base += line->n_left_out + (line->base_line != 0);
		head += line->n_left_out + (line->head_line != 0);
	}
	return FALSE;
}

static const ChangedSource *changed_source(const CheckResult *result, const char *path)
{
	for (guint i = 0; result->changed != NULL && i < result->changed->files->len; i++) {
		const ChangedSource *file = result->changed->files->pdata[i];
		if (g_strcmp0(changed_source_path(file), path) == 0)
			return file;
	}
	return NULL;
}

/* An edit of the function that begins at that line: the first one from there on. */
static gboolean edit_of(const ChangedSource *file, guint line, DiffLine *found)
{
	const ChangedHunk *best = NULL;
	for (guint i = 0; file != NULL && i < file->hunks->len; i++) {
		const ChangedHunk *hunk = file->hunks->pdata[i];
		gboolean ends_before = hunk->place.head_first + hunk->place.head_lines <= line;
		if (!ends_before && (best == NULL || hunk->place.head_first < best->place.head_first))
			best = hunk;
	}
	return best != NULL && (first_change(best, line, found) || first_change(best, 0, found));
}

static char *github_diff(const ReviewLinks *links, const char *path, const DiffLine *line)
{
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, path, -1);
	GString *out = g_string_new(NULL);
	g_string_append_printf(
	        out, "%s/pull/%" G_GUINT64_FORMAT "/files#diff-%s", links->repository, links->number, hash);
	if (line != NULL)
		g_string_append_printf(out, "%c%u", line->removed ? 'L' : 'R', line->removed ? line->base : line->head);
	return g_string_free(out, FALSE);
}

static char *gitlab_diff(const ReviewLinks *links, const char *path, const DiffLine *line)
{
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA1, path, -1);
	GString *out = g_string_new(NULL);
	g_string_append_printf(
	        out, "%s/-/merge_requests/%" G_GUINT64_FORMAT "/diffs#%s", links->repository, links->number, hash);
	if (line != NULL)
		g_string_append_printf(out, "_%u_%u", line->base, line->head);
	return g_string_free(out, FALSE);
}

static char *link_to_diff(const ReviewLinks *links, const CheckResult *result, const SourcePlace *place)
{
	DiffLine line;
	gboolean known = edit_of(changed_source(result, place->path), place->line, &line);
	char *(*const links_of[])(const ReviewLinks *, const char *, const DiffLine *) = {
	        [FORGE_GITHUB] = github_diff, [FORGE_GITLAB] = gitlab_diff};
	return links_of[links->forge](links, place->path, known ? &line : NULL);
}

/* --- */

static char *link_to_head(const ReviewLinks *links, const CheckResult *result, const SourcePlace *place)
{
	if (!next_steps_is_commit(result->head.sha))
		return NULL;
	g_autofree char *path = g_uri_escape_string(place->path, "/", FALSE);
	return g_strdup_printf("%s/%sblob/%s/%s#L%u", links->repository, links->forge == FORGE_GITLAB ? "-/" : "",
	        result->head.sha, path, place->line);
}

char *review_link_to_place(const ReviewLinks *links, const CheckResult *result, const SourcePlace *place)
{
	if (links == NULL || links->forge == FORGE_NONE || place->path == NULL)
		return NULL;
	return place->edited && links->number > 0 ? link_to_diff(links, result, place)
	                                          : link_to_head(links, result, place);
}

char *review_link_to_file(const ReviewLinks *links, const char *file)
{
	if (links == NULL || links->artifact == NULL || !g_str_has_suffix(links->artifact, "/") ||
	        !kept_file_is_plain(file))
		return NULL;
	g_autofree char *escaped = g_uri_escape_string(file, NULL, FALSE);
	return g_strconcat(links->artifact, escaped, NULL);
}
