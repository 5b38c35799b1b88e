/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/modulecode.h"

#include "model/canonical.h"
#include "profile/objects/elfsections.h"
#include "profile/objects/plt.h"

#include <string.h>

enum {
	MAX_SECTIONS = 256,
	MAX_MODULE_BYTES = 128 << 20, /* of all functions */
	MAX_STUBS = 4096,             /* looked for */
};

/* A section takes these addresses. */
typedef struct {
	guint64 from, to;
} SectionRange;

struct ModuleCode {
	const ObjectFile *file;
	const ElfSymbols *symbols;
	guint machine;
	ImageRange image; /* empty where the file is position-independent */
	CodeHasher *hasher;
	GArray *stub_sections;     /* of SectionRange: calls into other files */
	GArray *constant_sections; /* of SectionRange: only read, never relocated */
	GHashTable *hashes;        /* entry of a function, in debug information or symbol table -> CodeHash */
	GHashTable *names;         /* symbol -> canonical name */
	GHashTable *stubs;         /* address -> name, "" = not known */
	gsize left_bytes;
};

static gboolean is_in_sections(const GArray *sections, guint64 address, gsize size)
{
	for (guint i = 0; i < sections->len; i++) {
		const SectionRange *range = &g_array_index(sections, SectionRange, i);
		if (address >= range->from && address < range->to && size <= range->to - address)
			return TRUE;
	}
	return FALSE;
}

static const char *stub_at(ModuleCode *code, guint64 address)
{
	if (!is_in_sections(code->stub_sections, address, 1))
		return NULL;
	const char *name = g_hash_table_lookup(code->stubs, &address);
	if (name == NULL && g_hash_table_size(code->stubs) < MAX_STUBS) {
		g_autofree char *found = plt_name(code->file, address);
		/* plt_name() calls a stub that it cannot name "[plt]", which is no name that two builds could share. */
		char *kept = g_strdup(found != NULL && *found != '[' ? found : "");
		g_hash_table_insert(code->stubs, g_memdup2(&address, sizeof address), kept);
		name = kept;
	}
	return name != NULL && *name != '\0' ? name : NULL;
}

const char *module_code_function(ModuleCode *code, guint64 address, guint64 *start)
{
	const ElfSymbol *symbol = elf_symbols_find(code->symbols, address);
	*start = symbol != NULL ? symbol->start : address;
	if (symbol == NULL)
		return stub_at(code, address);
	char *name = g_hash_table_lookup(code->names, symbol);
	if (name == NULL) {
		name = canonical_name(symbol->name);
		g_hash_table_insert(code->names, (gpointer)symbol, name);
	}
	return name;
}

static const char *function_at(gpointer data, guint64 address)
{
	guint64 start;
	return module_code_function(data, address, &start);
}

/* Where a file is not position-independent, constants may be addresses in it. */
static gboolean may_hold_address(const ModuleCode *code, const guint8 *bytes, gsize size)
{
	for (gsize i = 0; i + sizeof(guint64) <= size; i += sizeof(guint64)) {
		guint64 value;
		memcpy(&value, bytes + i, sizeof value);
		value = GUINT64_FROM_LE(value);
		if (value >= code->image.from && value < code->image.to)
			return TRUE;
	}
	return FALSE;
}

const guint8 *module_code_constant(const ModuleCode *code, guint64 address, gsize size)
{
	if (!is_in_sections(code->constant_sections, address, size))
		return NULL;
	const guint8 *bytes = object_file_bytes(code->file, address, size);
	return bytes != NULL && !may_hold_address(code, bytes, size) ? bytes : NULL;
}

static const guint8 *constant_at(gpointer data, guint64 address, gsize size)
{
	return module_code_constant(data, address, size);
}

/* Of each kind there are a few, or many of the name that a hostile file gives them. */
static void note_section(gpointer data, const char *name, const GElf_Shdr *header)
{
	ModuleCode *code = data;
	const GElf_Xword kinds = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR;
	const SectionRange range = {header->sh_addr, header->sh_addr + header->sh_size};
	if (header->sh_type != SHT_PROGBITS || range.to < range.from)
		return;
	if (g_str_has_prefix(name, ".plt") && (header->sh_flags & kinds) == (SHF_ALLOC | SHF_EXECINSTR))
		g_array_append_val(code->stub_sections, range);
	/* Data that the dynamic linker relocates is written to, so it is not in .rodata but in .data.rel.ro. */
	if (g_str_has_prefix(name, ".rodata") && (header->sh_flags & kinds) == SHF_ALLOC)
		g_array_append_val(code->constant_sections, range);
}

