/* SPDX-License-Identifier: Apache-2.0 */
#include "model/canonical.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

/* Longer names are not demangled, and names whose result would be longer stay as they are: it may be exponentially
 * longer than the name. */
#define MAX_MANGLED_BYTES 65536
#define MAX_DEMANGLED_BYTES 65536

/* `.name`, with or without `.number` after it. */
static const char *const clone_suffixes[] = {
        "constprop", "isra", "part", "cold", "lto_priv", "llvm", "localalias", "clone", "warm", "hot"};

static gboolean is_number(const char *text, gsize length)
{
	for (gsize i = 0; i < length; i++)
		if (!g_ascii_isdigit(text[i]))
			return FALSE;
	return length > 0;
}

static gboolean is_clone_suffix(const char *text, gsize length)
{
	for (guint i = 0; i < G_N_ELEMENTS(clone_suffixes); i++)
		if (strlen(clone_suffixes[i]) == length && memcmp(clone_suffixes[i], text, length) == 0)
			return TRUE;
	return FALSE;
}

/* The start of the last `.word` of a name, or the length if there is none. */
static gsize last_dot(const char *name, gsize length)
{
	for (gsize i = length; i-- > 1;)
		if (name[i] == '.')
			return i;
	return length;
}

/* The length without the last suffix; the length as it is if there is none. */
static gsize without_suffix(const char *name, gsize length)
{
	gsize dot = last_dot(name, length), before = dot;
	if (dot == length)
		return length;
	if (is_number(name + dot + 1, length - dot - 1)) {
		before = last_dot(name, dot);
		if (before == dot)
			return length;
	} else {
		dot = length;
	}
	return is_clone_suffix(name + before + 1, dot - before - 1) ? before : length;
}

char *canonical_linkage_name(const char *linkage_name)
{
	const char *version = strchr(linkage_name, '@');
	/* The version of a symbol comes after an @. `name@plt` is no version of `name`: it is the stub that jumps to
	 * it, with a cost of its own. */
	gsize length = version != NULL && version > linkage_name && version[1] != '\0' &&
	                               !g_str_has_suffix(linkage_name, "@plt")
	                       ? (gsize)(version - linkage_name)
	                       : strlen(linkage_name);
	for (gsize shorter = without_suffix(linkage_name, length); shorter < length;
	        shorter = without_suffix(linkage_name, length))
		length = shorter;
	return g_strndup(linkage_name, length);
}

/* A demangled name while it is made. A mangled name of some hundred bytes can stand for one of gigabytes, so making it
 * is given up as soon as it is too long. Neither demangler holds memory of its own while it hands out text. */
typedef struct {
	GString *text;
	jmp_buf too_long;
} Demangled;

static void take_text(const char *text, size_t length, void *data)
{
	Demangled *demangled = data;
	if (length > MAX_DEMANGLED_BYTES - demangled->text->len)
		longjmp(demangled->too_long, 1);
	g_string_append_len(demangled->text, text, (gssize)length);
}

/* Demangles as cplus_demangle() does with DMGL_AUTO: Rust is tried first, because its names look like those of C++. */
static gboolean demangle_into(Demangled *demangled, const char *name)
{
	if (setjmp(demangled->too_long) != 0)
		return FALSE;
	if (rust_demangle_callback(name, DMGL_AUTO | DMGL_ANSI, take_text, demangled) != 0)
		return TRUE;
	g_string_truncate(demangled->text, 0);
	return cplus_demangle_v3_callback(name, DMGL_AUTO | DMGL_ANSI, take_text, demangled) != 0;
}

static char *demangled(const char *name)
{
	gboolean is_mangled = g_str_has_prefix(name, "_Z") || g_str_has_prefix(name, "_R");
	if (!is_mangled || strlen(name) > MAX_MANGLED_BYTES)
		return NULL;
	Demangled made = {.text = g_string_new(NULL)};
	gboolean ok = demangle_into(&made, name) && made.text->len > 0;
	return g_string_free(made.text, !ok);
}

/* The length of `#12` before a closing brace, or of the digits after clang's `$_`, at `at` of a name; 0 if there is
 * neither. */
static gsize number_length(const char *name, const char *at)
{
	if (*at == '#') {
		gsize digits = strspn(at + 1, "0123456789");
		return digits > 0 && at[1 + digits] == '}' ? digits + 1 : 0;
	}
	gboolean is_lambda = at - name >= 2 && at[-1] == '_' && at[-2] == '$';
	return is_lambda ? strspn(at, "0123456789") : 0;
}

void canonical_drop_numbers(char *name)
{
	char *to = name;
	for (const char *at = name; *at != '\0';) {
		at += number_length(name, at);
		if (*at != '\0')
			*to++ = *at++;
	}
	*to = '\0';
}

char *canonical_name(const char *linkage_name)
{
	g_autofree char *cut = canonical_linkage_name(linkage_name);
	char *name = demangled(cut);
	if (name != NULL)
		canonical_drop_numbers(name);
	return name != NULL ? name : g_steal_pointer(&cut);
}

char *canonical_module(const char *path)
{
	enum { CARGO_HASH_DIGITS = 16 };
	char *name = g_path_get_basename(path), *so = strstr(name, ".so."), *dash = strrchr(name, '-');
	if (so != NULL && so > name && strspn(so + 4, "0123456789.") == strlen(so + 4))
		so[3] = '\0';
	else if (dash != NULL && dash > name && strlen(dash + 1) == CARGO_HASH_DIGITS &&
	         strspn(dash + 1, "0123456789abcdef") == CARGO_HASH_DIGITS)
		*dash = '\0';
	return name;
}
