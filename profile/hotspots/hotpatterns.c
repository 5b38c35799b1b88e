/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/hotpatterns.h"

#include "profile/hotspots/hotspots.h"
#include "profile/hotspots/labelsums.h"
#include "profile/read/profileread.h"

#include <string.h>

typedef enum {
	FAMILY_ALLOCATION,
	FAMILY_COPYING,
	FAMILY_COMPARING,
	FAMILY_FORMATTING,
	FAMILY_LOCKING,
	FAMILY_PAGE_FAULT,
	N_FAMILIES,
} Family;

#define MAX_NAMES 64
#define MAX_NAME_CHARS 60

typedef struct {
	const char *code;
	double threshold;
	const char *what; /* "%.1f %% of the cost is in ..." */
	const char *remedy;
	const char *names[MAX_NAMES]; /* as normal_name() gives them */
	const char *prefixes[8];      /* of demangled names */
} FamilyRule;

/* Names of glibc and musl, jemalloc, tcmalloc and mimalloc, libstdc++, Rust, Go and the kernel. */
static const FamilyRule rules[N_FAMILIES] = {
        [FAMILY_ALLOCATION] = {"allocation_heavy", PATTERN_ALLOCATION_SHARE, "allocating and freeing memory",
                "reuse buffers, reserve room in advance, or allocate in larger pieces",
                {"malloc", "free", "cfree", "calloc", "realloc", "reallocarray", "memalign", "aligned_alloc",
                        "posix_memalign", "int_malloc", "int_free", "int_realloc", "int_memalign", "malloc_consolidate",
                        "sysmalloc", "systrim", "unlink_chunk", "tcache_init", "int_free_merge_chunk", "int_free_chunk",
                        "int_free_create_chunk", "operator new", "operator new[]", "operator delete",
                        "operator delete[]", "je_malloc", "je_free", "je_calloc", "je_realloc", "tc_malloc", "tc_free",
                        "tc_new", "tc_delete", "mi_malloc", "mi_free", "mi_calloc", "mi_realloc", "rust_alloc",
                        "rust_dealloc", "rust_realloc", "rdl_alloc", "rdl_dealloc", "rdl_realloc", "runtime.mallocgc",
                        "runtime.newobject", "runtime.makeslice", "runtime.growslice", "PyObject_Malloc",
                        "PyObject_Free", "g_malloc", "g_free", "g_malloc0", "g_realloc", "g_slice_alloc",
                        "g_slice_free1"},
                {"alloc::alloc::", NULL}},
        [FAMILY_COPYING] = {"copying", PATTERN_COPYING_SHARE, "copying and filling memory",
                "pass references, move instead of copying, or touch fewer bytes",
                {"memcpy", "memmove", "mempcpy", "memset", "bcopy", "bzero", "explicit_bzero", "strcpy", "strncpy",
                        "stpcpy", "stpncpy", "strcat", "strncat", "strdup", "strndup", "wmemcpy", "wmemset", "wcscpy",
                        "runtime.memmove", "runtime.memclrNoHeapPointers", "copy_user_generic",
                        "copy_user_enhanced_fast_string", "rep_movs_alternative", "clear_page", "copy_page",
                        "clear_page_rep", "clear_page_erms"},
                {NULL}},
        [FAMILY_COMPARING] = {"comparing", PATTERN_COMPARING_SHARE, "comparing strings and memory",
                "compare lengths or hashes first, intern the strings, or look them up in a table",
                {"memcmp", "bcmp", "memcmpeq", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "wmemcmp",
                        "wcscmp", "strstr", "memmem", "runtime.memequal", "runtime.cmpstring", "g_str_equal",
                        "g_strcmp0"},
                {NULL}},
        [FAMILY_FORMATTING] = {"string_formatting", PATTERN_FORMATTING_SHARE, "formatting text",
                "format less often, or convert numbers without a format string",
                {"printf", "fprintf", "dprintf", "sprintf", "snprintf", "asprintf", "vprintf", "vfprintf", "vdprintf",
                        "vsprintf", "vsnprintf", "vasprintf", "vfprintf_internal", "vsnprintf_internal",
                        "vsprintf_internal", "vasprintf_internal", "printf_buffer", "printf_fp_l_buffer", "printf_fp",
                        "printf_fp_l", "itoa_word", "vfwprintf", "vfwprintf_internal", "strftime", "strftime_l",
                        "g_strdup_printf", "g_strdup_vprintf", "g_string_append_printf", "g_string_append_vprintf",
                        "fmt.Sprintf", "fmt.Fprintf"},
                {"core::fmt::", "alloc::fmt::", "fmt::", "std::num_put<", "std::vformat", "std::__format::", NULL}},
        [FAMILY_LOCKING] = {"locking", PATTERN_LOCKING_SHARE, "taking and waiting for locks",
                "hold locks for less time, split them, or share less between threads",
                {"pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_mutex_timedlock",
                        "pthread_mutex_lock_full", "pthread_mutex_cond_lock", "pthread_mutex_unlock_usercnt",
                        "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock", "pthread_spin_lock",
                        "pthread_spin_unlock", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_signal",
                        "pthread_cond_broadcast", "lll_lock_wait", "lll_lock_wait_private", "lll_lock_wake",
                        "lll_lock_wake_private", "lll_mutex_lock_optimized", "futex_abstimed_wait_common",
                        "futex_abstimed_wait_cancelable64", "new_sem_wait_slow64", "do_futex", "futex_wait",
                        "futex_wake", "x64_sys_futex", "arm64_sys_futex", "queued_spin_lock_slowpath",
                        "native_queued_spin_lock_slowpath", "osq_lock", "rwsem_down_write_slowpath",
                        "rwsem_down_read_slowpath", "mutex_spin_on_owner", "std::mutex::lock",
                        "std::condition_variable::wait", "runtime.lock2", "runtime.futex", "sync.(*Mutex).Lock",
                        "g_mutex_lock", "g_mutex_unlock"},
                {"parking_lot::", "std::sys::sync::mutex::", "std::sys::unix::locks::", NULL}},
        [FAMILY_PAGE_FAULT] = {"page_faults", PATTERN_PAGE_FAULT_SHARE, "page faults",
                "touch less fresh memory: reuse it instead of giving it back, or use larger pages",
                {"asm_exc_page_fault", "exc_page_fault", "do_user_addr_fault", "handle_mm_fault", "do_page_fault",
                        "page_fault", "async_page_fault", "el0_da", "el0_ia", "do_mem_abort", "do_anonymous_page"},
                {NULL}},
};

