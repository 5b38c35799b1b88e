/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindexpand.h"

#include "model/canonical.h"
#include "profile/valgrind/callgrindname.h"

#include <string.h>

/* A jump through a table takes so many instructions at most. */
#define STUB_INSTRUCTIONS 4

/* The frames that several call sites have in common: the first `n` of those at `address`. */
typedef struct {
	guint32 address; /* CALLGRIND_NONE = no call site */
	guint n;
	guint32 calls; /* row of `links`; CALLGRIND_NONE = none remembered */
} CommonSite;

static const CommonSite no_site = {.address = CALLGRIND_NONE, .calls = CALLGRIND_NONE};

/* A call at a site, and those before it. */
typedef struct {
	guint32 call, next;
} CallLink;

struct CallgrindExpander {
	CallgrindExpandSource source;
	FrameId *names;      /* by function: its frame by the name in the dump; made when needed */
	gboolean *has_name;  /* by function: it was */
	CommonSite *sites;   /* by context: of the calls of it by its caller */
	PairIndex pairs;     /* (function, function it calls) */
	GArray *pair_sites;  /* of CommonSite, by row of `pairs` */
	GArray *links;       /* of CallLink */
	StackId root;        /* the command */
	StackId *callers;    /* by context: the stack of the call of it */
	gboolean *is_placed; /* by context: that is known */
	GArray *path;        /* of guint32: contexts still to be placed */
	GArray *between;     /* of CallgrindCaller, of the context that is placed */
	/* the last cell */
	guint32 context;
	CallgrindFrames chain;
	StackId stack;
};

static const CallgrindContext *context_at(const CallgrindExpander *expander, guint32 row)
{
	return &g_array_index(expander->source.dump->contexts, CallgrindContext, row);
}

static const CallgrindDumpFunction *function_at(const CallgrindExpander *expander, guint32 row)
{
	return &g_array_index(expander->source.dump->functions, CallgrindDumpFunction, row);
}

/* --- frames --- */

static FrameId make_named_frame(const CallgrindExpander *expander, const CallgrindDumpFunction *function)
{
	StackTable *table = expander->source.table;
	TextPiece name = text_of(function->name);
	gboolean is_known = callgrind_name_is_known(name);
	g_autofree char *shown = is_known ? callgrind_name_canonical(name) : g_strdup("[unknown]");
	const Frame frame = {
	        .name = stack_table_name(table, shown, -1),
	        .module = expander->source.modules[function->object],
	        .raw_name = stack_table_name(table, function->name, -1),
	        .file = stack_table_name(table, function->file, -1),
	        .kind = is_known ? FRAME_USER : FRAME_SYNTHETIC,
	};
	return stack_table_frame(table, &frame);
}

static CallgrindFrames chain_of_name(CallgrindExpander *expander, guint32 function)
{
	if (!expander->has_name[function])
		expander->names[function] = make_named_frame(expander, function_at(expander, function));
	expander->has_name[function] = TRUE;
	return (CallgrindFrames){.frames = &expander->names[function], .n = 1, .address = CALLGRIND_NONE};
}

/* Returns the frames at an instruction of a function. */
static CallgrindFrames chain_at(CallgrindExpander *expander, guint32 function, guint32 address)
{
	const CallgrindExpandSource *source = &expander->source;
	if (address == CALLGRIND_NONE || source->is_unread[function_at(expander, function)->object])
		return chain_of_name(expander, function);
	guint32 resolved = source->addresses[address];
	const AddressFrames *frames = symbol_frames_address(source->frames, resolved);
	return (CallgrindFrames){symbol_frames_of(source->frames, frames), frames->n, frames->is_start, resolved};
}

/* The function alone, without what is inlined. */
static CallgrindFrames chain_of_function(CallgrindExpander *expander, guint32 function)
{
	CallgrindFrames chain = chain_at(expander, function, function_at(expander, function)->address);
	chain.n = 1;
	return chain;
}

static StackId push_chain(const CallgrindExpander *expander, StackId stack, const CallgrindFrames *chain)
{
	stack = chain->is_start ? expander->root : stack;
	for (guint i = 0; i < chain->n; i++)
		stack = stack_table_push(expander->source.table, stack, chain->frames[i]);
	return stack;
}

/* --- call sites --- */

static void add_site(CallgrindExpander *expander, CommonSite *site, guint32 function, guint32 call)
{
	guint32 address = g_array_index(expander->source.dump->calls, CallgrindCall, call).address;
	CallgrindFrames chain = chain_at(expander, function, address);
	if (expander->source.with_calls) {
		const CallLink link = {call, site->calls};
		site->calls = expander->links->len;
		g_array_append_val(expander->links, link);
	}
	if (site->address == CALLGRIND_NONE) {
		site->address = address;
		site->n = chain.n;
		return;
	}
	CallgrindFrames known = chain_at(expander, function, site->address);
	guint n = 0, limit = MIN(site->n, chain.n);
	while (n < limit && known.frames[n].index == chain.frames[n].index)
		n++;
	site->n = n;
}

