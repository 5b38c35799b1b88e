/* SPDX-License-Identifier: Apache-2.0 */
/* criterion: the files new/benchmark.json and new/sample.json of each case below CRITERION_HOME. */
#include "core/error.h"
#include "core/jsontext.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>

#define MAX_DEPTH 8
#define MAX_FOLDERS (8 * FRAMEWORK_MAX_CASES)
#define MAX_BYTES (64 * 1024 * 1024)

/* The cases that are read, and how much there was to read. */
typedef struct {
	GPtrArray *cases;
	guint folders;
	gsize bytes;
} Search;

static json_t *load(Search *search, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GString) text = framework_file(path);
	search->bytes += text != NULL ? text->len : 0;
	return text != NULL ? json_load_text(text->str, text->len, name, NULL) : NULL;
}

/* NaN if one of them is no number, or below 0. */
static double sum(const json_t *numbers)
{
	double all = 0;
	for (gsize i = 0; i < json_array_size(numbers); i++) {
		const json_t *one = json_array_get(numbers, i);
		all += json_is_number(one) && json_number_value(one) >= 0 ? json_number_value(one) : NAN;
	}
	return json_array_size(numbers) > 0 ? all : NAN;
}

/* The iterations of the warm-up are not in the file, so what is done in all is not known. */
static gboolean take_case(Search *search, const char *folder, GError **error)
{
	json_auto_t *about = load(search, folder, "benchmark.json"), *sample = load(search, folder, "sample.json");
	const char *name = json_string_value(json_object_get(about, "full_id"));
	double iterations = sum(json_object_get(sample, "iters")), ns = sum(json_object_get(sample, "times"));
	if (name == NULL || isnan(iterations) || isnan(ns))
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "a result file of criterion has no name, no iterations or no times");
	FrameworkCase *one = framework_cases_get(search->cases, name);
	if (one == NULL)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_INVALID, "it ran more than %d cases", FRAMEWORK_MAX_CASES);
	return (iterations >= 1 && iterations <= FRAMEWORK_MAX_ITERATIONS &&
	               framework_case_add(one, NAN, ns / iterations)) ||
	       firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	               "reports an impossible result for %s: %.17g ns for %.17g iterations", name, ns, iterations);
}

static gboolean is_folder(const char *path)
{
	return g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK);
}

/* Groups and parameters are folders in folders, to a fixed depth. */
static gboolean search_folder(Search *search, const char *folder, guint depth, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	gboolean ok = TRUE;
	while (ok && dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		if (!is_folder(path))
			continue;
		if (++search->folders > MAX_FOLDERS || search->bytes > MAX_BYTES)
			return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
			        "left more than %d folders or %d MiB of results of criterion", MAX_FOLDERS,
			        MAX_BYTES >> 20);
		if (g_str_equal(name, "new"))
			ok = take_case(search, path, error);
		else if (depth < MAX_DEPTH)
			ok = search_folder(search, path, depth + 1, error);
	}
	return ok;
}

GPtrArray *criterion_output_read(const char *folder, GError **error)
{
	g_autoptr(GPtrArray) cases = framework_cases_new();
	Search search = {.cases = cases};
	return search_folder(&search, folder, 0, error) ? g_steal_pointer(&cases) : NULL;
}