/* The suffixes that libraries give to the names of one function's versions. */
static const char *const version_suffixes[] = {"_avx", "_evex", "_sse", "_ssse3", "_erms", "_unaligned", "_generic",
        "_chk", "_simd", "_asimd", "_neon", "_sve", "_mops", "_thunderx", "_falkor", "_oryon", "_a64fx", "_emag",
        "_kunpeng", "_nontemporal"};

static void cut_version(char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(version_suffixes); i++) {
		char *suffix = strstr(name, version_suffixes[i]);
		if (suffix != NULL)
			*suffix = '\0';
	}
}

/* "__GI___libc_malloc" -> "malloc". */
static const char *skip_prefixes(const char *name)
{
	static const char *const prefixes[] = {"GI_", "libc_", "IO_"};
	name += strspn(name, "_");
	for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		if (g_str_has_prefix(name, prefixes[i]))
			name += strlen(prefixes[i]);
		name += strspn(name, "_");
	}
	return name;
}

/* "__memmove_avx_unaligned_erms" -> "memmove", "operator new(unsigned long)" -> "operator new". Only names that are
 * reserved to libraries have versions. Owned by the caller. */
static char *normal_name(const char *name)
{
	const char *proper = skip_prefixes(name), *end = strpbrk(proper, "(@");
	gboolean is_go_method = end != NULL && g_str_has_prefix(end, "(*");
	char *normal = end == NULL || is_go_method ? g_strdup(proper) : g_strndup(proper, (gsize)(end - proper));
	if (name[0] == '_')
		cut_version(normal);
	return normal;
}

