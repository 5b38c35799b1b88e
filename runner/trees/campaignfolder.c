/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/campaignfolder.h"

#include "core/durable.h"
#include "core/error.h"
#include "runner/trees/arena.h"
#include "runner/trees/openlocked.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET_NAME 60 /* characters that are left for the name of a socket below TMPDIR */
#define SHORT_PREFIX "fb-"
#define SHORT_LETTERS 6
#define SHORT_TRIES 16

struct CampaignFolder {
	char *path, *short_path;
	int lock; /* -1 = nobody else knows the folder */
};

/* --- the second folder --- */

static char *link_to_short(const char *campaign)
{
	return g_build_filename(campaign, "tmp", NULL);
}

/* The path of a socket has at most 107 characters (unix(7)), and a benchmark makes its sockets below TMPDIR. */
static gboolean is_short(const char *tmp)
{
	const gsize most = sizeof((struct sockaddr_un *)0)->sun_path - sizeof "" - SOCKET_NAME - strlen("/") -
	                   CAMPAIGN_SHORT_NAME - strlen("/" SHORT_PREFIX "/") - SHORT_LETTERS;
	return g_path_is_absolute(tmp) && strlen(tmp) <= most;
}

static const char *short_tmp(void)
{
	const char *tmp = g_get_tmp_dir();
	return is_short(tmp) && g_access(tmp, W_OK | X_OK) == 0 ? tmp : "/tmp";
}

/* The link is there first: no moment leaves a folder that nobody finds. */
static char *try_short(const char *link)
{
	g_autofree char *random = arena_random_name();
	g_autofree char *path = g_strdup_printf("%s/" SHORT_PREFIX "%.*s", short_tmp(), SHORT_LETTERS, random);
	if (symlink(path, link) == 0 && g_mkdir(path, 0700) == 0)
		return g_steal_pointer(&path);
	g_unlink(link);
	return NULL;
}

static void make_short(CampaignFolder *folder)
{
	g_autofree char *link = link_to_short(folder->path);
	for (int i = 0; i < SHORT_TRIES && folder->short_path == NULL; i++)
		folder->short_path = try_short(link);
}

static gboolean is_name_of_short(const char *name)
{
	return g_str_has_prefix(name, SHORT_PREFIX) &&
	       strspn(name + strlen(SHORT_PREFIX), "abcdefghijklmnopqrstuvwxyz0123456789") == SHORT_LETTERS &&
	       strlen(name) == strlen(SHORT_PREFIX) + SHORT_LETTERS;
}

/* Removes the folder that the link names. A benchmark may have written the link, so nothing is removed but a folder of
 * this user with such a name. */
static void remove_short_of(const char *campaign)
{
	char path[PATH_MAX];
	g_autofree char *link = link_to_short(campaign);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0)
		return;
	path[length] = '\0';
	struct stat info;
	g_autofree char *name = g_path_get_basename(path);
	if (g_path_is_absolute(path) && is_name_of_short(name) && lstat(path, &info) == 0 && S_ISDIR(info.st_mode) &&
	        info.st_uid == geteuid())
		durable_remove_tree(path, NULL);
}

/* One that a killed check left, locked by now. */
typedef struct {
	char *path;
	int lock;
} Leftover;

static void leftover_clear(gpointer data)
{
	Leftover *leftover = data;
	close(leftover->lock);
	g_free(leftover->path);
}

/* <digits>-XXXXXX */
static gboolean is_name_of_campaign(const char *name)
{
	gsize digits = strspn(name, "0123456789");
	return digits > 0 && name[digits] == '-';
}

/* Appends and locks those that nobody else has locked. */
static void find_leftovers(const char *campaigns, GArray *leftovers)
{
	g_autoptr(GDir) dir = g_dir_open(campaigns, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		if (!is_name_of_campaign(name))
			continue;
		Leftover leftover = {.path = g_build_filename(campaigns, name, NULL)};
		leftover.lock = open_locked(leftover.path, O_RDONLY | O_DIRECTORY, LOCK_EX | LOCK_NB);
		if (leftover.lock >= 0)
			g_array_append_val(leftovers, leftover);
		else
			g_free(leftover.path);
	}
}

static gboolean make_and_lock(CampaignFolder *folder, const char *campaigns, GError **error)
{
	g_autofree char *path = g_strdup_printf("%s/%07d-XXXXXX", campaigns, (int)getpid());
	if (g_mkdtemp(path) == NULL)
		return firebreak_set_errno(
		        error, FIREBREAK_ERROR_STORAGE, errno, "cannot make a folder in %s", campaigns);
	folder->path = g_steal_pointer(&path);
	folder->lock = open_locked(folder->path, O_RDONLY | O_DIRECTORY, LOCK_EX | LOCK_NB);
	return folder->lock >= 0 ||
	       firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot lock %s", folder->path);
}

/* Large trees are removed when the others need not wait any more. */
static gboolean make_among_others(CampaignFolder *folder, const char *cache_dir, GError **error)
{
	g_autofree char *campaigns = g_build_filename(cache_dir, "campaigns", NULL);
	if (!durable_make_dir(campaigns, error))
		return FALSE;
	int all = open_locked(campaigns, O_RDONLY | O_DIRECTORY, LOCK_EX);
	if (all < 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot lock %s", campaigns);
	g_autoptr(GArray) leftovers = g_array_new(FALSE, FALSE, sizeof(Leftover));
	g_array_set_clear_func(leftovers, leftover_clear);
	find_leftovers(campaigns, leftovers);
	gboolean ok = make_and_lock(folder, campaigns, error);
	close(all);
	for (guint i = 0; i < leftovers->len; i++) {
		const char *left = g_array_index(leftovers, Leftover, i).path;
		remove_short_of(left);
		durable_remove_tree(left, NULL);
	}
	return ok;
}

CampaignFolder *campaign_folder_new(const char *cache_dir, GError **error)
{
	g_autoptr(CampaignFolder) folder = g_new0(CampaignFolder, 1);
	folder->lock = -1;
	if (cache_dir == NULL)
		folder->path = g_dir_make_tmp("firebreak-XXXXXX", error);
	else if (!make_among_others(folder, cache_dir, error))
		return NULL;
	if (folder->path == NULL)
		return NULL;
	make_short(folder);
	return g_steal_pointer(&folder);
}

void campaign_folder_free(CampaignFolder *folder)
{
	if (folder == NULL)
		return;
	if (folder->short_path != NULL)
		durable_remove_tree(folder->short_path, NULL);
	if (folder->path != NULL)
		durable_remove_tree(folder->path, NULL);
	if (folder->lock >= 0)
		close(folder->lock);
	g_free(folder->path);
	g_free(folder->short_path);
	g_free(folder);
}

const char *campaign_folder_path(const CampaignFolder *folder)
{
	return folder->path;
}

const char *campaign_folder_short(const CampaignFolder *folder)
{
	return folder->short_path;
}
