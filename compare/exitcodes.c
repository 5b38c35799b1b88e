/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/exitcodes.h"

#include "core/error.h"

guint exit_code_precedence(int exit_code)
{
	static const int order[] = {9, 2, 8, 7, 5, 4, 6, 1, 3, 0};
	if (exit_code > 128)
		return 0;
	for (guint i = 0; i < G_N_ELEMENTS(order); i++)
		if (order[i] == exit_code)
			return i + 2;
	return 1;
}

gboolean exit_code_is_error(int exit_code)
{
	return exit_code != 0 && exit_code != 1 && exit_code != 3;
}

int verdict_exit_code(Verdict verdict)
{
	static const int codes[] = {
	        [VERDICT_PASS] = 0,
	        [VERDICT_REGRESSION] = 1,
	        [VERDICT_INCONCLUSIVE] = 3,
	        [VERDICT_ERROR] = FIREBREAK_ERROR_INVALID,
	};
	return codes[verdict];
}

Verdict exit_code_verdict(int exit_code)
{
	switch (exit_code) {
	case 0:
		return VERDICT_PASS;
	case 1:
		return VERDICT_REGRESSION;
	case 3:
		return VERDICT_INCONCLUSIVE;
	default:
		return VERDICT_ERROR;
	}
}
