/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/annotatedcode.h"

#include "compare/source/rowchoice.h"
#include "core/git/textalign.h"
#include "model/numbers/number.h"
#include "model/sides.h"

#include <math.h>
#include <string.h>

/* An instruction that differs matters as much as one with this share of the function's cost. */
#define WEIGHT_OF_CHANGE .01
/* Less of the cost outside of the listing is not worth a word. */
#define SHARE_WORTH_A_WORD .01
/* Registers and names of an instruction that are told apart. */
#define MAX_WORDS 16

/* The folder of a build that wrote none of its own into its debug information. */
#define BUILD_FOLDER "/proc/self/cwd"

/* --- where the code is --- */

static gint by_cost(gconstpointer a, gconstpointer b)
{
	const CodePosition *x = a, *y = b;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->module < y->module ? -1 : x->module > y->module;
}

static gboolean is_of(const InstructionCost *cost, FrameId frame, guint side)
{
	return cost->frame.index == frame.index && cost->side == side;
}

GArray *annotation_code_positions(const LineCosts *costs, FrameId frame, guint side)
{
	GArray *positions = g_array_new(FALSE, FALSE, sizeof(CodePosition));
	double most = 0;
	for (guint i = 0; i < costs->instructions->len; i++) {
		const InstructionCost *cost = &g_array_index(costs->instructions, InstructionCost, i);
		if (!is_of(cost, frame, side))
			continue;
		guint n = positions->len;
		if (n == 0 || g_array_index(positions, CodePosition, n - 1).module != cost->module) {
			CodePosition first = {.module = cost->module, .offset = cost->offset};
			g_array_append_val(positions, first);
			most = cost->self;
		}
		CodePosition *position = &g_array_index(positions, CodePosition, positions->len - 1);
		position->self += cost->self;
		if (cost->self > most) {
			most = cost->self;
			position->offset = cost->offset;
		}
	}
	g_array_sort(positions, by_cost);
	return positions;
}

/* --- one side --- */

typedef struct {
	const AnnotatedCodeSide *side;
	const GArray *listed; /* of ListedInstruction; NULL = none */
	GPtrArray *keys;      /* of const char * */
	guint64 *offsets;     /* bytes in front of each that is listed */
	double *self;         /* weight of each */
	guint64 *samples;
	double all, seen;      /* weight of all its instructions, and of those that are listed */
	const char *last_file; /* that was looked at, and whether it is the function's own */
	gboolean last_is_own;
} CodeSide;

static gboolean same_code(const GArray *a, const GArray *b)
{
	gboolean same = a->len == b->len;
	for (guint i = 0; same && i < a->len; i++)
		same = g_str_equal(
		        g_array_index(a, ListedInstruction, i).key, g_array_index(b, ListedInstruction, i).key);
	return same;
}

/* From offset to number, of one build. A key points into the listing. Owned by the caller. */
static GHashTable *numbers_of(const GArray *listed)
{
	GHashTable *numbers = g_hash_table_new(g_int64_hash, g_int64_equal);
	for (guint i = 0; i < listed->len; i++)
		g_hash_table_insert(
		        numbers, &g_array_index(listed, ListedInstruction, i).offset, GUINT_TO_POINTER(i + 1));
	return numbers;
}

static void add_costs(CodeSide *side, guint s, const ListedCode *code, const LineCosts *costs)
{
	g_autoptr(GHashTable) numbers = numbers_of(code->listing->instructions);
	for (guint i = 0; i < costs->instructions->len; i++) {
		const InstructionCost *cost = &g_array_index(costs->instructions, InstructionCost, i);
		if (!is_of(cost, side->side->frame, s) || cost->module != code->module)
			continue;
		guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, &cost->offset));
		if (number == 0)
			continue;
		side->self[number - 1] += cost->self;
		side->samples[number - 1] += cost->samples;
		side->seen += cost->self;
	}
}

