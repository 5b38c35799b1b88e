/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/measurementtext.h"

#include "baselines/manifest.h"
#include "baselines/stackmatrix.h"
#include "core/error.h"

MeasurementText *measurement_text_new(const Measurement *measurement)
{
	MeasurementText *text = g_new0(MeasurementText, 1);
	if (measurement->profile != NULL)
		text->stacks = stack_matrix_write(measurement->profile);
	text->manifest = manifest_write(measurement, text->stacks);
	return text;
}

static gboolean verify_stacks(const GString *stacks, const ManifestStacks *expected, GError **error)
{
	if (stacks == NULL) {
		g_set_error_literal(
		        error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "damaged: the stacks are missing");
		return FALSE;
	}
	g_autofree char *sha256 =
	        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)stacks->str, stacks->len);
	if (stacks->len == expected->size_bytes && g_str_equal(sha256, expected->sha256))
		return TRUE;
	g_set_error_literal(
	        error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "damaged: the stacks do not match their checksum");
	return FALSE;
}

/* `profile` is NULL where the manifest has none. */
static gboolean read_stacks(const GString *stacks, const ManifestStacks *expected, Profile *profile, GError **error)
{
	if (profile != NULL)
		return verify_stacks(stacks, expected, error) &&
		       stack_matrix_read(stacks, profile, expected->functions, error);
	if (stacks == NULL)
		return TRUE;
	g_set_error_literal(
	        error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "damaged: stacks without a profile in the manifest");
	return FALSE;
}

Measurement *measurement_text_read(const MeasurementText *text, StackTable *table, char **fingerprint, GError **error)
{
	g_auto(ManifestStacks) expected = {0};
	g_autofree char *found_fingerprint = NULL;
	g_autoptr(Measurement) measurement = manifest_read(text->manifest, table, &expected, &found_fingerprint, error);
	if (measurement == NULL)
		return NULL;
	if (!read_stacks(text->stacks, &expected, measurement->profile, error))
		return NULL;
	if (fingerprint != NULL)
		*fingerprint = g_steal_pointer(&found_fingerprint);
	return g_steal_pointer(&measurement);
}
