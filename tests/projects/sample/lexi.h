/* lexi: a small full-text search. It writes itself a collection of documents, indexes every word and answers queries.
 *
 *   corpus -> tokenize -> lexicon (word -> documents) -> query (which documents) -> rank (in which order)
 *
 * Everything lives in tables of fixed size that their module owns; a word is a byte range of the collection. The same
 * argument gives the same work and the same answer on every machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
	DOCUMENTS = 1024,     /* in the collection */
	DOCUMENT_BYTES = 512, /* of each */
	WORD_MAX = 12,        /* longer words are cut */
	QUERY_WORDS = 2,
	BEST = 10, /* hits a query returns */
};

/* A word of a document: folded to lower case, not terminated. */
struct token {
	char text[WORD_MAX];
	uint8_t length;
};

/* A document that matches a query. */
struct hit {
	uint32_t document;
	uint32_t score;
};

/* corpus.c: fills the collection from `seed`. */
void corpus_write(uint32_t seed);
/* The text of one document, DOCUMENT_BYTES long. */
const char *corpus_document(uint32_t document);

/* tokenize.c: reads the next word at or after `*at`, moves `*at` past it. Returns 0 when the text is used up. */
int next_token(const char *text, size_t length, size_t *at, struct token *token);
/* FNV-1a over the word. */
uint32_t hash_token(const struct token *token);

/* lexicon.c: empties the index. */
void lexicon_clear(void);
/* Notes that `document` has this word. Documents come in ascending order. */
void lexicon_add(const struct token *token, uint32_t document);
/* The documents that have the word: a bit set of DOCUMENTS bits, NULL if there is none. */
const uint64_t *lexicon_find(const struct token *token);

/* query.c: documents that have all `n` words, into `hits`, with score 0. Returns how many. */
size_t match_documents(const struct token *words, size_t n, struct hit *hits);
/* Answers query number `number` and returns a checksum of its best hits. */
uint32_t answer_query(uint32_t number);

/* rank.c: tells the ranking how many words a document has. */
void rank_set_length(uint32_t document, uint32_t words);
/* To be called once when all lengths are known. */
void rank_prepare(void);
/* Scores the hits: short documents first, relative to the average length. */
void score_hits(struct hit *hits, size_t n);
/* Moves the BEST highest scores to the front, in descending order; equal scores by document. */
void order_hits(struct hit *hits, size_t n);