/* Name -> family + 1. The texts are static. */
static GHashTable *family_names(void)
{
	GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint f = 0; f < N_FAMILIES; f++)
		for (guint i = 0; i < MAX_NAMES && rules[f].names[i] != NULL; i++)
			g_hash_table_insert(names, (gpointer)rules[f].names[i], GUINT_TO_POINTER(f + 1));
	return names;
}

/* The families of a function as bits. */
static guint8 families_of(GHashTable *names, const char *name)
{
	g_autofree char *normal = normal_name(name);
	guint family = GPOINTER_TO_UINT(g_hash_table_lookup(names, normal));
	if (family > 0)
		return (guint8)(1u << (family - 1));
	for (guint f = 0; f < N_FAMILIES; f++)
		for (guint i = 0; rules[f].prefixes[i] != NULL; i++)
			if (g_str_has_prefix(name, rules[f].prefixes[i]))
				return (guint8)(1u << f);
	return 0;
}

static gboolean is_kernel(const StackTable *table, const Frame *frame)
{
	return frame->kind == FRAME_KERNEL || strcmp(stack_table_text(table, frame->name), "[kernel]") == 0;
}

/* In brackets, but not of the kernel, nor what the brackets of ours and of perf name well enough. */
static gboolean is_unknown(const StackTable *table, const Frame *frame)
{
	static const char *const known[] = {"[kernel]", "[vdso]", "[vsyscall]", "[idle]", NULL};
	const char *name = stack_table_text(table, frame->name);
	gsize length = strlen(name);
	gboolean bracketed = length > 2 && name[0] == '[' && name[length - 1] == ']';
	return frame->kind != FRAME_KERNEL && (frame->kind == FRAME_SYNTHETIC || bracketed) &&
	       !g_strv_contains(known, name);
}

static void add_cost(ProfileCell *sum, ProfileCell cost)
{
	sum->samples += cost.samples;
	sum->weight += cost.weight;
}

ProfileCell hot_patterns_unknown(const Profile *profile)
{
	const StackTable *table = profile->table;
	ProfileCell sum = {0};
	for (guint i = 1; i < stack_table_n_stacks(table); i++) {
		const Frame *leaf = stack_table_get_frame(table, stack_table_leaf(table, (StackId){i}));
		if (!is_unknown(table, leaf))
			continue;
		add_cost(&sum, profile_stack_total(profile, (StackId){i}));
	}
	return sum;
}

static gboolean is_start(const char *name)
{
	static const char *const starts[] = {"_start", "main", "start_thread", "clone", "clone3", "__clone", "__clone3",
	        "thread_start", "_dl_start", "_dl_start_user", "all"};
	for (guint i = 0; i < G_N_ELEMENTS(starts); i++)
		if (strcmp(name, starts[i]) == 0)
			return TRUE;
	return g_str_has_prefix(name, "__libc_start") || g_str_has_prefix(name, "_rt0_") ||
	       g_str_has_prefix(name, "runtime.");
}

/* The module of the program itself; FALSE if that cannot be told. */
static gboolean main_module(const StackTable *table, NameId *module)
{
	for (guint i = 0; i < stack_table_n_frames(table); i++) {
		const Frame *frame = stack_table_get_frame(table, (FrameId){i});
		gboolean is_main =
		        frame->kind == FRAME_USER && strcmp(stack_table_text(table, frame->name), "main") == 0;
		*module = is_main ? frame->module : *module;
		if (is_main)
			return TRUE;
	}
	return FALSE;
}

/* Wrappers that programs have of their own, and templates of libraries, which end up in the program. */
static gboolean is_wrapper(const char *name)
{
	static const char *const wrappers[] = {
	        "xmalloc", "xcalloc", "xrealloc", "xzalloc", "xnmalloc", "xstrdup", "xstrndup", "xmemdup", NULL};
	static const char *const libraries[] = {"std::", "__gnu_cxx::", "core::", "alloc::", "<alloc::", "<core::"};
	for (guint i = 0; i < G_N_ELEMENTS(libraries); i++)
		if (g_str_has_prefix(name, libraries[i]))
			return TRUE;
	return g_strv_contains(wrappers, name);
}

