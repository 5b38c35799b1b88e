/* Ranking: scores and the order of hits. */
#include "lexi.h"

static uint32_t lengths[DOCUMENTS]; /* in words */
static double average_length;

void rank_set_length(uint32_t document, uint32_t words)
{
	lengths[document] = words;
}

void rank_prepare(void)
{
	double total = 0;

	for (uint32_t d = 0; d < DOCUMENTS; d++)
		total += lengths[d];
	average_length = total / DOCUMENTS;
}

void score_hits(struct hit *hits, size_t n)
{
	for (size_t h = 0; h < n; h++) {
		double length = lengths[hits[h].document];

		hits[h].score = (uint32_t)(1000 * average_length / (average_length + 3 * length));
	}
}

static int ranks_before(const struct hit *a, const struct hit *b)
{
	return a->score != b->score ? a->score > b->score : a->document < b->document;
}

void order_hits(struct hit *hits, size_t n)
{
	for (size_t gap = n / 2; gap > 0; gap /= 2)
		for (size_t i = gap; i < n; i++) {
			struct hit moved = hits[i];
			size_t j = i;

			for (; j >= gap && ranks_before(&moved, &hits[j - gap]); j -= gap)
				hits[j] = hits[j - gap];
			hits[j] = moved;
		}
}
