#include "runner/frameworks/frameworkoutput.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE_BYTES (16 * 1024 * 1024)
#define PIECE_BYTES 65536

static void case_free(gpointer data)
{
	FrameworkCase *one = data;
	g_free(one->name);
	g_free(one);
}

GPtrArray *framework_cases_new(void)
{
	return g_ptr_array_new_with_free_func(case_free);
}

FrameworkCase *framework_cases_get(GPtrArray *cases, const char *name)
{
	for (guint i = 0; i < cases->len; i++) {
		FrameworkCase *one = cases->pdata[i];
		if (g_str_equal(one->name, name))
			return one;
	}
	if (cases->len >= FRAMEWORK_MAX_CASES)
		return NULL;
	FrameworkCase *one = g_new0(FrameworkCase, 1);
	one->name = g_strdup(name);
	one->reported = one->items_per_s = one->bytes_per_s = one->allocated_bytes = one->allocations = NAN;
	g_ptr_array_add(cases, one);
	return one;
}

void framework_case_add(FrameworkCase *one, double iterations, double ns)
{
	/* repetitions of one case that did different amounts of work are none that could be asked for */
	one->reported = one->repetitions > 0 && one->reported != iterations ? NAN : iterations;
	one->iterations += iterations;
	one->ns = (one->ns * one->repetitions + ns) / (one->repetitions + 1);
	one->repetitions++;
}

/* The folder is the program's own: there may be anything under that name. */
GString *framework_file(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	g_autoptr(GString) content = g_string_new(NULL);
	g_autofree char *piece = g_malloc(PIECE_BYTES);
	gssize got = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? 1 : -1;
	while (got > 0 && content->len <= MAX_FILE_BYTES) {
		got = read(fd, piece, PIECE_BYTES);
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			g_string_append_len(content, piece, got);
	}
	close(fd);
	return got == 0 ? g_steal_pointer(&content) : NULL;
}