static void code_side_init(CodeSide *code, guint s, const AnnotatedCodeInput *input)
{
	const AnnotatedCodeSide *side = &input->sides[s];
	const GArray *listed = side->n_code > 0 ? side->code[0].listing->instructions : NULL;
	guint n = listed != NULL ? listed->len : 0;
	g_assert(listed != NULL || side->n_code == 0);
	*code = (CodeSide){.side = side, .listed = listed, .keys = g_ptr_array_new()};
	code->self = g_new0(double, MAX(n, 1));
	code->samples = g_new0(guint64, MAX(n, 1));
	code->offsets = g_new0(guint64, n + 1);
	for (guint i = 0; i < n; i++) {
		const ListedInstruction *instruction = &g_array_index(listed, ListedInstruction, i);
		g_ptr_array_add(code->keys, (gpointer)instruction->key);
		code->offsets[i + 1] = code->offsets[i] + instruction->size;
	}
	for (guint i = 0; i < side->n_code; i++)
		if (i == 0 || same_code(listed, side->code[i].listing->instructions))
			add_costs(code, s, &side->code[i], input->costs);
	for (guint i = 0; i < input->costs->instructions->len; i++) {
		const InstructionCost *cost = &g_array_index(input->costs->instructions, InstructionCost, i);
		if (is_of(cost, side->frame, s))
			code->all += cost->self;
	}
}

static void code_side_clear(CodeSide *code)
{
	g_ptr_array_unref(code->keys);
	g_free(code->offsets);
	g_free(code->self);
	g_free(code->samples);
}

/* --- rows --- */

typedef struct {
	CodeSide *sides; /* N_SIDES */
	const char *const *strip_prefixes;
} CodePair;

/* TRUE if `file`, as a compiler wrote it down, is the one that is `path` in the checkout. */
static gboolean is_file(const char *file, const char *path, const char *const *prefixes)
{
	g_autofree char *whole = g_canonicalize_filename(file, BUILD_FOLDER);
	if (!g_str_has_suffix(whole, path))
		return FALSE;
	gsize length = strlen(whole) - strlen(path);
	if (length == 0 || whole[length - 1] != '/')
		return length == 0;
	whole[length - 1] = '\0';
	return g_str_equal(whole, BUILD_FOLDER) || (prefixes != NULL && g_strv_contains(prefixes, whole));
}

/* Neighbours are mostly of one file. */
static guint32 line_of(const CodePair *pair, CodeSide *side, const ListedInstruction *listed)
{
	if (listed->file == NULL || *side->side->path == '\0')
		return 0;
	if (side->last_file == NULL || !g_str_equal(side->last_file, listed->file)) {
		side->last_file = listed->file;
		side->last_is_own = is_file(listed->file, side->side->path, pair->strip_prefixes);
	}
	return side->last_is_own ? listed->line : 0;
}

static const ListedInstruction *instruction_of(const CodeSide *side, guint i)
{
	g_assert(i == TEXT_ALIGN_NONE || side->listed != NULL);
	return i == TEXT_ALIGN_NONE ? NULL : &g_array_index(side->listed, ListedInstruction, i);
}

/* The texts belong to the listings. */
static AnnotatedInstruction make_row(const CodePair *pair, const AlignedRow *at)
{
	CodeSide *base_side = &pair->sides[0], *head_side = &pair->sides[1];
	const ListedInstruction *base = instruction_of(base_side, at->base),
	                        *head = instruction_of(head_side, at->head);
	AnnotatedInstruction row = {
	        .in_base = base != NULL, .in_head = head != NULL, .base_self = NAN, .head_self = NAN};
	g_assert(base != NULL || head != NULL);
	row.text = (char *)(head != NULL ? head->text : base->text);
	if (base != NULL && head != NULL && !g_str_equal(base->key, head->key))
		row.base_text = (char *)base->text;
	if (base != NULL) {
		row.base_offset = base_side->offsets[at->base];
		row.base_line = line_of(pair, base_side, base);
		row.base_self = base_side->self[at->base] * base_side->side->per_weight;
		row.base_samples = base_side->samples[at->base];
	}
	if (head != NULL) {
		row.head_offset = head_side->offsets[at->head];
		row.head_line = line_of(pair, head_side, head);
		row.head_self = head_side->self[at->head] * head_side->side->per_weight;
		row.head_samples = head_side->samples[at->head];
	}
	return row;
}

