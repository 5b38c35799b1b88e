/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"

#define EXIT_CODE_BITS 0xff

GQuark firebreak_error_quark(void)
{
	return g_quark_from_static_string("firebreak-error-quark");
}

int firebreak_error_exit_code(const GError *error)
{
	return error->domain == FIREBREAK_ERROR ? error->code & EXIT_CODE_BITS : FIREBREAK_ERROR_STORAGE;
}

gboolean firebreak_set_errno(GError **error, FirebreakError code, int errno_value, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, FIREBREAK_ERROR, (int)code, "%s: %s", what, g_strerror(errno_value));
	return FALSE;
}

gboolean firebreak_refuse(GError **error, FirebreakError code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, FIREBREAK_ERROR, code, text);
	return FALSE;
}
