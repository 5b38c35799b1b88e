/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/policy/gateaccept.h"

#include "core/git/repotrailers.h"
#include "runner/config/configaccept.h"

/* --- what head says --- */

/* Whose `accept` counts: head's own configuration, also where it is the policy. */
static const Config *config_of_head(const Gate *gate)
{
	return gate->head_config != NULL ? gate->head_config : gate->config;
}

static gboolean knows(const Gate *gate, const char *benchmark)
{
	return benchmark == NULL || config_benchmark(gate->config, benchmark) != NULL ||
	       config_benchmark(config_of_head(gate), benchmark) != NULL;
}

/* The name of the benchmark that there is in policy and head, if it is the only one; or NULL. */
static const char *only_benchmark(const Gate *gate)
{
	const Config *head = config_of_head(gate);
	if (gate->config->benchmarks->len != 1 || head->benchmarks->len != 1)
		return NULL;
	const char *name = ((const ConfigBenchmark *)gate->config->benchmarks->pdata[0])->name;
	return config_benchmark(head, name) != NULL ? name : NULL;
}

/* Sets the state, and keeps it. */
static void take(Gate *gate, Acceptance *acceptance, gint64 until_end_s, gint64 head_time_s)
{
	guint source = acceptance->source == ACCEPTANCE_BY_CONFIG ? ACCEPT_FROM_CONFIG : ACCEPT_FROM_TRAILERS;
	AcceptanceFacts facts = {
	        .allowed = (gate->config->accept_from & source) != 0,
	        .knows_benchmark = knows(gate, acceptance->benchmark),
	        .only_benchmark = only_benchmark(gate),
	        .until_end_s = until_end_s,
	        .head_time_s = head_time_s,
	};
	acceptance_examine(acceptance, &facts);
	g_ptr_array_add(gate->result->acceptances, acceptance);
}

/* A copy on one line: it goes into sentences. */
static char *one_line(const char *text)
{
	char *line = g_utf8_make_valid(text, -1);
	for (char *c = line; *c != '\0'; c++)
		if (g_ascii_iscntrl(*c))
			*c = ' ';
	return g_strstrip(line);
}

static void read_entries(Gate *gate, gint64 head_time_s)
{
	const Config *head = config_of_head(gate);
	for (guint i = 0; i < head->accept->len; i++) {
		const ConfigAccept *entry = head->accept->pdata[i];
		Acceptance *acceptance = g_new0(Acceptance, 1);
		acceptance->source = ACCEPTANCE_BY_CONFIG;
		const char *file = gate->request->config_file;
		acceptance->where = g_strdup_printf("%s:%u", file != NULL ? file : CONFIG_FILE, entry->line);
		acceptance->benchmark = g_strdup(entry->benchmark);
		acceptance->function = g_strdup(entry->function);
		acceptance->until = g_strdup(entry->until);
		acceptance->reason = one_line(entry->reason);
		acceptance->is_new = gate->head_config == NULL || !config_accepts_already(gate->config, entry);
		take(gate, acceptance, entry->until_end_s, head_time_s);
	}
}

/* Somebody meant to accept something, and would not learn otherwise why it did not count. */
static void report_strays(Gate *gate, const GPtrArray *strays)
{
	if (strays->len == 0 || (gate->config->accept_from & ACCEPT_FROM_TRAILERS) == 0)
		return;
	g_autofree char *more = strays->len > 1 ? g_strdup_printf(" and %u more", strays->len - 1) : g_strdup("");
	finding_add(gate->result->findings, FINDING_WARNING, "acceptance_misplaced", NULL,
	        "the line " ACCEPTANCE_TRAILER " in the message of commit %.12s%s accepts nothing, since only `Key: "
	        "value` lines of the last paragraph "
	        "count: move it to the end",
	        (const char *)strays->pdata[0], more);
}

static void read_trailers(Gate *gate, const char *head_sha, gint64 head_time_s)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(RepoTrailers) found =
	        repo_trailers_between(gate->repo, gate->choices[SIDE_BASE].sha, head_sha, ACCEPTANCE_TRAILER, &error);
	if (found == NULL) {
		finding_add(gate->result->findings, FINDING_WARNING, "acceptance_unread", NULL,
		        "no trailer " ACCEPTANCE_TRAILER " counts: %s", error->message);
		return;
	}
	gate->trailers_are_cut = found->is_cut;
	report_strays(gate, found->strays);
	for (guint i = 0; i < found->trailers->len; i++) {
		const RepoTrailer *trailer = found->trailers->pdata[i];
		take(gate, acceptance_of_trailer(trailer->sha, trailer->value), 0, head_time_s);
	}
}

void gate_accept_read(Gate *gate)
{
	const Choice *head = &gate->choices[SIDE_HEAD];
	g_autofree char *sha = NULL;
	gint64 head_time_s = 0;
	g_autoptr(GError) error = NULL;
	if (!gate->two_sides || gate->request->mode != CHECK_GATE || gate->request->only_measured)
		return;
	/* the working tree is as old as the commit that it grew from: the clock is no part of a verdict */
	const char *revision = g_str_equal(head->sha, "worktree") ? "HEAD" : head->sha;
	if (!repo_resolve(gate->repo, revision, &sha, &error) ||
	        !repo_commit_time(gate->repo, sha, &head_time_s, &error)) {
		finding_add(gate->result->findings, FINDING_WARNING, "acceptance_unread", NULL,
		        "nothing is accepted: %s", error->message);
		return;
	}
	read_entries(gate, head_time_s);
	read_trailers(gate, sha, head_time_s);
}

