/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamecolor.h"

#include "report/flame/flamehues.h"

#include <math.h>
#include <string.h>

static const FlameColor neutral = {0xe4, 0xe7, 0xeb};
static const FlameColor more = {0xf2, 0x7d, 0x0c};
static const FlameColor less = {0x4a, 0x97, 0xe0};

/* Told apart in hue and brightness; which module gets which is a matter of its hash. */
static const FlameColor module_hues[] = {
        {0xf6, 0xc1, 0x77},
        {0x9c, 0xcf, 0xd8},
        {0xeb, 0xbc, 0xba},
        {0xa8, 0xd5, 0x9d},
        {0xc4, 0xb5, 0xe8},
        {0xe8, 0xd4, 0x6a},
        {0x8c, 0xc8, 0xb0},
        {0xf0, 0xa5, 0x8f},
        {0xa3, 0xc4, 0xf3},
        {0xd9, 0xc2, 0xa0},
};
static const FlameColor kernel_hue = {0x9a, 0xa9, 0xc0};
static const FlameColor jit_hue = {0xd6, 0xe2, 0x75};
static const FlameColor command_hue = {0xd0, 0xd7, 0xde};
static const FlameColor user_hue = {0xf6, 0xc1, 0x77};
static const FlameColor white = {0xff, 0xff, 0xff};

const char *flame_color_hex(FlameColor color, char buffer[FLAME_COLOR_HEX_BYTES])
{
	g_snprintf(buffer, FLAME_COLOR_HEX_BYTES, "#%02x%02x%02x", color.red, color.green, color.blue);
	return buffer;
}

static guint8 mix_channel(guint8 from, guint8 to, double share)
{
	return (guint8)lround(from + (to - from) * share);
}

static FlameColor mix(FlameColor from, FlameColor to, double share)
{
	return (FlameColor){
	        mix_channel(from.red, to.red, share),
	        mix_channel(from.green, to.green, share),
	        mix_channel(from.blue, to.blue, share),
	};
}

FlameColor flame_color_change(double strength)
{
	if (!(fabs(strength) > 0))
		return neutral;
	double share = .22 + .78 * sqrt(MIN(fabs(strength), 1));
	return mix(neutral, strength > 0 ? more : less, share);
}

/* FNV-1a: the same in every process, unlike g_str_hash() in every version of GLib. */
static guint32 text_hash(const char *text)
{
	guint32 hash = 2166136261u;
	for (; *text != '\0'; text++)
		hash = (hash ^ (guchar)*text) * 16777619u;
	return hash ^ hash >> 16;
}

const char *const flame_colors_names[N_FLAME_COLORS + 1] = {"module", "kind", "hash", "hot", "mem", "io", "red",
        "green", "blue", "yellow", "purple", "aqua", "orange", "java", "js", "perl", "wakeup", "chain", NULL};

struct FlamePalette {
	const StackTable *table;
	FlameColors colors;
	gboolean by_letters;
	GHashTable *hues; /* index of a module's name -> index of its hue */
};

static int by_text(gconstpointer left, gconstpointer right, gpointer data)
{
	return strcmp(stack_table_text(data, *(const NameId *)left), stack_table_text(data, *(const NameId *)right));
}

/* The modules of all frames of user code, each once, sorted by name. */
static GArray *modules_of(const StackTable *table)
{
	GArray *modules = g_array_new(FALSE, FALSE, sizeof(NameId));
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	for (guint32 i = 0; i < stack_table_n_frames(table); i++) {
		const Frame *frame = stack_table_get_frame(table, (FrameId){i});
		gboolean has_hue = frame->kind == FRAME_USER || frame->kind == FRAME_INLINED;
		if (has_hue && g_hash_table_add(seen, GUINT_TO_POINTER(frame->module.index)))
			g_array_append_val(modules, frame->module);
	}
	g_array_sort_with_data(modules, by_text, (gpointer)table);
	return modules;
}

static void choose_hues(FlamePalette *palette)
{
	const StackTable *table = palette->table;
	gboolean taken[G_N_ELEMENTS(module_hues)] = {FALSE};
	g_autoptr(GArray) modules = modules_of(table);
	for (guint i = 0; i < modules->len; i++) {
		NameId module = g_array_index(modules, NameId, i);
		guint hue = text_hash(stack_table_text(table, module)) % G_N_ELEMENTS(module_hues);
		for (guint tries = 0; taken[hue] && tries < G_N_ELEMENTS(module_hues); tries++)
			hue = (hue + 1) % G_N_ELEMENTS(module_hues);
		taken[hue] = TRUE;
		g_hash_table_insert(palette->hues, GUINT_TO_POINTER(module.index), GUINT_TO_POINTER(hue));
	}
}

FlamePalette *flame_palette_new_of(const StackTable *table, FlameColors colors, gboolean by_letters)
{
	FlamePalette *palette = g_new0(FlamePalette, 1);
	palette->table = table;
	palette->colors = colors;
	palette->by_letters = by_letters;
	palette->hues = g_hash_table_new(NULL, NULL);
	choose_hues(palette);
	return palette;
}

FlamePalette *flame_palette_new(const StackTable *table)
{
	return flame_palette_new_of(table, FLAME_COLORS_MODULE, FALSE);
}

void flame_palette_free(FlamePalette *palette)
{
	if (palette == NULL)
		return;
	g_hash_table_unref(palette->hues);
	g_free(palette);
}

FlameColor flame_palette_module(const FlamePalette *palette, NameId module, FrameKind kind)
{
	switch (kind) {
	case FRAME_KERNEL:
		return kernel_hue;
	case FRAME_JIT:
		return jit_hue;
	case FRAME_COMMAND:
		return palette->colors == FLAME_COLORS_KIND ? command_hue : neutral;
	case FRAME_SYNTHETIC:
	case FRAME_NOTE:
		return neutral;
	case FRAME_USER:
	case FRAME_INLINED:
		break;
	}
	guint index = GPOINTER_TO_UINT(g_hash_table_lookup(palette->hues, GUINT_TO_POINTER(module.index)));
	FlameColor hue = palette->colors == FLAME_COLORS_KIND ? user_hue : module_hues[index];
	return kind == FRAME_INLINED ? mix(hue, white, .5) : hue;
}

FlameColor flame_palette_frame(const FlamePalette *palette, const Frame *frame)
{
	const char *name = stack_table_text(palette->table, frame->name);
	if (palette->colors >= FLAME_COLORS_HOT)
		return flame_hue(palette->colors, name, frame->kind, palette->by_letters);
	guint32 hash = text_hash(name);
	FlameColor hue = palette->colors == FLAME_COLORS_HASH
	                         ? module_hues[hash / 8 % G_N_ELEMENTS(module_hues)]
	                         : flame_palette_module(palette, frame->module, frame->kind);
	return mix(hue, white, hash % 8 / 8. * .24);
}

FlameColor flame_color_verdict(Verdict verdict)
{
	static const FlameColor badges[] = {
	        [VERDICT_PASS] = {0x1a, 0x7f, 0x5a},
	        [VERDICT_REGRESSION] = {0xb9, 0x43, 0x04},
	        [VERDICT_INCONCLUSIVE] = {0x7a, 0x5d, 0x12},
	        [VERDICT_ERROR] = {0x8a, 0x1c, 0x4a},
	};
	return badges[verdict];
}
