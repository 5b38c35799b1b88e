/* SPDX-License-Identifier: Apache-2.0 */
/* An option of the command line as data. From the rows of a command come its parsing (options/command.h), and its
 * --help, man page, completions and reference (pages/): a row is all that there is to say about an option.
 *
 *     typedef struct { char *out; int rounds; } Options;
 *     static const Option options[] = {
 *             {"out", 'o', OPTION_FOLDER, "DIR", "output folder", offsetof(Options, out), .section = SECTION_OUTPUT},
 *             {"rounds", 0, OPTION_INT, "N", "so many rounds", offsetof(Options, rounds), .min = 1, .max = 62},
 *     };
 *
 * An option that is not given leaves its member as it is, so 0 and NULL in a member can mean "not given" where they are
 * no value that passes. Texts belong to the struct and are freed by command_clear(). */
#pragma once

#include <glib.h>
#include <stddef.h>

/* The kind of value that an option takes, and the type of its member. */
typedef enum {
	OPTION_FLAG,    /* nothing; gboolean */
	OPTION_TEXT,    /* char *; one of `choices` if there are any */
	OPTION_HINTED,  /* char *, of which `choices` are only what is offered: the command checks it */
	OPTION_TEXTS,   /* char **, one for each time it is given */
	OPTION_FILE,    /* char *, the name of a file in the encoding of the file system */
	OPTION_FOLDER,  /* the same of a folder */
	OPTION_FILES,   /* char **, one for each time it is given */
	OPTION_CHOICE,  /* int (or an enum): which of `choices` */
	OPTION_INT,     /* int from `min` to `max` */
	OPTION_INT64,   /* gint64, the same */
	OPTION_NUMBER,  /* double, the same */
	OPTION_REFUSED, /* nothing is stored: `help` is why there is no such option. With `argument` it takes a value */
} OptionType;

/* Under which heading an option stands, in this order. */
typedef enum {
	SECTION_GENERAL,
	SECTION_SIDES,
	SECTION_MEASURING,
	SECTION_VERDICT,
	SECTION_READING,
	SECTION_PICTURE,
	SECTION_OUTPUT,
	SECTION_ADVANCED, /* seldom needed */
	SECTION_HIDDEN,   /* taken for the sake of other tools, and in no page */
} OptionSection;
#define N_OPTION_SECTIONS SECTION_HIDDEN

/* A shell can offer these for a value or an argument, besides `choices`. */
typedef enum { OFFER_NOTHING, OFFER_FILES, OFFER_FOLDERS, OFFER_REVISIONS, OFFER_REMOTES, OFFER_COMMANDS } OptionOffer;

typedef struct {
	const char *name; /* without dashes; NULL = only a letter */
	char letter;      /* 0 = none */
	OptionType type;
	const char *argument; /* what its value is called: "FILE"; NULL if it takes none */
	const char *help;     /* one line, lower case, without full stop; NULL only where hidden */
	gsize offset;         /* of the member */
	OptionSection section;
	const char *const *choices; /* NULL-terminated; NULL = any */
	double min, max;            /* of numbers, both included; both 0 = any. "Above 0" is G_MINDOUBLE */
	const char *mistake;        /* said of a value out of bounds; NULL = made from name and bounds */
	guint actions;              /* bits of the command's actions that have it; 0 = all */
} Option;

/* Rows that several commands share, and where in the struct of this one the struct of the rows lies. */
typedef struct {
	const Option *rows;
	guint n;
	gsize offset;
} OptionGroup;
#define OPTION_GROUP(rows, offset)                                                                                     \
	{                                                                                                              \
		rows, G_N_ELEMENTS(rows), offset                                                                       \
	}
#define MAX_OPTION_GROUPS 4

/* TRUE if a value follows the option. */
gboolean option_takes_value(const Option *option);
/* The heading of a section: "Output". Static. */
const char *option_section_title(OptionSection section);
/* The values that a shell can offer. */
OptionOffer option_offer(const Option *option);
/* TRUE if the member in the struct of the option's rows says that the option was given. */
gboolean option_is_set(const Option *option, const void *rows_struct);
/* Frees and clears the member if it holds texts. */
void option_clear(const Option *option, void *rows_struct);
/* "-o, --out=DIR". Owned by the caller. */
char *option_usage(const Option *option);
/* "auto, always or never". Owned by the caller. */
char *option_choices_text(const char *const *choices);
/* The number of the text among `choices`; -1 if it is none of them. */
int option_choice(const char *const *choices, const char *text);
/* Says of a value that is none of the choices or out of bounds what the option takes. Owned by the caller. `value` is
 * what was given; only choices show it. */
char *option_mistake(const Option *option, const char *value);