/* A caller that is worth naming, by FrameId. Owned by the caller. */
static gboolean *own_functions(const StackTable *table, const guint8 *families_by_frame)
{
	NameId module = {0};
	gboolean has_main = main_module(table, &module);
	gboolean *own = g_new0(gboolean, MAX(1, stack_table_n_frames(table)));
	for (guint i = 0; i < stack_table_n_frames(table); i++) {
		const Frame *frame = stack_table_get_frame(table, (FrameId){i});
		const char *name = stack_table_text(table, frame->name);
		own[i] = frame->kind != FRAME_COMMAND && families_by_frame[i] == 0 && !is_kernel(table, frame) &&
		         !is_unknown(table, frame) && !is_start(name) && !is_wrapper(name) &&
		         (!has_main || frame->module.index == module.index);
	}
	return own;
}

/* The data that one pass over the stacks gathers. */
typedef struct {
	const Profile *profile;
	guint8 *families_by_frame;    /* bits */
	guint8 *families_by_stack;    /* of the whole path */
	gboolean *is_own;             /* by FrameId: a function that can be named as caller */
	guint32 *own_by_stack;        /* FrameId + 1 of the innermost own function on the path, 0 = none */
	guint64 *callers[N_FAMILIES]; /* by FrameId: cost of the family's stacks that it called */
	guint64 family_cost[N_FAMILIES];
	guint64 kernel_cost, total;
	guint64 samples;
} Survey;

static void count_families(Survey *survey, guint32 row, guint64 subtree)
{
	const StackTable *table = survey->profile->table;
	StackId parent = stack_table_parent(table, (StackId){row});
	guint8 own = survey->families_by_frame[stack_table_leaf(table, (StackId){row}).index];
	guint8 inherited = survey->families_by_stack[parent.index], entered = own & (guint8)~inherited;
	survey->families_by_stack[row] = own | inherited;
	guint32 caller = survey->own_by_stack[parent.index];
	guint32 leaf = stack_table_leaf(table, (StackId){row}).index;
	survey->own_by_stack[row] = survey->is_own[leaf] ? leaf + 1 : caller;
	if (caller == 0 && parent.index != STACK_ROOT.index)
		caller = stack_table_leaf(table, parent).index + 1;
	for (guint f = 0; f < N_FAMILIES; f++) {
		if ((entered & 1u << f) == 0)
			continue;
		survey->family_cost[f] += subtree;
		if (caller != 0)
			survey->callers[f][caller - 1] += subtree;
	}
}

static void survey_stacks(Survey *survey)
{
	const StackTable *table = survey->profile->table;
	g_autofree ProfileCell *subtrees = label_sums_subtrees(survey->profile);
	survey->total = subtrees[STACK_ROOT.index].weight;
	survey->samples = subtrees[STACK_ROOT.index].samples;
	for (guint32 i = 1; i < stack_table_n_stacks(table); i++) {
		guint64 own = profile_stack_total(survey->profile, (StackId){i}).weight;
		count_families(survey, i, subtrees[i].weight);
		if (own > 0 && is_kernel(table, stack_table_get_frame(table, stack_table_leaf(table, (StackId){i}))))
			survey->kernel_cost += own;
	}
}

static void add_pattern(HotPatterns *found, const char *code, double share, char *text)
{
	HotPattern pattern = {code, share, text};
	g_array_append_val(found->patterns, pattern);
}

/* ", 12.0 % of it from NAME" for the function that called most of the family; "" if that has no name. */
static char *main_caller(const Survey *survey, Family family)
{
	const StackTable *table = survey->profile->table;
	guint best = G_MAXUINT;
	for (guint i = 0; i < stack_table_n_frames(table); i++) {
		const Frame *frame = stack_table_get_frame(table, (FrameId){i});
		gboolean named = frame->kind != FRAME_COMMAND && !is_unknown(table, frame) && !is_kernel(table, frame);
		guint64 cost = survey->callers[family][i];
		if (named && cost > 0 && (best == G_MAXUINT || cost > survey->callers[family][best]))
			best = i;
	}
	if (best == G_MAXUINT)
		return g_strdup("");
	g_autofree char *name = hotspots_short_name(stack_table_frame_name(table, (FrameId){best}), MAX_NAME_CHARS);
	return g_strdup_printf(", %.0f %% of it called by %s",
	        100 * hotspots_share(survey->callers[family][best], survey->family_cost[family]), name);
}

