/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdatadecoder.h"

#include "core/error.h"

static guint count_bits(guint64 value)
{
	return (guint)__builtin_popcountll(value);
}

void perf_decoder_init(PerfDecoder *decoder, PerfDataEvents *events)
{
	*decoder = (PerfDecoder){
	        .events = events,
	        .chain = g_array_new(FALSE, FALSE, sizeof(guint64)),
	        .registers = g_array_new(FALSE, FALSE, sizeof(guint64)),
	        .calls = g_array_new(FALSE, FALSE, sizeof(PerfDataBranch)),
	        .counters = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
	};
}

void perf_decoder_rewind(PerfDecoder *decoder)
{
	g_hash_table_remove_all(decoder->counters);
}

void perf_decoder_clear(PerfDecoder *decoder)
{
	g_clear_pointer(&decoder->chain, g_array_unref);
	g_clear_pointer(&decoder->registers, g_array_unref);
	g_clear_pointer(&decoder->calls, g_array_unref);
	g_clear_pointer(&decoder->counters, g_hash_table_unref);
}

/* Tells where the id stands: IDENTIFIER is made to be at a fixed place, first or last; ID is after and before other
 * fields. FALSE if there is neither. */
static gboolean place_id(guint64 fields, guint *words, guint *words_at_end)
{
	gboolean is_fixed = (fields & PERF_FIELD_IDENTIFIER) != 0;
	guint64 before = PERF_FIELD_IP | PERF_FIELD_TID | PERF_FIELD_TIME | PERF_FIELD_ADDR;
	*words = is_fixed ? 0 : count_bits(fields & before);
	*words_at_end = is_fixed ? 1 : 1 + count_bits(fields & (PERF_FIELD_STREAM_ID | PERF_FIELD_CPU));
	return is_fixed || (fields & PERF_FIELD_ID) != 0;
}

static gboolean fail(GError **error, const char *text)
{
	g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, text);
	return FALSE;
}

/* Which event a record belongs to says where its fields stand, and only its id says which event that is. So the id must
 * stand at one place for all events. */
static gboolean find_places(PerfDecoder *decoder)
{
	for (guint i = 0; i < decoder->events->attrs->len; i++) {
		guint words, words_at_end;
		if (!place_id(perf_events_attr(decoder->events, i)->sample_type, &words, &words_at_end))
			return FALSE;
		if (i > 0 && (words != decoder->id_words || words_at_end != decoder->id_words_at_end))
			return FALSE;
		decoder->id_words = words;
		decoder->id_words_at_end = words_at_end;
	}
	return TRUE;
}

gboolean perf_decoder_prepare(PerfDecoder *decoder, GError **error)
{
	guint n_events = decoder->events->attrs->len;
	/* In a pipe, events are told between the records, and may become more. */
	if (n_events == decoder->n_prepared && n_events > 0)
		return TRUE;
	if (n_events == 0)
		return fail(error, "no event in it before its first record");
	decoder->has_ids = n_events > 1;
	if (decoder->has_ids && !find_places(decoder))
		return fail(error, "its events cannot be told apart: their records have no id at the same place");
	decoder->n_prepared = n_events;
	decoder->last = (PerfDataId){0};
	return TRUE;
}

gboolean perf_decoder_find_event(PerfDecoder *decoder, guint64 id, guint *event)
{
	*event = 0;
	if (!decoder->has_ids)
		return TRUE;
	/* Most records are of the event of the one before. An id of 0 is what `last` has before anything was found. */
	if (decoder->last.id != id || id == 0) {
		guint found;
		if (!perf_events_find(decoder->events, id, &found))
			return FALSE;
		decoder->last = (PerfDataId){id, found};
	}
	*event = decoder->last.event;
	return TRUE;
}
