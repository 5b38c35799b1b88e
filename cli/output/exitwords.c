/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/exitwords.h"

#include <glib.h>

const char *exit_code_meaning(int exit_code)
{
	static const char *const meanings[] = {
	        NULL,
	        "regression",
	        "usage or configuration error",
	        "inconclusive",
	        "measurement invalid",
	        "base or head does not build",
	        "no usable baseline",
	        "storage or output error",
	        "environment unsupported",
	        "policy violation",
	};
	return exit_code >= 0 && (guint)exit_code < G_N_ELEMENTS(meanings) ? meanings[exit_code] : NULL;
}
