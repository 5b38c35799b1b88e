/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics at earlier commits (compare/history/history.h) in report.json, and the way back. */
#pragma once

#include "compare/history/history.h"
#include "core/json/jsonfields.h"

/* An array, empty without history (NULL). Owned by the caller. */
json_t *history_json(const GPtrArray *history);
/* NULL if there is none. A name that is not known is refused. Owned by the caller. */
GPtrArray *history_read(FieldReading *reading, const json_t *array);
