/* SPDX-License-Identifier: Apache-2.0 */
/* The firebreak.yml that is proposed for a project, as data and as text.
 *
 * The text ends with a line that holds a checksum of all above it, and its head has one of what was found. By the first
 * one sees later whether somebody edited it, by the second whether there is anything new. */
#pragma once

#include "runner/discover/discovery.h"

typedef struct {
	char *name;       /* as firebreak.yml demands it: unique, letters, digits, `.`, `_`, `-` */
	char **command;   /* argument vector */
	char *cwd;        /* "." = the root */
	char *framework;  /* as firebreak.yml names it; NULL = none */
	char *filter;     /* that runs one case of it; NULL = all */
	gboolean counted; /* a run is too short to be timed: count instructions */
	gint64 timeout_s; /* 0 = the default */
	guint rounds;     /* 0 = the default */
	double run_s;     /* CPU time of a run that is long; 0 = it is not */
	double case_s;    /* CPU time of a run of a framework's case; 0 = no such case */
	char *work_line;  /* "FILE:LINE: TEXT" of a source that may set how much a long run does; NULL = not known */
	char *comment;    /* lines for people; NULL = none */
	char *left_out;   /* why it is written as a comment; NULL = it is proposed */
} ProposedBenchmark;

typedef struct {
	char *build;           /* command; NULL = nothing is built */
	char *systems;         /* "CMake", "CMake, Go in tools" */
	GPtrArray *benchmarks; /* of ProposedBenchmark, in the order of the file */
	GPtrArray *remarks;    /* of char *: what was not understood */
	GPtrArray *looked;     /* of char *: what was looked at where nothing was found */
	char *found;           /* checksum of what was found, proposal_fingerprint() */
} Proposal;

Proposal *proposal_new(void);
void proposal_free(Proposal *proposal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Proposal, proposal_free)

/* Adds a benchmark for the program, or for one case of it (NULL = all of it). It gets a name that no other one has.
 * Borrowed. */
ProposedBenchmark *proposal_add(Proposal *proposal, const DiscoveredProgram *program, const char *case_name);
/* The number of those that are not left out. */
guint proposal_count(const Proposal *proposal);
/* "bench/BM_Parse<int>/8" -> "bench-BM_Parse-int-8", at most 64 characters. Owned by the caller. */
char *proposal_name(const char *text);
/* A short checksum of builds and programs. Owned by the caller. */
char *proposal_fingerprint(const Discovery *discovery);

/* The whole file. Owned by the caller. */
char *proposal_text(const Proposal *proposal);

/* The origin of an existing file, as its checksums tell it. */
typedef enum {
	CONFIG_WRITTEN_BY_HAND, /* or by hand since it was proposed */
	CONFIG_AS_PROPOSED,     /* and what was found is the same */
	CONFIG_OUTDATED,        /* as proposed, but something else was found now */
} ConfigOrigin;
/* `found`: the fingerprint of now. */
ConfigOrigin proposal_origin(const char *text, const char *found);
