/* SPDX-License-Identifier: Apache-2.0 */
/* YAML (and so JSON) to a checked tree in which every node knows its position, for configuration files.
 *
 * Only plain data is accepted: one document of mappings, sequences and scalars. Anchors, aliases, tags, merge keys and
 * keys that are not scalars are refused, as are duplicate keys, NUL characters, more than 1 MiB, more than 1000 keys in
 * one mapping and nesting deeper than 32. Texts in the tree and in messages are foreign: escape them where they go.
 *
 * Every error has the code FIREBREAK_ERROR_USAGE and starts with `file:line:column: `. The readers take the node of a
 * value; a NULL node means that the key is absent: the reader returns TRUE and leaves the output as it is, so that
 *     if (!yaml_read_duration(yaml_mapping_get(map, "timeout"), &config->timeout_ms, error)) return FALSE;
 * reads an optional key whose default is set before. On failure outputs are untouched.
 *
 * Everything is owned by the root node and freed by yaml_node_free() of the root. */
#pragma once

#include <glib.h>

typedef enum { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } YamlKind;

typedef struct YamlNode YamlNode;
struct YamlNode {
	YamlKind kind;
	char *file;         /* name of the file for messages, a GRefString */
	char *text;         /* of a scalar, else NULL */
	gboolean quoted;    /* the scalar was quoted or a block text, so `true` and `3` in it are text */
	guint line, column; /* 1-based; column counts characters */
	GPtrArray *keys;    /* of a mapping: scalar nodes; else NULL */
	GPtrArray *items;   /* of a sequence its items, of a mapping its values in the order of the keys; else NULL */
};

/* Parses `length` bytes; `file` is the name used in messages and is copied. An empty document is an error. */
YamlNode *yaml_parse(const char *text, gsize length, const char *file, GError **error);
/* Frees a root node and all below it. NULL is allowed. */
void yaml_node_free(YamlNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(YamlNode, yaml_node_free)

/* Number of items of a sequence or entries of a mapping; 0 for a scalar. */
guint yaml_length(const YamlNode *node);
/* Key and value of entry `index` of a mapping, or item `index` of a sequence; index < yaml_length(). Borrowed. */
const YamlNode *yaml_key(const YamlNode *mapping, guint index);
/* The item of a list, borrowed; `index` is below the number of items. */
const YamlNode *yaml_item(const YamlNode *node, guint index);
/* The value under `key`, borrowed; NULL if absent or if `mapping` is NULL or no mapping. */
const YamlNode *yaml_mapping_get(const YamlNode *mapping, const char *key);
/* As yaml_mapping_get(), but absence is an error that names the key. */
const YamlNode *yaml_require(const YamlNode *mapping, const char *key, GError **error);
/* "value", "list" or "mapping", as messages say it. */
const char *yaml_kind_name(YamlKind kind);

/* Sets *error to "file:line:column: <message>" for a node. Returns FALSE. */
gboolean yaml_error(const YamlNode *node, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Fails if the node is not of the kind wanted ("expected a mapping, found a list"). A NULL node passes. */
gboolean yaml_expect(const YamlNode *node, YamlKind kind, GError **error);
/* Fails if the node is no mapping, or at the first key that is not in the NULL-terminated list `known`; suggests the
 * nearest known key, or lists all where none is near. */
gboolean yaml_check_keys(const YamlNode *mapping, const char *const *known, GError **error);

/* A text that is not empty; plain numbers and booleans are taken as written. *out is owned by the caller; its old value
 * is freed. */
gboolean yaml_read_string(const YamlNode *node, char **out, GError **error);
/* true or false, not quoted. */
gboolean yaml_read_bool(const YamlNode *node, gboolean *out, GError **error);
/* A decimal integer in min..max. */
gboolean yaml_read_int(const YamlNode *node, gint64 min, gint64 max, gint64 *out, GError **error);
/* A finite decimal number in min..max. */
gboolean yaml_read_number(const YamlNode *node, double min, double max, double *out, GError **error);
/* A positive duration with its unit, ms s m h: `10m`, `60s`, `500ms`; at most 7 days. In milliseconds. */
gboolean yaml_read_duration(const YamlNode *node, gint64 *out_ms, GError **error);
/* A percentage with its sign, 0% to 100%, as a share: `3%` gives 0.03. */
gboolean yaml_read_percent(const YamlNode *node, double *out_share, GError **error);
/* One of the NULL-terminated list `choices`; *out is its index. Suggests the nearest one. */
gboolean yaml_read_choice(const YamlNode *node, const char *const *choices, guint *out, GError **error);
/* A sequence of texts, none empty, at least one. *out is a GStrv owned by the caller; its old value is freed. */
gboolean yaml_read_string_list(const YamlNode *node, char ***out, GError **error);
