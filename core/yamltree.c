/* SPDX-License-Identifier: Apache-2.0 */
#include "core/yamltree.h"

#include "core/error.h"

#include <string.h>
#include <yaml.h>

#define MAX_BYTES (1024 * 1024)
#define MAX_DEPTH 32
#define MAX_KEYS 1000

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(yaml_parser_t, yaml_parser_delete)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(yaml_event_t, yaml_event_delete)

/* --- the tree --- */

static void free_node(gpointer data)
{
	yaml_node_free(data);
}

static YamlNode *new_node(YamlKind kind, char *file, yaml_mark_t mark)
{
	YamlNode *node = g_new0(YamlNode, 1);
	node->kind = kind;
	node->file = g_ref_string_acquire(file);
	node->line = (guint)mark.line + 1;
	node->column = (guint)mark.column + 1;
	if (kind == YAML_MAPPING)
		node->keys = g_ptr_array_new_with_free_func(free_node);
	if (kind != YAML_SCALAR)
		node->items = g_ptr_array_new_with_free_func(free_node);
	return node;
}

void yaml_node_free(YamlNode *node)
{
	if (node == NULL)
		return;
	g_clear_pointer(&node->keys, g_ptr_array_unref);
	g_clear_pointer(&node->items, g_ptr_array_unref);
	g_ref_string_release(node->file);
	g_free(node->text);
	g_free(node);
}

guint yaml_length(const YamlNode *node)
{
	return node->items == NULL ? 0 : node->items->len;
}

const YamlNode *yaml_key(const YamlNode *mapping, guint index)
{
	g_assert(mapping->kind == YAML_MAPPING && index < mapping->keys->len);
	return mapping->keys->pdata[index];
}

const YamlNode *yaml_item(const YamlNode *node, guint index)
{
	g_assert(index < yaml_length(node));
	return node->items->pdata[index];
}

const YamlNode *yaml_mapping_get(const YamlNode *mapping, const char *key)
{
	if (mapping == NULL || mapping->kind != YAML_MAPPING)
		return NULL;
	for (guint i = 0; i < yaml_length(mapping); i++)
		if (g_str_equal(yaml_key(mapping, i)->text, key))
			return yaml_item(mapping, i);
	return NULL;
}

const YamlNode *yaml_require(const YamlNode *mapping, const char *key, GError **error)
{
	const YamlNode *value = yaml_mapping_get(mapping, key);
	if (value == NULL)
		yaml_error(mapping, error, "key \"%s\" is missing", key);
	return value;
}

const char *yaml_kind_name(YamlKind kind)
{
	static const char *const names[] = {"value", "list", "mapping"};
	return names[kind];
}

gboolean yaml_error(const YamlNode *node, GError **error, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s:%u:%u: %s", node->file, node->line, node->column,
	        text);
	return FALSE;
}

/* --- parsing --- */

/* The tree under construction. `open` are the collections that have begun and not ended, outermost first; they are
 * owned by the root. A mapping with one key more than values waits for a value. */
typedef struct {
	char *file;
	YamlNode *root;
	GPtrArray *open;
	guint documents;
} Builder;

static gboolean add_key(YamlNode *mapping, YamlNode *key, GError **error)
{
	const YamlNode *same = NULL;
	for (guint i = 0; key->kind == YAML_SCALAR && i < mapping->keys->len && same == NULL; i++)
		if (g_str_equal(yaml_key(mapping, i)->text, key->text))
			same = yaml_key(mapping, i);
	gboolean good = FALSE;
	if (key->kind != YAML_SCALAR)
		yaml_error(key, error, "a key must be a plain text, not a %s", yaml_kind_name(key->kind));
	else if (!key->quoted && g_str_equal(key->text, "<<"))
		yaml_error(key, error, "merge keys are not supported; write the keys out");
	else if (same != NULL)
		yaml_error(key, error, "key \"%s\" appears twice, first in line %u", key->text, same->line);
	else if (mapping->keys->len == MAX_KEYS)
		yaml_error(key, error, "more than %d keys in one mapping", MAX_KEYS);
	else
		good = TRUE;
	if (good)
		g_ptr_array_add(mapping->keys, key);
	else
		yaml_node_free(key);
	return good;
}

/* Puts a new node, which it takes, where the parser is. */
static gboolean add_node(Builder *builder, YamlNode *node, GError **error)
{
	if (builder->open->len == 0) {
		builder->root = node;
		return TRUE;
	}
	YamlNode *parent = builder->open->pdata[builder->open->len - 1];
	if (parent->kind == YAML_MAPPING && parent->keys->len == parent->items->len)
		return add_key(parent, node, error);
	g_ptr_array_add(parent->items, node);
	return TRUE;
}

static gboolean add_collection(Builder *builder, YamlNode *node, GError **error)
{
	if (!add_node(builder, node, error))
		return FALSE;
	if (builder->open->len == MAX_DEPTH)
		return yaml_error(node, error, "nested deeper than %d levels", MAX_DEPTH);
	g_ptr_array_add(builder->open, node);
	return TRUE;
}

