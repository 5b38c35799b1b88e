/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/processtree.h"

#include <stdio.h>
#include <string.h>

void process_children(pid_t pid, const char *tid, guint most, GArray *pids)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task/%s/children", (int)pid, tid), *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	for (char **word = words; *word != NULL; word++) {
		pid_t child = (pid_t)g_ascii_strtoll(*word, NULL, 10);
		if (child > 0 && pids->len < most)
			g_array_append_val(pids, child);
	}
}

GArray *process_tree(pid_t root, guint most)
{
	GArray *pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
	g_array_append_val(pids, root);
	for (guint i = 0; i < pids->len; i++) {
		pid_t pid = g_array_index(pids, pid_t, i);
		g_autofree char *path = g_strdup_printf("/proc/%d/task", (int)pid);
		g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
		const char *tid;
		for (guint n = 0; dir != NULL && n < most && (tid = g_dir_read_name(dir)) != NULL; n++)
			process_children(pid, tid, most, pids);
	}
	return pids;
}

pid_t process_parent(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)pid), *text = NULL;
	int parent = 0;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	/* the name may hold anything, but no later field a bracket */
	const char *at = strrchr(text, ')');
	return at != NULL && sscanf(at + 1, " %*c %d", &parent) == 1 ? (pid_t)parent : 0;
}
