/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/dotenv.h"

#include "compare/measured.h"
#include "core/escape.h"
#include "report/words/headline.h"
#include "report/words/wording.h"

/* As much of the headline as fits. */
static char *fitting_headline(const CheckResult *result)
{
	g_autofree char *headline = headline_text(result);
	for (gsize chars = DOTENV_HEADLINE_MAX_BYTES;; chars = chars * 3 / 4) {
		g_autofree char *shortened = wording_shorten_words(headline, chars);
		g_autofree char *escaped = escape_to_string(escape_dotenv, shortened);
		if (strlen(escaped) <= DOTENV_HEADLINE_MAX_BYTES)
			return g_steal_pointer(&escaped);
	}
}

char *dotenv_text(const CheckResult *result, gsize *length)
{
	g_autofree char *headline = fitting_headline(result);
	char *text = g_strdup_printf("FIREBREAK_VERDICT=%s\n"
	                             "FIREBREAK_EXIT_CODE=%d\n"
	                             "FIREBREAK_MEASURED=%s\n"
	                             "FIREBREAK_HEADLINE=%s\n",
	        verdict_name(result->verdict), result->exit_code, result_is_measured(result) ? "true" : "false",
	        headline);
	if (length != NULL)
		*length = strlen(text);
	return text;
}