static gboolean add_scalar(Builder *builder, const yaml_event_t *event, GError **error)
{
	YamlNode *node = new_node(YAML_SCALAR, builder->file, event->start_mark);
	const char *text = (const char *)event->data.scalar.value;
	node->text = g_strdup(text);
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	if (strlen(text) != event->data.scalar.length) {
		yaml_error(node, error, "a text must not contain a NUL character");
		yaml_node_free(node);
		return FALSE;
	}
	return add_node(builder, node, error);
}

/* The name of the feature of YAML in this event that is not accepted, or NULL. Aliases let a short text stand for a
 * tree of any size; tags ask for types that nothing here has. */
static const char *refused_feature(const yaml_event_t *event)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;
	if (event->type == YAML_ALIAS_EVENT)
		return "aliases (*name)";
	if (event->type == YAML_SCALAR_EVENT) {
		anchor = event->data.scalar.anchor;
		tag = event->data.scalar.tag;
	} else if (event->type == YAML_SEQUENCE_START_EVENT) {
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
	} else if (event->type == YAML_MAPPING_START_EVENT) {
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
	}
	return anchor != NULL ? "anchors (&name)" : tag != NULL ? "tags (!name)" : NULL;
}

static gboolean refuse(const Builder *builder, const yaml_mark_t *mark, GError **error, const char *message)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s:%zu:%zu: %s", builder->file, mark->line + 1,
	        mark->column + 1, message);
	return FALSE;
}

static gboolean handle_event(Builder *builder, const yaml_event_t *event, GError **error)
{
	const char *feature = refused_feature(event);
	if (feature != NULL) {
		g_autofree char *message = g_strdup_printf("%s are not supported; write the value out", feature);
		return refuse(builder, &event->start_mark, error, message);
	}
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (++builder->documents > 1)
			return refuse(builder, &event->start_mark, error, "only one document is allowed in a file");
		return TRUE;
	case YAML_SCALAR_EVENT:
		return add_scalar(builder, event, error);
	case YAML_SEQUENCE_START_EVENT:
		return add_collection(builder, new_node(YAML_SEQUENCE, builder->file, event->start_mark), error);
	case YAML_MAPPING_START_EVENT:
		return add_collection(builder, new_node(YAML_MAPPING, builder->file, event->start_mark), error);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		g_ptr_array_set_size(builder->open, (int)builder->open->len - 1);
		return TRUE;
	default:
		return TRUE;
	}
}

/* libyaml gives an offset, no position, for bytes that are not UTF-8. */
static yaml_mark_t mark_of_offset(const char *text, gsize offset)
{
	yaml_mark_t mark = {.index = offset};
	for (gsize i = 0; i < offset; i++) {
		mark.column = text[i] == '\n' ? 0 : mark.column + 1;
		mark.line += text[i] == '\n';
	}
	return mark;
}

static gboolean syntax_error(
        const Builder *builder, const yaml_parser_t *parser, const char *text, gsize length, GError **error)
{
	yaml_mark_t mark = parser->problem_mark;
	if (parser->error == YAML_READER_ERROR)
		mark = mark_of_offset(text, MIN(parser->problem_offset, length));
	g_autofree char *message = g_strdup_printf("%s%s%s", parser->problem == NULL ? "no memory" : parser->problem,
	        parser->context == NULL ? "" : " ", parser->context == NULL ? "" : parser->context);
	return refuse(builder, &mark, error, message);
}

static gboolean build(Builder *builder, const char *text, gsize length, GError **error)
{
	g_auto(yaml_parser_t) parser = {0};
	if (!yaml_parser_initialize(&parser)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT, "no memory for the YAML parser");
		return FALSE;
	}
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
	for (gboolean end = FALSE; !end;) {
		g_auto(yaml_event_t) event = {0};
		if (!yaml_parser_parse(&parser, &event))
			return syntax_error(builder, &parser, text, length, error);
		if (!handle_event(builder, &event, error))
			return FALSE;
		end = event.type == YAML_STREAM_END_EVENT;
	}
	if (builder->root == NULL)
		return refuse(builder, &(yaml_mark_t){0}, error, "the file is empty");
	return TRUE;
}

YamlNode *yaml_parse(const char *text, gsize length, const char *file, GError **error)
{
	Builder builder = {.file = g_ref_string_new(file), .open = g_ptr_array_new()};
	gboolean good = FALSE;
	if (length > MAX_BYTES)
		refuse(&builder, &(yaml_mark_t){0}, error, "the file is larger than 1 MiB");
	else
		good = build(&builder, text, length, error);
	if (!good)
		g_clear_pointer(&builder.root, yaml_node_free);
	g_ptr_array_unref(builder.open);
	g_ref_string_release(builder.file);
	return builder.root;
}
