/* SPDX-License-Identifier: Apache-2.0 */
/* One key of firebreak.yml: where it stands, how it is read, what it may be, which way it weakens the gate, and how it
 * is documented. The table of all keys is runner/config/configkeys.c. */
#pragma once

#include "core/yamltree.h"
#include "model/engine.h"

/* The mapping in which a key stands, and so the struct that it is read into. */
typedef enum {
	CONFIG_IN_ROOT,      /* Config */
	CONFIG_IN_BUILD,     /* Config */
	CONFIG_IN_BASELINES, /* Config */
	CONFIG_IN_BENCHMARK, /* ConfigBenchmark */
	CONFIG_IN_GATE,      /* ConfigBenchmark */
	CONFIG_IN_METRIC,    /* ConfigGate: the mapping of one metric in `gate` */
	CONFIG_IN_ACCEPT,    /* ConfigAccept */
} ConfigSection;
#define CONFIG_N_SECTIONS (CONFIG_IN_ACCEPT + 1)

/* The way in which a value is written, and the type of its field. */
typedef enum {
	CONFIG_SECTION,    /* a mapping, or a list of mappings, whose keys have rows of their own; no field */
	CONFIG_INTEGER,    /* guint */
	CONFIG_BOOLEAN,    /* gboolean */
	CONFIG_CHOICE,     /* an enum or gboolean: the number of the word */
	CONFIG_DURATION,   /* gint64, milliseconds */
	CONFIG_PERCENTAGE, /* double, a share */
	CONFIG_TEXT,       /* char * */
	CONFIG_TEXTS,      /* char ** */
	CONFIG_COMMAND,    /* char **: an argument vector */
	CONFIG_OTHER,      /* read by `read` alone, and compared by `compare` alone */
} ConfigKeyType;

/* In which direction a value of head weakens the gate. Every key says so. */
typedef enum {
	CONFIG_WEAKER_UNDECLARED,
	CONFIG_WEAKER_NEVER,
	CONFIG_WEAKER_LOWER,   /* also: switched off */
	CONFIG_WEAKER_HIGHER,  /* also: switched on */
	CONFIG_WEAKER_CHANGED, /* whatever it becomes */
	CONFIG_WEAKER_FEWER,   /* an item of the list is missing */
	CONFIG_WEAKER_INSIDE,  /* the rows of its own mapping say it */
	CONFIG_WEAKER_POLICY,  /* as policy_weakened() (gate/request/policyset.h) finds: by the margins that come of it
	                        */
} ConfigWeaker;

/* Keys of a benchmark by where they may stand. */
typedef enum {
	CONFIG_OWN_KEYS = 1 << 0,     /* in a benchmark alone; all keys that stand elsewhere are such keys, too */
	CONFIG_SHARED_KEYS = 1 << 1,  /* also in `defaults` */
	CONFIG_COUNTED_KEYS = 1 << 2, /* also in `defaults`, and only for benchmarks of the engine callgrind */
	CONFIG_ALL_KEYS = CONFIG_OWN_KEYS | CONFIG_SHARED_KEYS | CONFIG_COUNTED_KEYS,
} ConfigKeySet;

#define CONFIG_NO_FIELD G_MAXSIZE

typedef struct ConfigKey ConfigKey;
struct ConfigKey {
	ConfigSection section;
	const char *name;
	ConfigKeyType type;
	gsize field;                /* offset in the struct of the section; CONFIG_NO_FIELD = checked, and not kept */
	double min, max;            /* of a number; of a list, `max` is the number of items, all different, 0 = any */
	const char *zero;           /* the word for 0 of an integer, which is none of its numbers; NULL = none */
	const char *const *choices; /* words of a choice, or of the items of a list; NULL-terminated */
	gboolean required;
	gboolean in_defaults; /* may stand in `defaults`, too */
	const Engine *engine; /* the engine that alone knows it; NULL = all */
	const char *value;    /* the default, as it would be written; NULL = the field stays 0 */
	const char *absent;   /* in words, where there is no such default */
	/* Checks what has been read; `field` points to it. NULL = nothing to check. */
	gboolean (*check)(const YamlNode *node, gpointer field, GError **error);
	/* Reads the value of a CONFIG_OTHER; `node` is there. */
	gboolean (*read)(const YamlNode *node, const ConfigKey *key, gpointer section, GError **error);
	ConfigWeaker weaker;
	const char *says; /* the sentence if head weakens it; {} is head's number, or the missing item */
	/* In place of both: the sentence, owned by the caller, or NULL if head does not weaken it. */
	char *(*compare)(gconstpointer base, gconstpointer head);
	/* Says of such a value of head in docs/CONFIG.md what `weaker` does not: "is larger, or `0`"; NULL = nothing */
	const char *weakens_if;
	const char *kind;    /* in words, if the type does not say it all */
	const char *meaning; /* Markdown without links; {bounds} is "1 to 62" */
	const char *more;    /* what docs/CONFIG.md says after it, with its links; NULL = nothing */
};
