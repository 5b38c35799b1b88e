/* SPDX-License-Identifier: Apache-2.0 */
/* The table of addresses that the dynamic linker fills in: what its slots stand for, so that calls through it
 * (-fno-plt, Rust) and variables of other files have names. x86-64 and aarch64. */
#pragma once

#include "profile/objects/objectfile.h"

typedef struct {
	guint64 address;  /* of the slot */
	const char *name; /* of what it gets the address of, borrowed from the file; NULL = something in this file */
	guint64 target;   /* then where that is */
} GotSlot;

typedef struct {
	GArray *slots; /* of GotSlot, sorted by address */
} GotSlots;

/* Reads the slots of the file. The caller clears them. */
void got_slots_init(GotSlots *slots, const ObjectFile *file);
void got_slots_clear(GotSlots *slots);
/* The slot at the address, or NULL. */
const GotSlot *got_slots_find(const GotSlots *slots, guint64 address);
