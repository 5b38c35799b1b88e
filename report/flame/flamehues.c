/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamehues.h"

#include <math.h>
#include <string.h>

/* Shares of the three ranges. */
typedef struct {
	double v1, v2, v3;
} Shares;

/* One component: base + (int)(range * share). */
typedef struct {
	int base, range;
	enum { BY_V1, BY_V2, BY_V3 } by;
} Component;

typedef struct {
	Component red, green, blue;
} Hue;

/* Of those that are one hue; the others choose among them. */
static const Hue hues[N_FLAME_COLORS] = {
        [FLAME_COLORS_HOT] = {{205, 50, BY_V3}, {0, 230, BY_V1}, {0, 55, BY_V2}},
        [FLAME_COLORS_MEM] = {{0, 0, BY_V3}, {190, 50, BY_V2}, {0, 210, BY_V1}},
        [FLAME_COLORS_IO] = {{80, 60, BY_V1}, {80, 60, BY_V1}, {190, 55, BY_V2}},
        [FLAME_COLORS_RED] = {{200, 55, BY_V1}, {50, 80, BY_V1}, {50, 80, BY_V1}},
        [FLAME_COLORS_GREEN] = {{50, 60, BY_V1}, {200, 55, BY_V1}, {50, 60, BY_V1}},
        [FLAME_COLORS_BLUE] = {{80, 60, BY_V1}, {80, 60, BY_V1}, {205, 50, BY_V1}},
        [FLAME_COLORS_YELLOW] = {{175, 55, BY_V1}, {175, 55, BY_V1}, {50, 20, BY_V1}},
        [FLAME_COLORS_PURPLE] = {{190, 65, BY_V1}, {80, 60, BY_V1}, {190, 65, BY_V1}},
        [FLAME_COLORS_AQUA] = {{50, 60, BY_V1}, {165, 55, BY_V1}, {165, 55, BY_V1}},
        [FLAME_COLORS_ORANGE] = {{190, 65, BY_V1}, {90, 65, BY_V1}, {0, 0, BY_V1}},
};

/* The sum of the code points; bytes that are no UTF-8 count as they are. flamegraph.pl takes it with unpack("%32W*"), a
 * checksum of 32 bits, so the sum may run over here as it does there. */
static guint32 sum_of_letters(const char *name)
{
	guint32 sum = 0;
	gboolean valid = g_utf8_validate(name, -1, NULL);
	for (const char *at = name; *at != '\0'; at = valid ? g_utf8_next_char(at) : at + 1)
		sum += valid ? g_utf8_get_char(at) : (guchar)*at;
	return sum;
}

/* srand48(seed), then one drand48(): POSIX says which numbers these are. Perl has brought its own drand48() since 5.20,
 * so flamegraph.pl draws the same number on every system. */
static double first_random(guint32 seed)
{
	guint64 x = (guint64)seed << 16 | 0x330e;
	x = (x * G_GUINT64_CONSTANT(0x5deece66d) + 0xb) & G_GUINT64_CONSTANT(0xffffffffffff);
	return (double)x / 281474976710656.; /* 2^48 */
}

/* The name of a module in front of a backquote does not count. */
static const char *without_module(const char *name)
{
	const char *tick = strchr(name, '`');
	return tick != NULL && tick > name ? tick + 1 : name;
}

/* Takes the hue from the first three letters. Each letter counts .7 times as much as the one before it, and each has
 * another modulus, as in namehash() of flamegraph.pl: other numbers would be other colours than those that its users
 * know. */
static double share_of_letters(const char *name)
{
	double sum = 0, most = 1, weight = 1;
	const char *at = without_module(name);
	for (guint modulus = 10; modulus <= 12 && *at != '\0'; modulus++, at = g_utf8_next_char(at)) {
		sum += (double)(g_utf8_get_char(at) % modulus) / (modulus - 1) * weight;
		most += weight;
		weight *= .7;
	}
	return 1 - sum / most;
}

static Shares shares_of(const char *name, gboolean by_letters)
{
	if (!by_letters) {
		double v = first_random(sum_of_letters(name));
		return (Shares){v, v, v};
	}
	/* Steps of UTF-8 over bytes that are none could go past the end of the name. */
	g_autofree char *valid = g_utf8_make_valid(name, -1), *reversed = g_utf8_strreverse(valid, -1);
	double last = share_of_letters(reversed);
	return (Shares){share_of_letters(valid), last, last};
}

