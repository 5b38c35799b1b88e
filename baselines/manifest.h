/* SPDX-License-Identifier: Apache-2.0 */
/* The stored form of a measurement but for its stacks: one sealed JSON object ("firebreak-baseline/1").
 *
 * Numbers come back exactly: reals have 17 significant digits, NaN (not measured) is null. Texts are those of
 * core/jsontext.h, which keeps bytes that are not UTF-8. Members that are not known are skipped on reading. */
#pragma once

#include "model/measurement.h"

/* The facts that the manifest notes of the stacks that belong to it. */
typedef struct {
	char sha256[65]; /* of the matrix, "" if the measurement has no profile */
	guint64 size_bytes;
	GArray *functions; /* of FrameId: those that the manifest lists, by which stackmatrix.h reads names */
} ManifestStacks;

void manifest_stacks_clear(ManifestStacks *stacks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ManifestStacks, manifest_stacks_clear)

/* The manifest of a measurement whose matrix is `stacks` (NULL if it has no profile); owned by the caller. The same
 * measurement gives the same bytes. */
GString *manifest_write(const Measurement *measurement, const GString *stacks);

/* Reads a manifest. The profile of the result has its runs but no costs yet; its functions are interned in `table`.
 * *stacks (cleared by the caller) and *fingerprint (owned by the caller) may be NULL; they are set on success only.
 * Errors: FIREBREAK_ERROR_BASELINE. */
Measurement *manifest_read(
        const GString *text, StackTable *table, ManifestStacks *stacks, char **fingerprint, GError **error);

/* The schema version of a manifest whose hash matches, also of one too new to be read. Errors:
 * FIREBREAK_ERROR_BASELINE. */
gboolean manifest_version(const GString *text, guint *version, GError **error);
/* The newest version that manifest_read() reads. */
#define MANIFEST_VERSION 1
