/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/functionorder.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_SECTIONS 65279u /* with more, their number is somewhere else */
#define MAX_TABLE_BYTES ((guint64)64 << 20)
#define MAX_SYMBOLS 1000000u

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define NATIVE_DATA ELFDATA2LSB
#else
#define NATIVE_DATA ELFDATA2MSB
#endif

typedef struct {
	guint64 address;
	const char *name; /* in `names` */
} Function;

typedef struct {
	char *names;       /* the string table, ended by a NUL */
	GArray *functions; /* of Function, by address */
} FunctionOrder;

static void function_order_clear(FunctionOrder *order)
{
	g_clear_pointer(&order->names, g_free);
	g_clear_pointer(&order->functions, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FunctionOrder, function_order_clear)

/* A piece of the file with a NUL after it, owned by the caller; NULL if it is not there or too large. */
static void *read_piece(int fd, guint64 offset, guint64 size)
{
	if (offset > G_MAXINT64 || size > MAX_TABLE_BYTES)
		return NULL;
	off_t end = lseek(fd, 0, SEEK_END);
	if (end < 0 || offset > (guint64)end || size > (guint64)end - offset)
		return NULL;
	char *piece = g_try_malloc(size + 1);
	if (piece == NULL)
		return NULL;
	piece[size] = '\0';
	for (guint64 done = 0; done < size;) {
		ssize_t got = pread(fd, piece + done, size - done, (off_t)(offset + done));
		if (got <= 0) {
			g_free(piece);
			return NULL;
		}
		done += (guint64)got;
	}
	return piece;
}

/* The section headers, owned by the caller, and their number; NULL if it is no file of this kind. */
static Elf64_Shdr *read_sections(int fd, guint *n)
{
	g_autofree Elf64_Ehdr *header = read_piece(fd, 0, sizeof *header);
	if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != NATIVE_DATA ||
	        header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shnum > MAX_SECTIONS)
		return NULL;
	*n = header->e_shnum;
	return read_piece(fd, header->e_shoff, (guint64)*n * sizeof(Elf64_Shdr));
}

/* The full symbol table, else that of exported symbols; NULL if there is neither. */
static const Elf64_Shdr *find_symbols(const Elf64_Shdr *sections, guint n)
{
	const Elf64_Shdr *found = NULL;
	for (guint i = 0; i < n; i++)
		if (sections[i].sh_type == SHT_SYMTAB || (sections[i].sh_type == SHT_DYNSYM && found == NULL))
			found = &sections[i];
	return found;
}

static int by_address(gconstpointer a, gconstpointer b)
{
	const Function *x = a, *y = b;
	return x->address != y->address ? (x->address < y->address ? -1 : 1) : strcmp(x->name, y->name);
}

/* Functions with code; of several names at one address only the first is kept. */
static GArray *collect(const Elf64_Sym *symbols, guint64 n, const char *names, guint64 names_bytes)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Function));
	for (guint64 i = 0; i < n; i++) {
		const Elf64_Sym *symbol = &symbols[i];
		if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
		        symbol->st_size == 0 || symbol->st_name >= names_bytes)
			continue;
		const Function function = {symbol->st_value, names + symbol->st_name};
		g_array_append_val(all, function);
	}
	g_array_sort(all, by_address);
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(Function));
	for (guint i = 0; i < all->len; i++) {
		const Function *function = &g_array_index(all, Function, i);
		if (i == 0 || function->address != function[-1].address)
			g_array_append_val(functions, *function);
	}
	return functions;
}

static gboolean read_order(const char *path, FunctionOrder *order)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return FALSE;
	guint n = 0;
	g_autofree Elf64_Shdr *sections = read_sections(fd, &n);
	const Elf64_Shdr *table = sections != NULL ? find_symbols(sections, n) : NULL;
	if (table != NULL && table->sh_size / sizeof(Elf64_Sym) > MAX_SYMBOLS)
		table = NULL;
	const Elf64_Shdr *strings = table != NULL && table->sh_link < n ? &sections[table->sh_link] : NULL;
	g_autofree Elf64_Sym *symbols = strings != NULL ? read_piece(fd, table->sh_offset, table->sh_size) : NULL;
	order->names = symbols != NULL ? read_piece(fd, strings->sh_offset, strings->sh_size) : NULL;
	close(fd);
	if (order->names == NULL)
		return FALSE;
	order->functions = collect(symbols, table->sh_size / sizeof *symbols, order->names, strings->sh_size);
	return TRUE;
}

/* name -> name of the function after it; "" after the last one. Borrowed from `order`. */
static GHashTable *followers(const FunctionOrder *order)
{
	GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < order->functions->len; i++) {
		const Function *function = &g_array_index(order->functions, Function, i);
		const char *next = i + 1 < order->functions->len ? function[1].name : "";
		g_hash_table_insert(table, (gpointer)function->name, (gpointer)next);
	}
	return table;
}

gboolean function_order_compare(const char *program, const char *other, OrderChange *change)
{
	g_auto(FunctionOrder) first = {0}, second = {0};
	*change = (OrderChange){0};
	if (!read_order(program, &first) || !read_order(other, &second))
		return FALSE;
	g_autoptr(GHashTable) before = followers(&first), after = followers(&second);
	GHashTableIter iter;
	gpointer name, next, now;
	g_hash_table_iter_init(&iter, before);
	while (g_hash_table_iter_next(&iter, &name, &next))
		if (*(const char *)next != '\0' && g_hash_table_lookup_extended(after, name, NULL, &now)) {
			change->functions++;
			change->moved += g_str_equal(next, now) ? 0 : 1;
		}
	return change->functions > 0;
}
