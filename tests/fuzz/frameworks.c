/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of benchmark frameworks. The first byte chooses the framework; google-benchmark has its file before a NUL,
 * and its log after it. */
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static GPtrArray *parse(uint8_t kind, const char *text, gsize length, GError **error)
{
	const char *log = strlen(text) < length ? text + strlen(text) + 1 : "";
	switch (kind % 5) {
	case 0:
		return google_output_parse(text, strlen(text), log, error);
	case 1:
		return go_output_parse(text, error);
	case 2:
		return catch2_output_parse(text, NULL, error);
	case 3:
		return libtest_output_parse(text, error);
	default:
		return nanobench_output_parse(text, error);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	g_autoptr(GError) error = NULL;
	g_autofree char *text = g_strndup((const char *)data + 1, size - 1);
	memcpy(text, data + 1, size - 1);
	g_autoptr(GPtrArray) cases = parse(data[0], text, size - 1, &error);
	g_assert((cases == NULL) == (error != NULL));
	for (guint i = 0; cases != NULL && i < cases->len; i++) {
		const FrameworkCase *one = cases->pdata[i];
		g_assert(one->ns >= 0 && one->ns <= FRAMEWORK_MAX_NS && one->repetitions >= 1);
		g_assert(isnan(one->iterations) || one->iterations >= 0);
		g_assert(isnan(one->bytes_per_s) || isfinite(one->bytes_per_s));
	}
	return 0;
}
