/* The index: an open hash table of words, each with the set of its documents. */
#include "lexi.h"

#include <string.h>

enum { SLOTS = 16384, SET_WORDS = DOCUMENTS / 64 };

struct entry {
	struct token token;
	uint32_t hash; /* of the token, to skip most comparisons */
	uint64_t documents[SET_WORDS];
};

static struct entry slots[SLOTS]; /* more than twice the number of different words */

void lexicon_clear(void)
{
	memset(slots, 0, sizeof slots);
}

/* The entry of the word, or the free one where it belongs. */
static struct entry *find_entry(const struct token *token, uint32_t hash)
{
	for (uint32_t s = hash % SLOTS;; s = (s + 1) % SLOTS) {
		struct entry *entry = &slots[s];

		if (entry->token.length == 0)
			return entry;
		if (entry->hash == hash && entry->token.length == token->length &&
		        memcmp(entry->token.text, token->text, token->length) == 0)
			return entry;
	}
}

void lexicon_add(const struct token *token, uint32_t document)
{
	uint32_t hash = hash_token(token);
	struct entry *entry = find_entry(token, hash);

	if (entry->token.length == 0) {
		entry->token = *token;
		entry->hash = hash;
	}
	entry->documents[document / 64] |= UINT64_C(1) << document % 64;
}

const uint64_t *lexicon_find(const struct token *token)
{
	const struct entry *entry = find_entry(token, hash_token(token));

	return entry->token.length > 0 ? entry->documents : NULL;
}