/* --- what became of it --- */

/* TRUE if a benchmark that the acceptance is about is still a regression. */
static gboolean is_missed(const Gate *gate, const char *name)
{
	for (guint i = 0; i < gate->result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = gate->result->benchmarks->pdata[i];
		gboolean regressed =
		        benchmark->comparison != NULL && benchmark->comparison->verdict == VERDICT_REGRESSION;
		if (regressed && (name == NULL || g_str_equal(benchmark->name, name)))
			return TRUE;
	}
	return FALSE;
}

/* The scope of the acceptance that was used: one of the same place, with the same reason. Owned by the caller. */
static char *scope_of(const Gate *gate, const char *benchmark, const AcceptedRegression *regression)
{
	const GPtrArray *acceptances = gate->result->acceptances;
	for (guint i = 0; i < acceptances->len; i++) {
		const Acceptance *acceptance = acceptances->pdata[i];
		if (acceptance->state == ACCEPTANCE_USED && g_str_equal(acceptance->where, regression->where) &&
		        g_str_equal(acceptance->reason, regression->reason))
			return acceptance_scope(acceptance);
	}
	return g_strdup(benchmark);
}

static void report_accepted(const Gate *gate, const ResultBenchmark *benchmark)
{
	const GPtrArray *accepted = benchmark->comparison != NULL ? benchmark->comparison->accepted : NULL;
	for (guint i = 0; accepted != NULL && i < accepted->len; i++) {
		const AcceptedRegression *regression = accepted->pdata[i];
		g_autofree char *scope = scope_of(gate, benchmark->name, regression);
		finding_add(gate->result->findings, FINDING_WARNING, "accepted_regression", benchmark->name,
		        "a regression is accepted in %s for %s: %s; the reason given: %s", regression->where, scope,
		        regression->text, regression->reason);
	}
}

/* Tells why it accepts nothing, as the end of a sentence; "" for one that is in force. */
static const char *why_not(AcceptanceState state)
{
	static const char *const clauses[] = {
	        [ACCEPTANCE_UNUSED] = "",
	        [ACCEPTANCE_USED] = "",
	        [ACCEPTANCE_FORBIDDEN] = "the policy of base (accept_from) does not allow it there",
	        [ACCEPTANCE_UNKNOWN_BENCHMARK] = "there is no benchmark of that name; if it is a reason, it must not "
	                                         "begin with a word and a colon",
	        [ACCEPTANCE_NO_REASON] = "it gives no reason",
	        [ACCEPTANCE_UNNAMED] = "it does not say which benchmark it is for: write `" ACCEPTANCE_TRAILER
	                               ": NAME: reason`, or `" ACCEPTANCE_TRAILER ": *: reason` for all of them",
	        [ACCEPTANCE_EXPIRED] = "head was committed after its last day",
	        [ACCEPTANCE_SPENT] =
	                "base has it, too, so it was for an earlier change; accept this one by an entry of "
	                "its own",
	};
	return clauses[state];
}

static void report_acceptance(const Gate *gate, const Acceptance *acceptance)
{
	FindingList *findings = gate->result->findings;
	gboolean missed = is_missed(gate, acceptance->benchmark);
	g_autofree char *scope = acceptance_scope(acceptance);
	switch (acceptance->state) {
	case ACCEPTANCE_USED:
		return;
	case ACCEPTANCE_UNUSED:
		/* of one shard's benchmarks only: `merge` says it of the whole check */
		if (gate->result->shards == NULL)
			acceptance_note_unused(acceptance, findings);
		return;
	case ACCEPTANCE_EXPIRED:
	case ACCEPTANCE_SPENT:
		if (!missed)
			return;
		break;
	case ACCEPTANCE_FORBIDDEN:
	case ACCEPTANCE_UNKNOWN_BENCHMARK:
	case ACCEPTANCE_NO_REASON:
	case ACCEPTANCE_UNNAMED:
		break;
	}
	finding_add(findings, FINDING_WARNING, "acceptance_refused", NULL, "%s accepts nothing (%s): %s",
	        acceptance->where, scope, why_not(acceptance->state));
}

void gate_accept_report(Gate *gate)
{
	const CheckResult *result = gate->result;
	for (guint i = 0; i < result->benchmarks->len; i++)
		report_accepted(gate, result->benchmarks->pdata[i]);
	for (guint i = 0; i < result->acceptances->len; i++)
		report_acceptance(gate, result->acceptances->pdata[i]);
	if (gate->trailers_are_cut && is_missed(gate, NULL))
		finding_add(result->findings, FINDING_WARNING, "acceptance_cut", NULL,
		        "not all commits of the change are in this clone, so a trailer " ACCEPTANCE_TRAILER
		        " may be missed; set fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 (GitLab)");
}
