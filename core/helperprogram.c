/* SPDX-License-Identifier: Apache-2.0 */
#include "core/helperprogram.h"

#include "core/error.h"

char *helper_program_path(const char *name, GError **error)
{
	static const char *const places[] = {".", "..", "../libexec/firebreak"};
	g_autofree char *self = g_file_read_link("/proc/self/exe", error);
	if (self == NULL)
		return NULL;
	g_autofree char *folder = g_path_get_dirname(self);
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *path = g_build_filename(folder, places[i], name, NULL);
		if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
			return g_steal_pointer(&path);
	}
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT,
	        "%s not found beside %s or in ../libexec/firebreak; install the whole package", name, self);
	return NULL;
}
