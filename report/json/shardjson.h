/* SPDX-License-Identifier: Apache-2.0 */
/* The shards of a result in report.json (compare/shards.h), and the way back. */
#pragma once

#include "compare/shards.h"
#include "core/jsontext.h"

/* null for NULL. */
json_t *shards_json(const ShardSet *set);
/* NULL for null, and for what is no such object. Owned by the caller. */
ShardSet *shards_read(const json_t *object);
