/* criterion: the files new/benchmark.json and new/sample.json of each case below CRITERION_HOME. */
#include "core/error.h"
#include "core/jsontext.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>

#define MAX_DEPTH 8

static json_t *load(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GString) text = framework_file(path);
	return text != NULL ? json_load_text(text->str, text->len, name, NULL) : NULL;
}

static double sum(const json_t *numbers)
{
	double all = 0;
	for (gsize i = 0; i < json_array_size(numbers); i++)
		all += json_number_value(json_array_get(numbers, i));
	return json_array_size(numbers) > 0 ? all : NAN;
}

/* The iterations of the warm-up are not in the file, so what is done in all is not known. */
static gboolean take_case(GPtrArray *cases, const char *folder, GError **error)
{
	json_auto_t *about = load(folder, "benchmark.json"), *sample = load(folder, "sample.json");
	const char *name = json_string_value(json_object_get(about, "full_id"));
	double iterations = sum(json_object_get(sample, "iters")), ns = sum(json_object_get(sample, "times"));
	if (name == NULL || !(iterations >= 1) || !(ns >= 0))
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "a result file of criterion has no name, no iterations or no times");
	FrameworkCase *one = framework_cases_get(cases, name);
	if (one == NULL)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_INVALID, "it ran more than %d cases", FRAMEWORK_MAX_CASES);
	framework_case_add(one, NAN, ns / iterations);
	return TRUE;
}

static gboolean is_folder(const char *path)
{
	return g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK);
}

/* Groups and parameters are folders in folders, to a fixed depth. */
static gboolean search(GPtrArray *cases, const char *folder, guint depth, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	gboolean ok = TRUE;
	while (ok && dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		if (!is_folder(path))
			continue;
		if (g_str_equal(name, "new"))
			ok = take_case(cases, path, error);
		else if (depth < MAX_DEPTH)
			ok = search(cases, path, depth + 1, error);
	}
	return ok;
}

GPtrArray *criterion_output_read(const char *folder, GError **error)
{
	g_autoptr(GPtrArray) cases = framework_cases_new();
	return search(cases, folder, 0, error) ? g_steal_pointer(&cases) : NULL;
}
