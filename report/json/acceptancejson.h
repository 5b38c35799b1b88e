/* SPDX-License-Identifier: Apache-2.0 */
/* Acceptances in report.json, and the way back: `acceptances` of the whole check, `accepted` of a benchmark. */
#pragma once

#include "compare/result.h"
#include "core/json/jsonfields.h"
#include "core/jsontext.h"

/* `acceptances`: a new array. */
json_t *acceptances_json(const GPtrArray *acceptances);
/* Adds what `array` holds to `acceptances`, of Acceptance. Anything but an array adds nothing. */
void acceptances_read(FieldReading *reading, const json_t *array, GPtrArray *acceptances);

/* `accepted` of a benchmark: a new array, empty for NULL. */
json_t *accepted_json(const BenchmarkComparison *comparison);
/* Adds what `array` holds to the comparison. */
void accepted_read(FieldReading *reading, const json_t *array, BenchmarkComparison *comparison);
