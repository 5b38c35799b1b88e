/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/reviewjob.h"

#include <string.h>

static gboolean is_true(const char *value)
{
	return g_strcmp0(value, "true") == 0;
}

/* "refs/pull/12/merge"; 0 of any other ref. */
static guint64 pull_number(const char *ref)
{
	guint64 number = 0;
	if (ref == NULL || !g_str_has_prefix(ref, "refs/pull/") || !g_str_has_suffix(ref, "/merge"))
		return 0;
	gsize begin = strlen("refs/pull/"), end = strlen(ref) - strlen("/merge");
	g_autofree char *digits = g_strndup(ref + begin, end > begin ? end - begin : 0);
	return g_ascii_string_to_unsigned(digits, 10, 1, G_MAXINT64, &number, NULL) ? number : 0;
}

static void read_github(ReviewLinks *links, ReviewVariable variable)
{
	const char *server = variable("GITHUB_SERVER_URL"), *name = variable("GITHUB_REPOSITORY");
	if (server == NULL || name == NULL)
		return;
	g_autofree char *repository = g_strconcat(server, "/", name, NULL);
	if (review_links_set_repository(links, FORGE_GITHUB, repository))
		links->number = pull_number(variable("GITHUB_REF"));
}

/* The project of a merge request is the one that it goes to; the job may run in a fork. */
static void read_gitlab(ReviewLinks *links, ReviewVariable variable)
{
	const char *target = variable("CI_MERGE_REQUEST_PROJECT_URL"), *own = variable("CI_PROJECT_URL");
	const char *iid = variable("CI_MERGE_REQUEST_IID");
	guint64 number = 0;
	if (target == NULL && own == NULL)
		return;
	if (!review_links_set_repository(links, FORGE_GITLAB, target != NULL ? target : own))
		return;
	if (target != NULL && iid != NULL && g_ascii_string_to_unsigned(iid, 10, 1, G_MAXINT64, &number, NULL))
		links->number = number;
}

void review_job_read(ReviewLinks *links, ReviewVariable variable)
{
	if (is_true(variable("GITHUB_ACTIONS")))
		read_github(links, variable);
	else if (is_true(variable("GITLAB_CI")))
		read_gitlab(links, variable);
}
