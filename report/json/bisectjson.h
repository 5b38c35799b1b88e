/* SPDX-License-Identifier: Apache-2.0 */
/* A bisection as JSON, `firebreak-bisect/1` (docs/schema/bisect-1.json): what `firebreak bisect --json` prints, and
 * what an interrupted one goes on from. */
#pragma once

#include "compare/bisect/bisectlog.h"

/* Owned by the caller. */
char *bisect_json(const BisectLog *log, gsize *length);
/* The way back; owned by the caller. `what` names the text in messages. Errors: FIREBREAK_ERROR_STORAGE for anything
 * that is not such a text. */
BisectLog *bisect_json_read(const char *text, gsize length, const char *what, GError **error);
