/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as the JSON that every output has of them. */
#pragma once

#include "core/finding.h"
#include "core/jsontext.h"

/* An array with severity, code and text of each finding, in their order; with `benchmarks`, what they are about stands
 * before the text, null for the whole check. Owned by the caller. */
json_t *finding_list_json(const FindingList *findings, gboolean benchmarks);
