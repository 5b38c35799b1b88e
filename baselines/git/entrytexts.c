/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/entrytexts.h"

void measurement_text_free(MeasurementText *text)
{
	if (text == NULL)
		return;
	if (text->manifest != NULL)
		g_string_free(text->manifest, TRUE);
	if (text->stacks != NULL)
		g_string_free(text->stacks, TRUE);
	g_free(text);
}
