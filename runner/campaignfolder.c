#include "runner/campaignfolder.h"

#include "core/durable.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct CampaignFolder {
	char *path;
	int lock; /* -1 = nobody else knows the folder */
};

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

/* Opens and locks a folder as flock() does with `how`; -1 with errno. */
static int lock_folder(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	while (fd >= 0 && flock(fd, how) != 0) {
		int failed = errno;
		if (failed == EINTR)
			continue;
		close(fd);
		errno = failed;
		return -1;
	}
	return fd;
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
		leftover.lock = lock_folder(leftover.path, LOCK_EX | LOCK_NB);
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
	folder->lock = lock_folder(folder->path, LOCK_EX | LOCK_NB);
	return folder->lock >= 0 ||
	       firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot lock %s", folder->path);
}

/* Large trees are removed when the others need not wait any more. */
static gboolean make_among_others(CampaignFolder *folder, const char *cache_dir, GError **error)
{
	g_autofree char *campaigns = g_build_filename(cache_dir, "campaigns", NULL);
	if (!durable_make_dir(campaigns, error))
		return FALSE;
	int all = lock_folder(campaigns, LOCK_EX);
	if (all < 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot lock %s", campaigns);
	g_autoptr(GArray) leftovers = g_array_new(FALSE, FALSE, sizeof(Leftover));
	g_array_set_clear_func(leftovers, leftover_clear);
	find_leftovers(campaigns, leftovers);
	gboolean ok = make_and_lock(folder, campaigns, error);
	close(all);
	for (guint i = 0; i < leftovers->len; i++)
		durable_remove_tree(g_array_index(leftovers, Leftover, i).path, NULL);
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
	return folder->path != NULL ? g_steal_pointer(&folder) : NULL;
}

void campaign_folder_free(CampaignFolder *folder)
{
	if (folder == NULL)
		return;
	if (folder->path != NULL)
		durable_remove_tree(folder->path, NULL);
	if (folder->lock >= 0)
		close(folder->lock);
	g_free(folder->path);
	g_free(folder);
}

const char *campaign_folder_path(const CampaignFolder *folder)
{
	return folder->path;
}