/* --- what stands in each other's place --- */

/* A word, that is a register or a name, by the order in which it first appears among those after the mnemonic. */
typedef struct {
	struct {
		const char *start;
		gsize length;
	} words[MAX_WORDS];
	guint n;
} Words;

static guint number_of(Words *words, const char *start, gsize length)
{
	for (guint i = 0; i < words->n; i++)
		if (words->words[i].length == length && strncmp(words->words[i].start, start, length) == 0)
			return i;
	if (words->n < MAX_WORDS) {
		words->words[words->n].start = start;
		words->words[words->n].length = length;
		words->n++;
	}
	return words->n - 1;
}

static gboolean is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '.';
}

/* The operation of an instruction without its registers and numbers: "xor eax,edx" is "xor A,B", "mov 0x8(%rax),%rax"
 * is "mov #(%A),%A". Owned by the caller. */
static char *shape_of(const char *key)
{
	Words words = {.n = 0};
	gsize mnemonic = strcspn(key, " \t");
	GString *shape = g_string_new_len(key, (gssize)mnemonic);
	for (const char *at = key + mnemonic; *at != '\0';) {
		const char *start = at;
		while (is_word(*at))
			at++;
		if (at == start)
			g_string_append_c(shape, *at++);
		else if (g_ascii_isdigit(*start))
			g_string_append_c(shape, '#');
		else
			g_string_append_c(shape, (char)('A' + number_of(&words, start, (gsize)(at - start))));
	}
	return g_string_free(shape, FALSE);
}

static gboolean are_alike(const CodePair *pair, const AlignedRow *row)
{
	const char *base = g_ptr_array_index(pair->sides[0].keys, row->base);
	const char *head = g_ptr_array_index(pair->sides[1].keys, row->head);
	if (g_str_equal(base, head))
		return TRUE;
	g_autofree char *base_shape = shape_of(base), *head_shape = shape_of(head);
	return g_str_equal(base_shape, head_shape);
}

/* Takes apart the pairs of which one instruction does not stand for the other, as "xor eax,edx" and "xor edx,edx",
 * which have most of their characters in common: of several in a row those of base come first. */
static GArray *take_apart(const CodePair *pair, const GArray *aligned)
{
	GArray *rows = g_array_sized_new(FALSE, FALSE, sizeof(AlignedRow), aligned->len);
	for (guint i = 0, next; i < aligned->len; i = next) {
		const AlignedRow *first = &g_array_index(aligned, AlignedRow, i);
		for (next = i; next < aligned->len; next++) {
			const AlignedRow *row = &g_array_index(aligned, AlignedRow, next);
			if (row->base == TEXT_ALIGN_NONE || row->head == TEXT_ALIGN_NONE || are_alike(pair, row))
				break;
		}
		if (next == i) {
			g_array_append_val(rows, *first);
			next++;
			continue;
		}
		for (guint side = 0; side < N_SIDES; side++)
			for (guint at = i; at < next; at++) {
				const AlignedRow *both = &g_array_index(aligned, AlignedRow, at);
				AlignedRow one = {side == 0 ? both->base : TEXT_ALIGN_NONE,
				        side == 1 ? both->head : TEXT_ALIGN_NONE};
				g_array_append_val(rows, one);
			}
	}
	return rows;
}

static GArray *make_rows(const CodePair *pair, const GArray *all)
{
	g_autoptr(GArray) aligned = take_apart(pair, all);

	GArray *rows = g_array_new(FALSE, FALSE, sizeof(AnnotatedInstruction));
	for (guint i = 0; i < aligned->len; i++) {
		AnnotatedInstruction row = make_row(pair, &g_array_index(aligned, AlignedRow, i));
		g_array_append_val(rows, row);
	}
	return rows;
}

