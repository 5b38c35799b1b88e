/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/privileges.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Messages of programs that lack their privileges, with the program that prints each. */
static const struct {
	const char *text, *program;
} known_messages[] = {
        {"no new privileges", "sudo"},
        {"effective uid is not 0", "sudo"},
        {"must be setuid root", "a setuid program"},
        {"not installed setuid", "doas"},
        {"snap-confine", "snap-confine"},
        {"newuidmap", "newuidmap"},
        {"ping: socket: Operation not permitted", "ping"},
        {"ping: socktype: SOCK_RAW", "ping"},
};

static const char *program_in_output(const ChildResult *result)
{
	for (gsize i = 0; i < G_N_ELEMENTS(known_messages); i++)
		if (strstr(result->err->str, known_messages[i].text) != NULL ||
		        strstr(result->out->str, known_messages[i].text) != NULL)
			return known_messages[i].program;
	return NULL;
}

char *privileges_hint(const ChildResult *result, const char *program, const char *what)
{
	const char *who = program[0] != '\0' ? program : program_in_output(result);
	if (who == NULL)
		return NULL;
	return g_strdup_printf(
	        "%s gains no privileges here: if it needs them, set `privileges: allow` for %s in firebreak.yml", who,
	        what);
}

gboolean privileges_of_file(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return FALSE;
	gboolean as_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid();
	gboolean as_group = (status.st_mode & S_ISGID) != 0 && status.st_gid != getegid();
	return as_user || as_group || (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}
