/* SPDX-License-Identifier: Apache-2.0 */
/* Links from a text into the review that it is for: the pull request of GitHub or merge request of GitLab, its diff,
 * the files at its head, and the output folder that the job keeps. What is not known has no link.
 *
 *     GitHub   https://HOST/OWNER/REPO/pull/12              /files#diff-<SHA-256 of the path>R<line of head>
 *     GitLab   https://HOST/GROUP/PROJECT/-/merge_requests/12   /diffs#<SHA-1 of the path>_<base line>_<head line>
 *
 * Addresses come from the job, and are checked; paths are foreign text, and are in no address but as a hash or escaped.
 */
#pragma once

#include "compare/result.h"
#include "report/words/sourceplace.h"

typedef enum { FORGE_NONE, FORGE_GITHUB, FORGE_GITLAB } Forge;

typedef struct {
	Forge forge;
	char *repository; /* "https://github.com/owner/repo"; NULL = not known */
	guint64 number;   /* of the pull or merge request; 0 = there is none */
	char *artifact;   /* where the output folder is: an address that ends with `/` is that of the folder, any other
	                   * is of a page or archive with all of them; NULL = not known */
} ReviewLinks;

/* Frees what it points to. */
void review_links_clear(ReviewLinks *links);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ReviewLinks, review_links_clear)

/* Reads the address of a pull or merge request into forge, repository and number. FALSE, and nothing is set, if it is
 * neither. */
gboolean review_links_set_review(ReviewLinks *links, const char *address);
/* Takes a copy of the address of a repository. FALSE if it is none. */
gboolean review_links_set_repository(ReviewLinks *links, Forge forge, const char *address);
/* Takes a copy of the address of the output folder. FALSE if it is none. */
gboolean review_links_set_artifact(ReviewLinks *links, const char *address);

/* The address of a place of the code: in the diff if the change edits it, else in the file at head's commit. NULL if it
 * is not known. `links` may be NULL. Owned by the caller. */
char *review_link_to_place(const ReviewLinks *links, const CheckResult *result, const SourcePlace *place);
/* The address of a file of the output folder; NULL if only a page or archive with all of them is known, or nothing.
 * `links` may be NULL. Owned by the caller. */
char *review_link_to_file(const ReviewLinks *links, const char *file);