static CommonSite *site_of_pair(CallgrindExpander *expander, guint32 function, guint32 called)
{
	gboolean is_new;
	guint32 row = pair_index_find_or_add(&expander->pairs, function, called, &is_new);
	if (is_new)
		g_array_append_val(expander->pair_sites, no_site);
	return &g_array_index(expander->pair_sites, CommonSite, row);
}

/* Calls by a caller count at all its levels of recursion, but not those of a function by itself, unless they are what
 * led to the context. */
static gboolean is_of_caller(const CallgrindExpander *expander, const CallgrindCall *call)
{
	const CallgrindContext *caller = context_at(expander, call->caller),
	                       *called = context_at(expander, call->called);
	if (called->caller == call->caller)
		return TRUE;
	if (caller->function == called->function)
		return FALSE;
	return called->caller == CALLGRIND_NONE || context_at(expander, called->caller)->function == caller->function;
}

static void collect_sites(CallgrindExpander *expander)
{
	const CallgrindDump *dump = expander->source.dump;
	for (guint i = 0; i < dump->calls->len; i++) {
		const CallgrindCall *call = &g_array_index(dump->calls, CallgrindCall, i);
		guint32 function = context_at(expander, call->caller)->function;
		guint32 called = context_at(expander, call->called)->function;
		if (is_of_caller(expander, call))
			add_site(expander, &expander->sites[call->called], function, i);
		if (dump->chain->len > 0)
			add_site(expander, site_of_pair(expander, function, called), function, i);
	}
}

/* The frames of the place in `function` from where calls come; at least the function itself. */
static CallgrindFrames chain_of_site(CallgrindExpander *expander, guint32 function, const CommonSite *site)
{
	if (site->address == CALLGRIND_NONE || site->n == 0)
		return chain_of_function(expander, function);
	CallgrindFrames chain = chain_at(expander, function, site->address);
	chain.n = site->n;
	return chain;
}

/* --- stacks of callers --- */

/* TRUE if a function is a jump through a table of addresses that callgrind finds in no object file. What it leads to
 * was called by the function before it. */
static gboolean is_stub(const CallgrindExpander *expander, guint32 function)
{
	const CallgrindDumpFunction *row = function_at(expander, function);
	return *(const char *)expander->source.dump->objects->pdata[row->object] == '\0' &&
	       row->n_addresses <= STUB_INSTRUCTIONS;
}

/* TRUE if a context is a part of the function that led to it by a jump. */
static gboolean is_part(
        CallgrindExpander *expander, const CallgrindContext *context, guint32 function, const CallgrindFrames *site)
{
	if (!function_at(expander, context->function)->is_cold && !function_at(expander, function)->is_cold)
		return FALSE;
	CallgrindFrames own = chain_at(expander, context->function, context->address);
	return own.frames[0].index == site->frames[0].index;
}

static void append_caller(CallgrindExpander *expander, GArray *callers, guint32 function, const CommonSite *site)
{
	const CallgrindCaller caller = {chain_of_site(expander, function, site), site->calls};
	g_array_append_val(callers, caller);
}

/* Appends the callers that the forest tells. */
static void append_below(CallgrindExpander *expander, guint32 row, GArray *callers)
{
	const CallgrindContext *context = context_at(expander, row);
	guint32 function = context_at(expander, context->caller)->function;
	CallgrindFrames site = chain_of_site(expander, function, &expander->sites[row]);
	if (!is_stub(expander, function) && !is_part(expander, context, function, &site))
		append_caller(expander, callers, function, &expander->sites[row]);
}

/* By the name. */
static void append_by_name(CallgrindExpander *expander, guint32 row, GArray *callers)
{
	const CallgrindContext *context = context_at(expander, row);
	const guint32 *chain_functions = (const guint32 *)(gpointer)expander->source.dump->chain->data;
	for (guint i = context->n_chain; i-- > 0;) {
		const guint32 *functions = chain_functions + context->chain;
		if (is_stub(expander, functions[i]))
			continue;
		const CommonSite *site =
		        i == 0 ? &expander->sites[row] : site_of_pair(expander, functions[i], functions[i - 1]);
		append_caller(expander, callers, functions[i], site);
	}
}

void callgrind_expander_callers(CallgrindExpander *expander, guint32 context, GArray *callers)
{
	if (context_at(expander, context)->caller != CALLGRIND_NONE)
		append_below(expander, context, callers);
	else
		append_by_name(expander, context, callers);
}

