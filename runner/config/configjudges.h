/* SPDX-License-Identifier: Apache-2.0 */
/* Judges if head weakens the gate by a key whose value alone does not tell it.
 *
 * Functions of the rows of runner/config/configkeys.c. Each takes the structs of base and head in which the key stands,
 * and returns a sentence that the caller owns, or NULL if head does not weaken it. */
#pragma once

#include <glib.h>

/* Of a Config. */
char *config_weaker_calibration(gconstpointer base, gconstpointer head);
/* By the anchor of drift. */
char *config_weaker_anchor(gconstpointer base, gconstpointer head);
/* By the margin of drift. */
char *config_weaker_drift_margin(gconstpointer base, gconstpointer head);
/* By the places where a regression can be accepted. */
char *config_weaker_sources(gconstpointer base, gconstpointer head);

/* Of a ConfigBenchmark. */
char *config_weaker_work(gconstpointer base, gconstpointer head);
/* By the part of a run that is measured. */
char *config_weaker_measure(gconstpointer base, gconstpointer head);
/* By the gate of functions. */
char *config_weaker_functions(gconstpointer base, gconstpointer head);