static gboolean is_annotated(const char *name, FrameKind kind, char mark)
{
	const char suffix[] = {'_', '[', mark, ']', '\0'};
	return g_str_has_suffix(name, suffix) || (mark == 'k' && kind == FRAME_KERNEL) ||
	       (mark == 'j' && kind == FRAME_JIT) || (mark == 'i' && kind == FRAME_INLINED);
}

static gboolean is_java_path(const char *name)
{
	static const char *const roots[] = {"java/", "javax/", "jdk/", "net/", "org/", "com/", "io/", "sun/"};
	for (gsize i = 0; i < G_N_ELEMENTS(roots); i++)
		if (g_str_has_prefix(name, roots[i]) || (*name == 'L' && g_str_has_prefix(name + 1, roots[i])))
			return TRUE;
	return FALSE;
}

static FlameColors java_hue(const char *name, FrameKind kind)
{
	if (is_annotated(name, kind, 'j'))
		return FLAME_COLORS_GREEN;
	if (is_annotated(name, kind, 'i'))
		return FLAME_COLORS_AQUA;
	if (is_java_path(name) || strstr(name, ":::") != NULL)
		return FLAME_COLORS_GREEN;
	if (strstr(name, "::") != NULL)
		return FLAME_COLORS_YELLOW;
	return is_annotated(name, kind, 'k') ? FLAME_COLORS_ORANGE : FLAME_COLORS_RED;
}

static FlameColors js_hue(const char *name, FrameKind kind)
{
	const char *slash = strchr(name, '/');
	if (is_annotated(name, kind, 'j'))
		return slash != NULL ? FLAME_COLORS_GREEN : FLAME_COLORS_AQUA;
	if (strstr(name, "::") != NULL)
		return FLAME_COLORS_YELLOW;
	if (slash != NULL && strstr(slash, ".js") != NULL)
		return FLAME_COLORS_GREEN;
	if (strchr(name, ':') != NULL)
		return FLAME_COLORS_AQUA;
	return is_annotated(name, kind, 'k') ? FLAME_COLORS_ORANGE : FLAME_COLORS_RED;
}

static FlameColors perl_hue(const char *name, FrameKind kind)
{
	if (strstr(name, "::") != NULL)
		return FLAME_COLORS_YELLOW;
	if (strstr(name, "Perl") != NULL || strstr(name, ".pl") != NULL)
		return FLAME_COLORS_GREEN;
	return is_annotated(name, kind, 'k') ? FLAME_COLORS_ORANGE : FLAME_COLORS_RED;
}

static FlameColors choose_hue(FlameColors colors, const char *name, FrameKind kind)
{
	switch (colors) {
	case FLAME_COLORS_JAVA:
		return java_hue(name, kind);
	case FLAME_COLORS_JS:
		return js_hue(name, kind);
	case FLAME_COLORS_PERL:
		return perl_hue(name, kind);
	case FLAME_COLORS_WAKEUP:
		return FLAME_COLORS_AQUA;
	case FLAME_COLORS_CHAIN:
		return is_annotated(name, kind, 'w') ? FLAME_COLORS_AQUA : FLAME_COLORS_BLUE;
	default:
		return colors;
	}
}

static guint8 component(Component part, Shares shares)
{
	double share = part.by == BY_V1 ? shares.v1 : part.by == BY_V2 ? shares.v2 : shares.v3;
	return (guint8)(part.base + (int)(part.range * share));
}

/* Rulers between stacks, as perf and Java tools write them. */
static gboolean is_ruler(const char *name, FlameColor *color)
{
	if (strcmp(name, "--") == 0)
		*color = (FlameColor){160, 160, 160};
	else if (strcmp(name, "-") == 0)
		*color = (FlameColor){200, 200, 200};
	else
		return FALSE;
	return TRUE;
}

FlameColor flame_hue(FlameColors colors, const char *name, FrameKind kind, gboolean by_letters)
{
	FlameColor color;
	if (is_ruler(name, &color))
		return color;
	const Hue *hue = &hues[choose_hue(colors, name, kind)];
	Shares shares = shares_of(name, by_letters);
	return (FlameColor){component(hue->red, shares), component(hue->green, shares), component(hue->blue, shares)};
}
