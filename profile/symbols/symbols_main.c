/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak-symbols: reads object files for firebreak, so that a file that is too clever for the libraries that read it
 * takes this process along and not the gate. It answers requests (symbolprotocol.h) on standard input and output, which
 * are one socket, and ends with it. */
#include "profile/symbols/sandbox.h"
#include "profile/symbols/symbolprotocol.h"

#include <errno.h>
#include <unistd.h>

/* Files that are kept open for call frame information and listings. */
#define MAX_OPEN_OBJECTS 64

typedef struct {
	char *key;
	ObjectFile file;
} OpenObject;

static gboolean read_all(gpointer bytes, gsize length)
{
	guint8 *at = bytes;
	while (length > 0) {
		gssize n = read(STDIN_FILENO, at, length);
		if (n == 0 || (n < 0 && errno != EINTR))
			return FALSE;
		at += MAX(n, 0);
		length -= (gsize)MAX(n, 0);
	}
	return TRUE;
}

static gboolean write_all(const GByteArray *bytes)
{
	for (gsize done = 0; done < bytes->len;) {
		gssize n = write(STDOUT_FILENO, bytes->data + done, bytes->len - done);
		if (n < 0 && errno != EINTR)
			return FALSE;
		done += (gsize)MAX(n, 0);
	}
	return TRUE;
}

static void object_free(gpointer data)
{
	OpenObject *object = data;
	object_file_close(&object->file);
	g_free(object->key);
	g_free(object);
}

static char *object_key(const ModuleSymbolsRequest *wanted)
{
	GString *key = g_string_new(NULL);
	for (guint i = 0; i < wanted->build_id_length; i++)
		g_string_append_printf(key, "%02x", wanted->build_id[i]);
	g_string_append_printf(key, ":%s:%s", wanted->symfs != NULL ? wanted->symfs : "", wanted->path);
	return g_string_free(key, FALSE);
}

/* The file of a request, opened if it is not yet; the oldest one is closed for it. `objects` are the open ones. */
static const ObjectFile *open_object(GQueue *objects, const ModuleSymbolsRequest *wanted, GError **error)
{
	g_autofree char *key = object_key(wanted);
	for (GList *link = objects->head; link != NULL; link = link->next) {
		OpenObject *object = link->data;
		if (g_str_equal(object->key, key))
			return &object->file;
	}
	OpenObject *object = g_new0(OpenObject, 1);
	const ObjectFileWanted file = {wanted->path, wanted->build_id, wanted->build_id_length, wanted->symfs};
	if (!object_file_find(&object->file, &file, error)) {
		g_free(object);
		return NULL;
	}
	object->key = g_steal_pointer(&key);
	if (objects->length >= MAX_OPEN_OBJECTS)
		object_free(g_queue_pop_tail(objects));
	g_queue_push_head(objects, object);
	return &object->file;
}

static void answer_names(GByteArray *answer, const SymbolRequest *request)
{
	ModuleSymbols symbols = {0};
	g_autoptr(GError) error = NULL;
	if (module_symbols_resolve(&symbols, &request->symbols, &error))
		symbol_answer_encode_names(answer, &symbols);
	else
		symbol_answer_encode_error(answer, error);
	module_symbols_clear(&symbols);
}

static void answer_rows(GByteArray *answer, GQueue *objects, const SymbolRequest *request)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(UnwindRow));
	const ObjectFile *file = open_object(objects, &request->symbols, &error);
	if (file == NULL) {
		symbol_answer_encode_error(answer, error);
		return;
	}
	unwind_rows_read(file, request->symbols.offsets[0], rows);
	symbol_answer_encode_rows(answer, rows);
}

static void answer_listing(GByteArray *answer, GQueue *objects, const ModuleSymbolsRequest *wanted)
{
	FunctionListing listing = {0};
	g_autoptr(GError) error = NULL;
	const SymbolListingRequest request = {
	        .path = wanted->path, .offset = wanted->offsets[0], .are_addresses = wanted->are_addresses};
	const ObjectFile *file = open_object(objects, wanted, &error);
	if (file != NULL && function_listing_read(&listing, file, &request, &error))
		symbol_answer_encode_listing(answer, &listing);
	else
		symbol_answer_encode_error(answer, error);
	function_listing_clear(&listing);
}

static void answer_info(GByteArray *answer, const char *path)
{
	BinaryInfo info = {0};
	g_autoptr(GError) error = NULL;
	if (binary_info(path, &info, &error))
		symbol_answer_encode_info(answer, &info);
	else
		symbol_answer_encode_error(answer, error);
	binary_info_clear(&info);
}

static void answer_request(GByteArray *answer, GQueue *objects, const SymbolRequest *request)
{
	switch (request->kind) {
	case SYMBOL_REQUEST_NAMES:
		answer_names(answer, request);
		break;
	case SYMBOL_REQUEST_UNWIND_ROWS:
		answer_rows(answer, objects, request);
		break;
	case SYMBOL_REQUEST_INFO:
		answer_info(answer, request->symbols.path);
		break;
	case SYMBOL_REQUEST_LISTING:
		answer_listing(answer, objects, &request->symbols);
		break;
	}
}

/* FALSE when there is no further request, or none that makes sense. All are answered with `refusal`, unless it is NULL.
 */
static gboolean serve_request(GQueue *objects, const GError *refusal)
{
	SymbolRequestHead head;
	SymbolRequest request;
	gsize length;
	if (!read_all(&head, sizeof head) || !symbol_request_body_bytes(&head, &length))
		return FALSE;
	g_autofree guint8 *body = g_malloc(length);
	if (!read_all(body, length) || !symbol_request_decode(&request, &head, body))
		return FALSE;
	g_autoptr(GByteArray) answer = g_byte_array_new();
	if (refusal != NULL) {
		symbol_answer_encode_error(answer, refusal);
		return write_all(answer);
	}
	/* Each request has CPU time of its own, so that one file cannot use up that of the next. */
	sandbox_begin_request(request.symbols.path);
	answer_request(answer, objects, &request);
	return write_all(answer);
}

int main(void)
{
	g_autoptr(GQueue) objects = g_queue_new();
	g_autoptr(GError) refusal = NULL;
	sandbox_enter(&refusal);
	while (serve_request(objects, refusal))
		;
	g_queue_clear_full(objects, object_free);
	return 0;
}
