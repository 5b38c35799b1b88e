/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/eventparse.h"

#include "core/error.h"
#include "core/nearestword.h"
#include "runner/events/eventpmu.h"
#include "runner/events/eventtables.h"
#include "runner/events/tracefs.h"

#include <string.h>

#define MAX_EVENTS 64
#define MAX_PRECISE 3

/* --- modifiers --- */

typedef struct {
	gboolean user, kernel, hypervisor;
	guint precise;
} Modifiers;

/* Adds what `text` says to *modifiers. */
static gboolean read_modifiers(const char *text, const char *event, Modifiers *modifiers, GError **error)
{
	for (const char *at = text; *at != '\0'; at++) {
		if (*at == 'u')
			modifiers->user = TRUE;
		else if (*at == 'k')
			modifiers->kernel = TRUE;
		else if (*at == 'h')
			modifiers->hypervisor = TRUE;
		else if (*at == 'p')
			modifiers->precise++;
		else if (*at == 'S')
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "event %s: sampling by the leader alone (modifier S) is not supported", event);
		else
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "event %s: unknown modifier \"%c\"; known are u, k, h and p", event, *at);
	}
	if (modifiers->precise > MAX_PRECISE)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "event %s: at most three p modifiers", event);
	return TRUE;
}

/* Where a modifier says which modes are meant, the others are left out. */
static void apply_modifiers(PerfEventSpec *spec, const Modifiers *modifiers)
{
	spec->precise = modifiers->precise;
	if (!modifiers->user && !modifiers->kernel && !modifiers->hypervisor)
		return;
	spec->exclude_user = !modifiers->user;
	spec->exclude_kernel = !modifiers->kernel;
	spec->exclude_hv = !modifiers->hypervisor;
}

/* --- one event --- */

/* The parts of an event's text. */
typedef struct {
	char *name;  /* "cycles", "r1a8", "sched:sched_switch", "cpu/event=1/" */
	char *group; /* of a tracepoint: what stands before its colon, else NULL */
	char *modifiers;
} EventText;

static void event_text_clear(EventText *text)
{
	g_free(text->name);
	g_free(text->group);
	g_free(text->modifiers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(EventText, event_text_clear)

static gboolean is_raw(const char *name)
{
	gsize digits = strspn(name + (name[0] != '\0'), "0123456789abcdefABCDEF");
	return name[0] == 'r' && digits > 0 && digits <= 16 && name[1 + digits] == '\0';
}

/* A colon stands before modifiers, but after the first word of a tracepoint. */
static void split_event(const char *text, EventText *parts)
{
	const char *slash = strrchr(text, '/');
	if (slash != NULL) {
		const char *rest = slash + 1 + (slash[1] == ':');
		parts->name = g_strndup(text, (gsize)(slash + 1 - text));
		parts->modifiers = g_strdup(rest);
		return;
	}
	g_auto(GStrv) words = g_strsplit(text, ":", 3);
	gboolean tracepoint =
	        words[0] != NULL && words[1] != NULL && known_event(words[0]) == NULL && !is_raw(words[0]);
	guint n_name = tracepoint ? 2 : 1;
	g_autofree char *first = g_strdup(words[0] != NULL ? words[0] : "");
	parts->group = tracepoint ? g_strdup(first) : NULL;
	parts->name = tracepoint ? g_strdup_printf("%s:%s", first, words[1]) : g_steal_pointer(&first);
	parts->modifiers = g_strdup(g_strv_length(words) > n_name ? text + strlen(parts->name) + 1 : "");
}

static gboolean unknown_event(const char *name, GError **error)
{
	const char *near = nearest_word(name, known_event_names());
	if (near != NULL)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "unknown event \"%s\"; did you mean \"%s\"?", name, near);
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "unknown event \"%s\"; `perf list` prints what there is, for example cycles, cpu-clock, "
	        "page-faults, cpu/event=0x3c/, sched:sched_switch",
	        name);
}

static gboolean find_tracepoint(const char *root, const EventText *parts, PerfEventSpec *spec, GError **error)
{
	Tracepoint found;
	const char *name = parts->name + strlen(parts->group) + 1;
	if (!tracepoint_find(root, parts->group, name, &found, error))
		return FALSE;
	spec->type = PERF_TYPE_TRACEPOINT;
	spec->config = found.id;
	spec->in_kernel_only = !found.in_user;
	return TRUE;
}

static gboolean find_pmu_event(const char *root, const EventText *parts, PerfEventSpec *spec, GError **error)
{
	const char *slash = strchr(parts->name, '/');
	g_autofree char *pmu = g_strndup(parts->name, (gsize)(slash - parts->name));
	g_autofree char *terms = g_strdup(slash + 1);
	terms[MAX(strlen(terms), 1) - 1] = '\0';
	spec->hardware = TRUE;
	if (*terms == '/' || strlen(pmu) + 1 == strlen(parts->name))
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "event \"%s\" has no terms; write unit/term=value/", parts->name);
	if (event_from_pmu(root, pmu, terms, spec, error))
		return TRUE;
	g_prefix_error(error, "event \"%s\": ", parts->name);
	return FALSE;
}

static gboolean find_event(const char *root, const EventText *parts, PerfEventSpec *spec, GError **error)
{
	const KnownEvent *known = known_event(parts->name);
	spec->unit = g_strdup(known != NULL ? known->unit : "count");
	if (strchr(parts->name, '/') != NULL)
		return find_pmu_event(root, parts, spec, error);
	if (parts->group != NULL)
		return find_tracepoint(root, parts, spec, error);
	if (known != NULL) {
		spec->type = known->type;
		spec->config = known->config;
		spec->in_kernel_only = known->in_kernel_only;
		spec->hardware = known->type != PERF_TYPE_SOFTWARE;
		return TRUE;
	}
	if (!is_raw(parts->name))
		return unknown_event(parts->name, error);
	spec->type = PERF_TYPE_RAW;
	spec->config = g_ascii_strtoull(parts->name + 1, NULL, 16);
	spec->hardware = TRUE;
	return TRUE;
}