/* The stack of the call of a context; that of its caller is known. */
static StackId place(CallgrindExpander *expander, guint32 row)
{
	guint32 caller = context_at(expander, row)->caller;
	StackId stack = caller != CALLGRIND_NONE ? expander->callers[caller] : expander->root;
	g_array_set_size(expander->between, 0);
	callgrind_expander_callers(expander, row, expander->between);
	for (guint i = 0; i < expander->between->len; i++)
		stack = push_chain(expander, stack, &g_array_index(expander->between, CallgrindCaller, i).frames);
	return stack;
}

/* Its callers are placed first. */
static StackId callers_of(CallgrindExpander *expander, guint32 row)
{
	for (guint32 at = row; at != CALLGRIND_NONE && !expander->is_placed[at]; at = context_at(expander, at)->caller)
		g_array_append_val(expander->path, at);
	while (expander->path->len > 0) {
		guint32 at = g_array_index(expander->path, guint32, expander->path->len - 1);
		g_array_set_size(expander->path, expander->path->len - 1);
		expander->callers[at] = place(expander, at);
		expander->is_placed[at] = TRUE;
	}
	return expander->callers[row];
}

StackId callgrind_expander_cell(CallgrindExpander *expander, const CallgrindCell *cell)
{
	CallgrindFrames chain = chain_at(expander, context_at(expander, cell->context)->function, cell->address);
	if (cell->context == expander->context && chain.n == expander->chain.n &&
	        memcmp(chain.frames, expander->chain.frames, chain.n * sizeof(FrameId)) == 0)
		return expander->stack;
	expander->context = cell->context;
	expander->chain = chain;
	expander->stack = push_chain(expander, callers_of(expander, cell->context), &chain);
	return expander->stack;
}

StackId callgrind_expander_call(CallgrindExpander *expander, const CallgrindCall *call)
{
	guint32 function = context_at(expander, call->caller)->function;
	CallgrindFrames site = chain_at(expander, function, call->address);
	CallgrindFrames leaf = chain_of_function(expander, context_at(expander, call->called)->function);
	StackId stack = callers_of(expander, call->caller);
	stack = is_stub(expander, function) ? stack : push_chain(expander, stack, &site);
	return push_chain(expander, stack, &leaf);
}

CallgrindFrames callgrind_expander_frames(CallgrindExpander *expander, guint32 context, guint32 address)
{
	return chain_at(expander, context_at(expander, context)->function, address);
}

guint32 callgrind_expander_next_call(const CallgrindExpander *expander, guint32 *calls)
{
	const CallLink *link = &g_array_index(expander->links, CallLink, *calls);
	*calls = link->next;
	return link->call;
}

FrameId callgrind_expander_called(CallgrindExpander *expander, const CallgrindCall *call)
{
	return chain_of_function(expander, context_at(expander, call->called)->function).frames[0];
}

gboolean callgrind_expander_is_stub(const CallgrindExpander *expander, guint32 context)
{
	return is_stub(expander, context_at(expander, context)->function);
}

CallgrindExpander *callgrind_expander_new(const CallgrindExpandSource *source)
{
	CallgrindExpander *expander = g_new0(CallgrindExpander, 1);
	guint n_functions = source->dump->functions->len, n_contexts = source->dump->contexts->len;
	FrameId command = stack_table_frame_named(source->table, source->dump->command, NULL, FRAME_COMMAND);
	expander->source = *source;
	expander->names = g_new(FrameId, n_functions + 1);
	expander->has_name = g_new0(gboolean, n_functions + 1);
	expander->sites = g_new0(CommonSite, n_contexts + 1);
	for (guint i = 0; i < n_contexts; i++)
		expander->sites[i] = no_site;
	expander->pair_sites = g_array_new(FALSE, FALSE, sizeof(CommonSite));
	expander->root = stack_table_push(source->table, STACK_ROOT, command);
	expander->callers = g_new(StackId, n_contexts + 1);
	expander->is_placed = g_new0(gboolean, n_contexts + 1);
	expander->path = g_array_new(FALSE, FALSE, sizeof(guint32));
	expander->between = g_array_new(FALSE, FALSE, sizeof(CallgrindCaller));
	expander->links = g_array_new(FALSE, FALSE, sizeof(CallLink));
	expander->context = CALLGRIND_NONE;
	collect_sites(expander);
	return expander;
}

void callgrind_expander_free(CallgrindExpander *expander)
{
	if (expander == NULL)
		return;
	g_free(expander->names);
	g_free(expander->has_name);
	g_free(expander->sites);
	pair_index_clear(&expander->pairs);
	g_array_unref(expander->pair_sites);
	g_free(expander->callers);
	g_free(expander->is_placed);
	g_array_unref(expander->path);
	g_array_unref(expander->between);
	g_array_unref(expander->links);
	g_free(expander);
}
