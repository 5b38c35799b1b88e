/* The collection: syllables put together by a linear congruential generator, so that words repeat as words do. */
#include "lexi.h"

#include <string.h>

static char documents[DOCUMENTS][DOCUMENT_BYTES];
static const char syllables[16][3] = {
        "ka", "To", "mi", "re", "Lu", "so", "na", "vi", "pe", "Du", "ha", "fe", "go", "zi", "Ba", "no"};

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

static void write_document(char *text, uint32_t *state)
{
	size_t at = 0;

	memset(text, ' ', DOCUMENT_BYTES);
	while (at + WORD_MAX < DOCUMENT_BYTES) {
		uint32_t count = 2 + next_random(state) % 2;

		for (uint32_t s = 0; s < count; s++, at += 2)
			memcpy(text + at, syllables[next_random(state) % 16], 2);
		text[at] = next_random(state) % 8 == 0 ? ',' : ' ';
		at += 1 + next_random(state) % 4; /* documents differ in their number of words */
	}
}

void corpus_write(uint32_t seed)
{
	for (uint32_t d = 0; d < DOCUMENTS; d++)
		write_document(documents[d], &seed);
}

const char *corpus_document(uint32_t document)
{
	return documents[document];
}
