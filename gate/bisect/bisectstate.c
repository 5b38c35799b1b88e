/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/bisect/bisectstate.h"

#include "core/durable.h"
#include "core/error.h"
#include "report/json/bisectjson.h"

#include <string.h>

static void hash_text(GChecksum *hash, const char *text)
{
	/* with its NUL, so that texts do not run into each other; a missing text is no empty one */
	g_checksum_update(hash, (const guchar *)(text != NULL ? "1" : "0"), 1);
	if (text != NULL)
		g_checksum_update(hash, (const guchar *)text, (gssize)strlen(text) + 1);
}

char *bisect_state_path(Repo *repo, const BisectLog *question)
{
	g_autoptr(GChecksum) hash = g_checksum_new(G_CHECKSUM_SHA256);
	hash_text(hash, question->good);
	hash_text(hash, question->bad);
	hash_text(hash, question->benchmark);
	hash_text(hash, question->asked_metric);
	hash_text(hash, question->asked_function);
	hash_text(hash, question->first_parent ? "first parent" : "");
	g_autofree char *name = g_strdup_printf("bisect-%.16s.json", g_checksum_get_string(hash));
	return g_build_filename(repo_path_commondir(repo), "firebreak", name, NULL);
}

static gboolean is_same_question(const BisectLog *a, const BisectLog *b)
{
	return g_str_equal(a->good, b->good) && g_str_equal(a->bad, b->bad) &&
	       g_str_equal(a->benchmark, b->benchmark) && g_strcmp0(a->asked_metric, b->asked_metric) == 0 &&
	       g_strcmp0(a->asked_function, b->asked_function) == 0 && a->first_parent == b->first_parent &&
	       a->n_commits == b->n_commits;
}

gboolean bisect_state_load(const char *path, const BisectLog *question, BisectLog **log, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	*log = NULL;
	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return TRUE;
	if (!g_file_get_contents(path, &text, &length, error))
		return FALSE;
	g_autoptr(BisectLog) kept = bisect_json_read(text, length, path, error);
	if (kept == NULL) {
		g_prefix_error(error, "the state of this bisection cannot be read (--restart begins again): ");
		return FALSE;
	}
	if (!is_same_question(kept, question))
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_STORAGE, "%s belongs to another bisection; --restart forgets it", path);
	*log = g_steal_pointer(&kept);
	return TRUE;
}

gboolean bisect_state_save(const char *path, const BisectLog *log, GError **error)
{
	gsize length = 0;
	g_autofree char *text = bisect_json(log, &length), *folder = g_path_get_dirname(path);
	return durable_make_dir(folder, error) && durable_write_file(path, text, (gssize)length, error);
}
