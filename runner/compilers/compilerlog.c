/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/compilers/compilerlog.h"

#include "core/regularfile.h"
#include "core/writeall.h"
#include "runner/compilers/compilerflags.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES (4 << 20)
#define MAX_COMPILERS 100

void compiler_log_append(const char *file, const char *name, const char *program)
{
	g_autofree char *line = g_strdup_printf("%s\t%s\n", name, program);
	int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	/* calls write at the same time, and one write is one line; one that fails is not in the report */
	gboolean logged = fd >= 0 && write_all(fd, line, strlen(line));
	(void)logged;
	if (fd >= 0)
		close(fd);
}

static UsedCompiler *find(const GPtrArray *compilers, const char *name, const char *program)
{
	for (guint i = 0; i < compilers->len; i++) {
		UsedCompiler *compiler = compilers->pdata[i];
		if (g_str_equal(compiler->name, name) && g_str_equal(compiler->program, program))
			return compiler;
	}
	return NULL;
}

static void take_line(GPtrArray *compilers, const char *line)
{
	g_auto(GStrv) parts = g_strsplit(line, "\t", -1);
	if (g_strv_length(parts) != 2 || compiler_kind(parts[0]) == COMPILER_NONE || !g_path_is_absolute(parts[1]) ||
	        !g_utf8_validate(line, -1, NULL))
		return;
	UsedCompiler *compiler = find(compilers, parts[0], parts[1]);
	if (compiler == NULL && compilers->len < MAX_COMPILERS) {
		compiler = g_new0(UsedCompiler, 1);
		compiler->name = g_strdup(parts[0]);
		compiler->program = g_strdup(parts[1]);
		g_ptr_array_add(compilers, compiler);
	}
	if (compiler != NULL)
		compiler->calls++;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	const UsedCompiler *one = *(UsedCompiler *const *)a, *other = *(UsedCompiler *const *)b;
	int order = strcmp(one->name, other->name);
	return order != 0 ? order : strcmp(one->program, other->program);
}

GPtrArray *compiler_log_read(const char *file)
{
	GPtrArray *compilers = used_compilers_new();
	g_autoptr(GString) text = regular_file_begin(file, O_NOFOLLOW, MAX_BYTES);
	if (text == NULL)
		return compilers;
	g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		take_line(compilers, *line);
	g_ptr_array_sort(compilers, by_name);
	return compilers;
}
