/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/dwarfnames.h"

#include "model/canonical.h"
#include "profile/objects/dwarfwalk.h"
#include "profile/objects/sourcelines.h"

#include <dwarf.h>

enum { MAX_ORIGINS = 16, MAX_SCOPES = 64 };

/* C17 and C23 came after the header that we may be built with. */
enum { LANG_C17 = 0x2c, LANG_C23 = 0x3e };

/* A place in the tree of scopes of one unit; row 0 is the unit. */
typedef struct {
	guint32 parent;
	Dwarf_Die die;
} Scope;

typedef struct {
	const DwarfIndex *index;
	GStringChunk *text;
	GHashTable *known;  /* address of the origin's entry -> DwarfName, borrowed from the array of names */
	GHashTable *wanted; /* address of an entry -> DwarfName whose scopes are looked for */
	GHashTable *units;  /* address of a unit's entry -> Dwarf_Die, units that declare them */
	GArray *scopes;     /* of Scope */
} NameResolver;

/* Follows the references from a call or a concrete function to the entry that declares it. */
static Dwarf_Die origin_of(Dwarf_Die die)
{
	for (guint i = 0; i < MAX_ORIGINS; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Die origin;
		if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) == NULL &&
		        dwarf_attr(&die, DW_AT_specification, &attribute) == NULL)
			break;
		if (dwarf_formref_die(&attribute, &origin) == NULL)
			break;
		die = origin;
	}
	return die;
}

static const char *text_attribute(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(die, name, &attribute) != NULL ? dwarf_formstring(&attribute) : NULL;
}

static const char *linkage_name(Dwarf_Die *die)
{
	const char *name = text_attribute(die, DW_AT_linkage_name);
	return name != NULL ? name : text_attribute(die, DW_AT_MIPS_linkage_name);
}

static const char *keep(NameResolver *resolver, const char *text)
{
	return text != NULL && *text != '\0' ? g_string_chunk_insert_const(resolver->text, text) : NULL;
}

static gboolean has_scopes(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case LANG_C17:
	case LANG_C23:
	case DW_LANG_Mips_Assembler:
		return FALSE;
	default:
		return TRUE;
	}
}

static void want_scopes(NameResolver *resolver, Dwarf_Die *origin, DwarfName *name)
{
	Dwarf_Die unit;
	if (dwarf_diecu(origin, &unit, NULL, NULL) == NULL || !has_scopes(&unit))
		return;
	g_hash_table_insert(resolver->wanted, origin->addr, name);
	Dwarf_Die *copy = g_new(Dwarf_Die, 1);
	*copy = unit;
	g_hash_table_insert(resolver->units, unit.addr, copy);
}

/* The file of a place; where it is told relative to the folder that the compiler was started in, with that folder. */
static const char *keep_path(NameResolver *resolver, const SourcePlace *place)
{
	if (place->file == NULL || place->folder == NULL)
		return keep(resolver, place->file);
	g_autofree char *path = g_strdup_printf("%s/%s", place->folder, place->file);
	return keep(resolver, path);
}

static void resolve_name(NameResolver *resolver, guint row, DwarfName *name)
{
	Dwarf_Die *die = &g_array_index(resolver->index->functions, DwarfFunction, row).die;
	Dwarf_Die origin = origin_of(*die);
	const DwarfName *known = g_hash_table_lookup(resolver->known, origin.addr);
	if (known != NULL) {
		*name = *known;
		return;
	}
	/* a copy with code of its own may have a name of its own (a variant of a destructor), which is not that of the
	 * others */
	const char *shared = linkage_name(&origin), *linkage = shared != NULL ? shared : linkage_name(die);
	const char *source_name = text_attribute(die, DW_AT_name);
	g_autofree char *canonical = linkage != NULL ? canonical_name(linkage) : NULL;
	name->name = keep(resolver, canonical != NULL ? canonical : source_name);
	name->linkage_name = keep(resolver, linkage != NULL ? linkage : source_name);
	SourcePlace declared = source_place_of_declaration(die);
	name->file = keep_path(resolver, &declared);
	name->line = declared.line;
	g_hash_table_insert(resolver->known, origin.addr, name);
	if (linkage == NULL && name->name != NULL)
		want_scopes(resolver, &origin, name);
}

static const char *scope_name(Dwarf_Die *die)
{
	const char *name = text_attribute(die, DW_AT_name);
	if (name != NULL)
		return name;
	return dwarf_tag(die) == DW_TAG_namespace ? "(anonymous namespace)" : "{unnamed}";
}

static void set_scopes(NameResolver *resolver, DwarfName *name, guint32 scope)
{
	const char *outer_first[MAX_SCOPES];
	guint n = 0;
	for (; scope != 0 && n < MAX_SCOPES; n++) {
		Scope *row = &g_array_index(resolver->scopes, Scope, scope);
		outer_first[n] = scope_name(&row->die);
		scope = row->parent;
	}
	GString *full = g_string_new(NULL);
	while (n-- > 0)
		g_string_append_printf(full, "%s::", outer_first[n]);
	g_string_append(full, name->name);
	canonical_drop_numbers(full->str);
	name->name = keep(resolver, full->str);
	g_string_free(full, TRUE);
}

static gboolean enter_scope(gpointer data, Dwarf_Die *die, guint32 around, guint32 *inside)
{
	NameResolver *resolver = data;
	Scope scope = {around, *die};
	DwarfName *name = NULL;
	switch (dwarf_tag(die)) {
	case DW_TAG_lexical_block:
		return TRUE;
	case DW_TAG_subprogram:
		name = g_hash_table_lookup(resolver->wanted, die->addr);
		if (name != NULL)
			set_scopes(resolver, name, around);
		break;
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		break;
	default:
		return FALSE;
	}
	*inside = resolver->scopes->len;
	g_array_append_val(resolver->scopes, scope);
	return TRUE;
}

static void resolve_scopes(NameResolver *resolver)
{
	GHashTableIter units;
	gpointer unit;
	const Scope root = {0};
	g_hash_table_iter_init(&units, resolver->units);
	while (g_hash_table_iter_next(&units, NULL, &unit)) {
		g_array_set_size(resolver->scopes, 0);
		g_array_append_val(resolver->scopes, root);
		dwarf_walk(unit, 0, enter_scope, resolver);
	}
}

/* Functions of one origin share its name, which may have got its scopes after they took it. */
static void share_names(NameResolver *resolver, DwarfName *names)
{
	for (guint i = 0; i < resolver->index->functions->len; i++) {
		Dwarf_Die origin = origin_of(g_array_index(resolver->index->functions, DwarfFunction, i).die);
		const DwarfName *known = g_hash_table_lookup(resolver->known, origin.addr);
		names[i] = *known;
	}
}

DwarfName *dwarf_names_resolve(const DwarfIndex *index, GStringChunk *text)
{
	DwarfName *names = g_new0(DwarfName, MAX(1, index->functions->len));
	NameResolver resolver = {.index = index, .text = text};
	resolver.known = g_hash_table_new(NULL, NULL);
	resolver.wanted = g_hash_table_new(NULL, NULL);
	resolver.units = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	resolver.scopes = g_array_new(FALSE, FALSE, sizeof(Scope));
	for (guint i = 0; i < index->functions->len; i++)
		resolve_name(&resolver, i, &names[i]);
	resolve_scopes(&resolver);
	share_names(&resolver, names);
	g_hash_table_unref(resolver.known);
	g_hash_table_unref(resolver.wanted);
	g_hash_table_unref(resolver.units);
	g_array_unref(resolver.scopes);
	return names;
}
