/* usage: lexi COLLECTIONS: writes, indexes and searches that many collections and prints a checksum of the answers. */
#include "lexi.h"

#include <stdio.h>
#include <stdlib.h>

enum { QUERIES = 1300 };

static void index_document(uint32_t document)
{
	const char *text = corpus_document(document);
	struct token token;
	uint32_t words = 0;

	for (size_t at = 0; next_token(text, DOCUMENT_BYTES, &at, &token); words++)
		lexicon_add(&token, document);
	rank_set_length(document, words);
}

static uint32_t search_collection(uint32_t seed)
{
	uint32_t sum = 0;

	corpus_write(seed);
	lexicon_clear();
	for (uint32_t d = 0; d < DOCUMENTS; d++)
		index_document(d);
	rank_prepare();
	for (uint32_t q = 0; q < QUERIES; q++)
		sum = sum * 33 + answer_query(q);
	return sum;
}

int main(int argc, char **argv)
{
	long collections = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
	uint32_t sum = 0;

	if (collections < 1) {
		fprintf(stderr, "usage: lexi COLLECTIONS\n");
		return 2;
	}
	for (long c = 0; c < collections; c++)
		sum += search_collection((uint32_t)c + 1);
	printf("%08x\n", (unsigned)sum);
	return 0;
}
