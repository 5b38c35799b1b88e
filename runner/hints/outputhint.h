/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a benchmark wrote for signs that it did not do its work: a usage text, an error, a file that is missing, a
 * filter that matched nothing. A program that prints such a thing and exits with 0 measures the printing. */
#pragma once

#include <glib.h>

typedef enum {
	COMPLAINT_NONE,
	COMPLAINT_USAGE,        /* it explained its options */
	COMPLAINT_MISSING_FILE, /* it could not open a file */
	COMPLAINT_NOTHING_RAN,  /* it had no benchmark or test to run */
	COMPLAINT_ERROR,        /* it said "error:" */
} ComplaintKind;

typedef struct {
	ComplaintKind kind;
	char *line; /* that says it, valid UTF-8, shortened; owned */
} Complaint;

/* The first complaint of a text, standard error or output. Lines in which a number follows ("error: 0.02") are results
 * and none. */
Complaint complaint_of(const char *text);
/* Adds all lines of a text that are complaints, of char *, as far as there are not too many; owned by the array. They
 * are for comparing two sides: lines that say in other words that something failed are among them. */
void complaint_lines(const char *text, GPtrArray *lines);
/* Frees what a complaint owns. */
void complaint_clear(Complaint *complaint);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Complaint, complaint_clear)

/* The change that helps, as a clause: where the missing file lies in `tree`, what to do about options. `cwd` as in
 * StartPlace. Owned by the caller. */
char *complaint_remedy(const Complaint *complaint, const char *tree, const char *cwd);