/* Nothing is known to differ if one side has no listing. */
static double *weigh(const CodePair *pair, const GArray *rows)
{
	gboolean both = pair->sides[0].listed != NULL && pair->sides[1].listed != NULL;
	double *weights = g_new0(double, MAX(rows->len, 1)), sum = 0;
	for (guint i = 0; i < rows->len; i++) {
		const AnnotatedInstruction *row = &g_array_index(rows, AnnotatedInstruction, i);
		weights[i] = fmax(fmax(row->base_self, row->head_self), 0); /* NaN is none */
		sum += weights[i];
	}
	for (guint i = 0; both && i < rows->len; i++) {
		const AnnotatedInstruction *row = &g_array_index(rows, AnnotatedInstruction, i);
		if (row->in_base != row->in_head || row->base_text != NULL)
			weights[i] += sum > 0 ? WEIGHT_OF_CHANGE * sum : 1;
	}
	return weights;
}

static void add_gap(FunctionAnnotation *annotation, guint n_left_out)
{
	if (n_left_out == 0)
		return;
	AnnotatedInstruction gap = {.n_left_out = n_left_out, .text = g_strdup(""), .base_self = NAN, .head_self = NAN};
	g_array_append_val(annotation->instructions, gap);
}

static void show_rows(FunctionAnnotation *annotation, const CodePair *pair, const GArray *aligned)
{
	RowLimits limits = {.context = ANNOTATION_CONTEXT, .most = ANNOTATION_MAX_ROWS};
	g_autoptr(GArray) rows = make_rows(pair, aligned);
	g_autofree double *weights = weigh(pair, rows);
	g_autofree gboolean *shown = row_choice(weights, rows->len, limits);
	guint left_out = 0;
	for (guint i = 0; i < rows->len; i++) {
		AnnotatedInstruction row = g_array_index(rows, AnnotatedInstruction, i);
		if (!shown[i]) {
			left_out++;
			continue;
		}
		add_gap(annotation, left_out);
		left_out = 0;
		row.text = g_strdup(row.text);
		row.base_text = g_strdup(row.base_text);
		g_array_append_val(annotation->instructions, row);
	}
	add_gap(annotation, left_out);
}

/* --- notes --- */

static void note_side(FunctionAnnotation *annotation, const CodeSide *side, const char *name)
{
	double share = side->all > 0 ? 1 - side->seen / side->all : 0;
	if (side->listed == NULL)
		return;
	if (share > SHARE_WORTH_A_WORD) {
		g_autofree char *about = number_about(share);
		g_autofree char *clause =
		        g_strdup_printf("%s of its cost in %s is in other code of that name", about, name);
		annotation_add_note(&annotation->instructions_note, clause);
	}
	const char *note = side->side->code[0].listing->note;
	if (note != NULL) {
		g_autofree char *clause = g_strdup_printf("%s: %s", name, note);
		annotation_add_note(&annotation->instructions_note, clause);
	}
}

gboolean annotation_add_code(FunctionAnnotation *annotation, const AnnotatedCodeInput *input, GError **error)
{
	CodeSide sides[N_SIDES];
	CodePair pair = {.sides = sides, .strip_prefixes = input->strip_prefixes};
	for (guint s = 0; s < N_SIDES; s++)
		code_side_init(&sides[s], s, input);
	TextLines base = {(const char *const *)sides[0].keys->pdata, sides[0].keys->len},
	          head = {(const char *const *)sides[1].keys->pdata, sides[1].keys->len};
	g_autoptr(GArray) aligned = text_align(&base, &head, FALSE, error);
	if (aligned != NULL)
		show_rows(annotation, &pair, aligned);
	for (guint s = 0; s < N_SIDES; s++) {
		if (aligned != NULL)
			note_side(annotation, &sides[s], sides_name((int)s));
		code_side_clear(&sides[s]);
	}
	return aligned != NULL;
}