/* From the first to the last address of a file that is loaded where it says. */
static ImageRange find_image(Elf *elf, const GElf_Ehdr *header)
{
	size_t n = 0;
	ImageRange image = {0};
	if (header->e_type != ET_EXEC || elf_getphdrnum(elf, &n) != 0)
		return image;
	for (size_t i = 0; i < n && i < G_MAXUINT16; i++) {
		GElf_Phdr segment;
		if (gelf_getphdr(elf, (int)i, &segment) == NULL || segment.p_type != PT_LOAD ||
		        segment.p_vaddr + segment.p_memsz < segment.p_vaddr)
			continue;
		image.from = image.to == 0 ? segment.p_vaddr : MIN(image.from, segment.p_vaddr);
		image.to = MAX(image.to, segment.p_vaddr + segment.p_memsz);
	}
	return image;
}

ModuleCode *module_code_new(const ObjectFile *file, const ElfSymbols *symbols)
{
	GElf_Ehdr header = {0};
	ModuleCode *code = g_new0(ModuleCode, 1);
	const CodeSurroundings around = {code, function_at, constant_at};
	code->file = file;
	code->symbols = symbols;
	code->left_bytes = MAX_MODULE_BYTES;
	code->stub_sections = g_array_new(FALSE, FALSE, sizeof(SectionRange));
	code->constant_sections = g_array_new(FALSE, FALSE, sizeof(SectionRange));
	code->hashes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	code->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	code->stubs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	if (gelf_getehdr(file->elf, &header) != NULL)
		code->image = find_image(file->elf, &header);
	elf_sections_each(code->file->elf, MAX_SECTIONS, note_section, code);
	code->machine = header.e_machine;
	code->hasher = code_hasher_new(code->machine, code->image, &around);
	return code;
}

void module_code_free(ModuleCode *code)
{
	if (code == NULL)
		return;
	code_hasher_free(code->hasher);
	g_array_unref(code->stub_sections);
	g_array_unref(code->constant_sections);
	g_hash_table_unref(code->hashes);
	g_hash_table_unref(code->names);
	g_hash_table_unref(code->stubs);
	g_free(code);
}

InstructionReader *module_code_reader(const ModuleCode *code)
{
	return instruction_reader_new(code->machine, code->image);
}

static gboolean range_at(const ModuleCode *code, guint64 from, guint64 size, CodeRange *range)
{
	*range = (CodeRange){.size = size, .address = from};
	if (size == 0 || size > CODE_HASH_MAX_BYTES)
		return FALSE;
	range->bytes = object_file_bytes(code->file, from, size);
	return range->bytes != NULL;
}

/* Returns their number; 0 if one of them cannot be read, or none has the address. */
static guint ranges_of_entry(const ModuleCode *code, const ModuleCodeQuery *query, CodeRange *ranges)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;
	guint n = 0;
	gboolean has_address = FALSE;
	while ((at = dwarf_ranges(query->function, at, &base, &from, &to)) > 0) {
		guint64 start = from + query->bias;
		if (n == MODULE_CODE_MAX_PARTS || !range_at(code, start, to - from, &ranges[n++]))
			return 0;
		has_address |= query->address >= start && query->address - start < to - from;
	}
	return has_address ? n : 0;
}

guint module_code_ranges(const ModuleCode *code, const ModuleCodeQuery *query, CodeRange *ranges)
{
	guint n = query->function != NULL ? ranges_of_entry(code, query, ranges) : 0;
	if (n == 0 && query->symbol != NULL)
		n = range_at(code, query->symbol->start, query->symbol->size, &ranges[0]);
	return n;
}

static CodeHash make_hash(ModuleCode *code, const ModuleCodeQuery *query)
{
	CodeRange ranges[MODULE_CODE_MAX_PARTS];
	guint n = module_code_ranges(code, query, ranges);
	gsize size = 0;
	for (guint i = 0; i < n; i++)
		size += ranges[i].size;
	if (size > code->left_bytes)
		return (CodeHash){0};
	code->left_bytes -= size;
	return code_hasher_hash(code->hasher, ranges, n);
}

CodeHash module_code_hash(ModuleCode *code, const ModuleCodeQuery *query)
{
	gconstpointer key = query->function != NULL ? query->function->addr : (gconstpointer)query->symbol;
	CodeHash *known = key != NULL ? g_hash_table_lookup(code->hashes, key) : NULL;
	if (key == NULL)
		return (CodeHash){0};
	if (known == NULL) {
		known = g_new(CodeHash, 1);
		*known = make_hash(code, query);
		g_hash_table_insert(code->hashes, (gpointer)key, known);
	}
	return *known;
}