/* `more` are the modifiers of the event's group. */
static gboolean parse_event(const char *root, const char *text, const char *more, PerfEventSpec *spec, GError **error)
{
	g_auto(EventText) parts = {0};
	Modifiers modifiers = {0};
	split_event(text, &parts);
	if (!find_event(root, &parts, spec, error) || !read_modifiers(parts.modifiers, text, &modifiers, error) ||
	        !read_modifiers(more, text, &modifiers, error))
		return FALSE;
	apply_modifiers(spec, &modifiers);
	g_autofree char *all = g_strconcat(parts.modifiers, more, NULL);
	g_autofree char *given = g_steal_pointer(&spec->name);
	const char *name = given != NULL ? given : parts.name;
	spec->name = g_strconcat(name, *all != '\0' && !g_str_has_suffix(name, "/") ? ":" : "", all, NULL);
	return TRUE;
}

/* --- lists and groups --- */

typedef struct {
	const char *root;
	GArray *specs;
	guint group;           /* number of the group that is open, 0 = none */
	const char *modifiers; /* of the group */
	gboolean *off_cpu;     /* set where waits are named; NULL = they cannot be */
} EventList;

static gboolean is_off_cpu(const char *text)
{
	return g_str_equal(text, "off-cpu") || g_str_equal(text, "offcpu-time");
}

static gboolean is_breakpoint(const char *text)
{
	return g_str_has_prefix(text, "mem:") && g_ascii_isdigit(text[strlen("mem:")]);
}

static gboolean add_event(const EventList *list, const char *text, GError **error)
{
	PerfEventSpec spec = {.group = list->group};
	if (list->specs->len >= MAX_EVENTS)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "more than %d events", MAX_EVENTS);
	if (*text == '\0')
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "an event has no name");
	if (is_off_cpu(text) && list->off_cpu != NULL) {
		*list->off_cpu = TRUE;
		return list->group == 0 ||
		       firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s cannot be in a group of events", text);
	}
	if (is_breakpoint(text))
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "event %s: breakpoints (mem:...) are not supported", text);
	if (strpbrk(text, "*?[") != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "event \"%s\": patterns are not supported; name each event", text);
	if (!parse_event(list->root, text, list->modifiers, &spec, error)) {
		perf_event_spec_clear(&spec);
		return FALSE;
	}
	g_array_append_val(list->specs, spec);
	return TRUE;
}

/* End of the item that starts at `text`: a comma that stands neither between slashes nor in braces, or the end. */
static const char *item_end(const char *text)
{
	gboolean in_terms = FALSE, in_group = FALSE;
	for (; *text != '\0'; text++) {
		if (*text == '/')
			in_terms = !in_terms;
		else if (!in_terms && *text == '{')
			in_group = TRUE;
		else if (!in_terms && *text == '}')
			in_group = FALSE;
		else if (!in_terms && !in_group && *text == ',')
			break;
	}
	return text;
}

static gboolean add_items(const EventList *list, const char *text, gboolean groups_allowed, GError **error);

static guint next_group(const GArray *specs)
{
	guint last = 0;
	for (guint i = 0; i < specs->len; i++)
		last = MAX(last, g_array_index(specs, PerfEventSpec, i).group);
	return last + 1;
}

/* "{a,b}:u" */
static gboolean add_group(const EventList *list, const char *text, GError **error)
{
	const char *end = strrchr(text, '}');
	if (end == NULL || (end[1] != '\0' && end[1] != ':'))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "event group \"%s\" is not closed", text);
	g_autofree char *inner = g_strndup(text + 1, (gsize)(end - text - 1));
	const EventList members = {.root = list->root,
	        .specs = list->specs,
	        .group = next_group(list->specs),
	        .off_cpu = list->off_cpu,
	        .modifiers = end[1] == ':' ? end + 2 : ""};
	return add_items(&members, inner, FALSE, error);
}

/* The only recursion is from a list into a group, which holds no groups. */
static gboolean add_items(const EventList *list, const char *text, gboolean groups_allowed, GError **error)
{
	for (;;) {
		const char *end = item_end(text);
		g_autofree char *item = g_strstrip(g_strndup(text, (gsize)(end - text)));
		gboolean group = *item == '{';
		if (group && !groups_allowed)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "an event group cannot hold another");
		if (!(group ? add_group(list, item, error) : add_event(list, item, error)))
			return FALSE;
		if (*end == '\0')
			return TRUE;
		text = end + 1;
	}
}

gboolean perf_events_parse_at(const char *root, const char *text, GArray *specs, gboolean *off_cpu, GError **error)
{
	const EventList list = {.root = root, .specs = specs, .modifiers = "", .off_cpu = off_cpu};
	guint before = specs->len;
	if (add_items(&list, text, TRUE, error))
		return TRUE;
	for (guint i = before; i < specs->len; i++)
		perf_event_spec_clear(&g_array_index(specs, PerfEventSpec, i));
	g_array_set_size(specs, before);
	return FALSE;
}

gboolean perf_events_parse(const char *text, GArray *specs, GError **error)
{
	return perf_events_parse_at("/", text, specs, NULL, error);
}

gboolean perf_events_parse_recorded(const char *text, GArray *specs, gboolean *off_cpu, GError **error)
{
	return perf_events_parse_at("/", text, specs, off_cpu, error);
}

const char *const *perf_event_names(void)
{
	return known_event_names();
}
