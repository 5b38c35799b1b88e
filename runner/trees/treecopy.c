/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treecopy.h"

#include "core/child.h"
#include "core/error.h"
#include "runner/trees/hostenv.h"

#define COPY_TIMEOUT_MS (10 * 60 * 1000)

gboolean tree_copy(const char *from, const char *to, GError **error)
{
	g_auto(GStrv) environment = benchmark_environment("/nonexistent", NULL, 0);
	const char *argv[] = {"cp", "-a", "--reflink=auto", "--", from, to, NULL};
	ChildSpec spec = {
	        .argv = argv, .envp = (const char *const *)environment, .cwd = "/", .timeout_ms = COPY_TIMEOUT_MS};
	g_autoptr(Child) child = child_run(&spec, error);
	if (child == NULL)
		return FALSE;
	g_autofree char *failure = child_describe_failure(child_result(child));
	if (failure == NULL)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "cannot copy %s to %s: cp %s: %s", from, to,
	        failure, child_result(child)->err->str);
	return FALSE;
}
