#include "runner/frameworks/frameworkoutput.h"

#include "core/regularfile.h"

#include <fcntl.h>
#include <math.h>

#define MAX_FILE_BYTES (16 * 1024 * 1024)

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

double framework_cases_ns(const GPtrArray *cases)
{
	double ns = 0;
	for (guint i = 0; i < cases->len; i++)
		ns += ((const FrameworkCase *)cases->pdata[i])->ns;
	return ns;
}

/* The folder is the program's own: there may be anything under that name. */
GString *framework_file(const char *path)
{
	g_autoptr(GString) content = regular_file_begin(path, O_NOFOLLOW, MAX_FILE_BYTES + 1);
	return content != NULL && content->len <= MAX_FILE_BYTES ? g_steal_pointer(&content) : NULL;
}