static void report_family(HotPatterns *found, const Survey *survey, Family family)
{
	const FamilyRule *rule = &rules[family];
	double share = hotspots_share(survey->family_cost[family], survey->total);
	if (share < rule->threshold)
		return;
	g_autofree char *caller = main_caller(survey, family);
	add_pattern(found, rule->code, share,
	        g_strdup_printf("%.1f %% of the cost is %s%s: %s", share * 100, rule->what, caller, rule->remedy));
}

static void report_kernel(HotPatterns *found, const Survey *survey)
{
	double share = hotspots_share(survey->kernel_cost, survey->total);
	if (share >= PATTERN_KERNEL_SHARE)
		add_pattern(found, "kernel_dominated", share,
		        g_strdup_printf("%.1f %% of the cost is in the kernel: look with --kernel at what it does, and "
		                        "make fewer or larger system calls",
		                share * 100));
}

static void report_few_samples(HotPatterns *found, const Survey *survey)
{
	double half_width = hotspots_half_width(.1, survey->samples);
	if (survey->samples < PATTERN_FEW_SAMPLES)
		add_pattern(found, "few_samples", half_width,
		        g_strdup_printf("only %" G_GUINT64_FORMAT
		                        " sample%s, so a share of 10 %% is known to ± %.1f percentage "
		                        "points: record longer or at a higher frequency",
		                survey->samples, survey->samples == 1 ? "" : "s", half_width * 100));
}

/* TRUE for the counts of DHAT. They are memory: all of it is allocated, and no part of it is time. */
static gboolean counts_memory(const Profile *profile)
{
	static const char *const events[] = {DHAT_EVENT_BYTES, DHAT_EVENT_BLOCKS, DHAT_EVENT_PEAK, NULL};
	return g_strv_contains(events, profile->event);
}

static HotPatterns *patterns_new(void)
{
	HotPatterns *found = g_new0(HotPatterns, 1);
	found->patterns = g_array_new(FALSE, FALSE, sizeof(HotPattern));
	return found;
}

HotPatterns *hot_patterns_new(const Profile *profile, gboolean counted)
{
	HotPatterns *found = patterns_new();
	if (counts_memory(profile))
		return found;
	const StackTable *table = profile->table;
	guint n_frames = MAX(1, stack_table_n_frames(table));
	g_autoptr(GHashTable) names = family_names();
	g_autofree guint8 *by_frame = g_new0(guint8, n_frames), *by_stack = g_new0(guint8, stack_table_n_stacks(table));
	g_autofree guint64 *callers = g_new0(guint64, (gsize)n_frames * N_FAMILIES);
	Survey survey = {.profile = profile, .families_by_frame = by_frame, .families_by_stack = by_stack};
	for (guint f = 0; f < N_FAMILIES; f++)
		survey.callers[f] = callers + (gsize)f * n_frames;
	for (guint i = 0; i < stack_table_n_frames(table); i++)
		by_frame[i] = families_of(names, stack_table_frame_name(table, (FrameId){i}));
	g_autofree gboolean *own = own_functions(table, by_frame);
	g_autofree guint32 *own_by_stack = g_new0(guint32, stack_table_n_stacks(table));
	survey.is_own = own;
	survey.own_by_stack = own_by_stack;
	survey_stacks(&survey);
	for (guint f = 0; f < N_FAMILIES; f++)
		report_family(found, &survey, f);
	report_kernel(found, &survey);
	if (!counted)
		report_few_samples(found, &survey);
	return found;
}

void hot_patterns_free(HotPatterns *patterns)
{
	if (patterns == NULL)
		return;
	for (guint i = 0; i < patterns->patterns->len; i++)
		g_free(g_array_index(patterns->patterns, HotPattern, i).text);
	g_array_unref(patterns->patterns);
	g_free(patterns);
}
