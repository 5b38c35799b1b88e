/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/commitconfig.h"

gboolean commit_config_read(Repo *repo, const char *sha, Config **config, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	*config = NULL;
	if (!repo_read_file(repo, sha, CONFIG_FILE, &text, &length, error))
		return FALSE;
	if (text != NULL)
		*config = config_parse(text, length, CONFIG_FILE, error);
	return text == NULL || *config != NULL;
}
