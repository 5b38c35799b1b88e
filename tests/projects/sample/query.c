/* Queries: words taken from the collection itself, so that there is something to find. */
#include "lexi.h"

size_t match_documents(const struct token *words, size_t n, struct hit *hits)
{
	const uint64_t *sets[QUERY_WORDS];
	size_t found = 0;

	for (size_t w = 0; w < n; w++)
		if ((sets[w] = lexicon_find(&words[w])) == NULL)
			return 0;
	for (uint32_t d = 0; d < DOCUMENTS; d++) {
		int in_all = 1;

		for (size_t w = 0; w < n; w++)
			in_all &= (int)(sets[w][d / 64] >> d % 64 & 1);
		if (in_all)
			hits[found++] = (struct hit){.document = d};
	}
	return found;
}

uint32_t answer_query(uint32_t number)
{
	static struct hit hits[DOCUMENTS];
	struct token words[QUERY_WORDS];
	const char *text = corpus_document(number * 7 % DOCUMENTS);
	size_t at = number % (DOCUMENT_BYTES / 2), n = 0;
	uint32_t sum = 0;

	while (n < QUERY_WORDS && next_token(text, DOCUMENT_BYTES, &at, &words[n]))
		n++;
	if (n == 0)
		return 0;
	size_t found = match_documents(words, n, hits);
	score_hits(hits, found);
	order_hits(hits, found);
	for (size_t h = 0; h < found && h < BEST; h++)
		sum = sum * 31 + hits[h].document + hits[h].score;
	return sum;
}
