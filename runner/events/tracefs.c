/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/tracefs.h"

#include "core/error.h"
#include "core/nearestword.h"
#include "runner/events/eventpmu.h"

#include <string.h>
#include <unistd.h>

char *tracefs_folder(const char *root)
{
	static const char *const places[] = {"sys/kernel/tracing", "sys/kernel/debug/tracing"};
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		char *folder = g_build_filename(root, places[i], NULL);
		g_autofree char *events = g_build_filename(folder, "events", NULL);
		if (access(events, R_OK | X_OK) == 0)
			return folder;
		g_free(folder);
	}
	return NULL;
}

/* Lines of the list are: device, folder, type, ... */
static gboolean is_mounted(const char *root)
{
	g_autofree char *path = g_build_filename(root, "proc/self/mounts", NULL);
	g_autofree char *text = NULL;
	return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, " tracefs ") != NULL;
}

const char *tracefs_remedy(const char *root)
{
	if (is_mounted(root))
		return "it is mounted, but not for this user; run as root, or as root: mount -o remount,mode=755 "
		       "/sys/kernel/tracing";
	return "as root: mount -t tracefs nodev /sys/kernel/tracing";
}

/* uprobe_events has a line "p:group/name path:offset" for each, `r` for those at a return. */
static gboolean is_uprobe(const char *folder, const char *group, const char *name)
{
	g_autofree char *path = g_build_filename(folder, "uprobe_events", NULL);
	g_autofree char *text = NULL;
	g_autofree char *wanted = g_strdup_printf("%s/%s", group, name);
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return FALSE;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++) {
		const char *colon = strchr(lines[i], ':');
		if (colon != NULL && g_str_has_prefix(colon + 1, wanted) && colon[1 + strlen(wanted)] == ' ')
			return TRUE;
	}
	return FALSE;
}

static char *nearest_in(const char *folder, const char *word)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
		g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_add(names, NULL);
	return g_strdup(nearest_word(word, (const char *const *)(void *)names->pdata));
}

/* `folder` is that of the events. */
static gboolean unknown(const char *folder, const char *group, const char *name, GError **error)
{
	g_autofree char *group_folder = g_build_filename(folder, group, NULL);
	gboolean known_group = g_file_test(group_folder, G_FILE_TEST_IS_DIR);
	g_autofree char *near = known_group ? nearest_in(group_folder, name) : nearest_in(folder, group);
	g_autofree char *meant = near == NULL  ? g_strdup("")
	                         : known_group ? g_strdup_printf("; did you mean \"%s:%s\"?", group, near)
	                                       : g_strdup_printf("; did you mean \"%s:...\"?", near);
	g_set_error(
	        error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "unknown tracepoint \"%s:%s\"%s", group, name, meant);
	return FALSE;
}

gboolean tracepoint_find(const char *root, const char *group, const char *name, Tracepoint *found, GError **error)
{
	g_autofree char *folder = tracefs_folder(root);
	if (folder == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_ENVIRONMENT,
		        "cannot look up the tracepoint %s:%s: tracefs cannot be read; %s", group, name,
		        tracefs_remedy(root));
	g_autofree char *events = g_build_filename(folder, "events", NULL);
	g_autofree char *path = g_build_filename(events, group, name, "id", NULL);
	g_autofree char *text = NULL;
	char *end = NULL;
	if (!event_is_plain_name(group) || !event_is_plain_name(name) || !g_file_get_contents(path, &text, NULL, NULL))
		return unknown(events, group, name, error);
	found->id = g_ascii_strtoull(text, &end, 10);
	if (end == text)
		return unknown(events, group, name, error);
	found->in_user = is_uprobe(folder, group, name);
	return TRUE;
}
