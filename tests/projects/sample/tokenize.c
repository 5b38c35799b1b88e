/* Words are runs of ASCII letters. */
#include "lexi.h"

#include <string.h>

static int is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int next_token(const char *text, size_t length, size_t *at, struct token *token)
{
	size_t begin = *at, end;

	while (begin < length && !is_letter(text[begin]))
		begin++;
	for (end = begin; end < length && is_letter(text[end]); end++)
		;
	*at = end;
	if (begin == end)
		return 0;
	token->length = (uint8_t)(end - begin < WORD_MAX ? end - begin : WORD_MAX);
	memcpy(token->text, text + begin, token->length);
	for (size_t i = 0; i < token->length; i++)
		token->text[i] |= 'a' - 'A';
	return 1;
}

uint32_t hash_token(const struct token *token)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < token->length; i++)
		hash = (hash ^ (uint8_t)token->text[i]) * 16777619u;
	return hash;
}
