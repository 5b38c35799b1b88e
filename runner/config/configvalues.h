/* SPDX-License-Identifier: Apache-2.0 */
/* Values of firebreak.yml that are more than their type: which names, folders, events and dates may stand there.
 *
 * Functions of the rows of runner/config/configkeys.c; runner/config/configkey.h says what `check` and `read` are.
 * Errors: FIREBREAK_ERROR_USAGE with file:line:column. */
#pragma once

#include "runner/config/configkey.h"

#define CONFIG_ACCEPT_REASON_MAX 1000 /* characters */

/* Names of benchmarks, which are parts of file names. */
gboolean config_check_name(const YamlNode *node, gpointer field, GError **error);
/* A folder inside the repository. */
gboolean config_check_cwd(const YamlNode *node, gpointer field, GError **error);
/* Tells which cases of a framework are run: a line of text. */
gboolean config_check_filter(const YamlNode *node, gpointer field, GError **error);
/* Paths of files and folders below the root, without what leads out of it; makes "./bench//" into "bench". */
gboolean config_check_files(const YamlNode *node, gpointer field, GError **error);
/* Names of metrics that a benchmark may report. */
gboolean config_check_metrics(const YamlNode *node, gpointer field, GError **error);
/* Names of events, or "off-cpu". */
gboolean config_check_profiles(const YamlNode *node, gpointer field, GError **error);
/* A number is one of commits; whether a revision exists is for the check to find out. */
gboolean config_check_anchor(const YamlNode *node, gpointer field, GError **error);
/* Takes white space off both ends; there must be words. */
gboolean config_check_reason(const YamlNode *node, gpointer field, GError **error);

/* A number within the bounds of the key, or `reported`; into a ConfigBenchmark. */
gboolean config_read_work(const YamlNode *node, const ConfigKey *key, gpointer benchmark, GError **error);
/* `true`, `false` or `strict`; into a ConfigBenchmark. */
gboolean config_read_functions(const YamlNode *node, const ConfigKey *key, gpointer benchmark, GError **error);
/* A list of the choices of the key, or `none`; into a Config. */
gboolean config_read_sources(const YamlNode *node, const ConfigKey *key, gpointer config, GError **error);
/* A day such as 2026-12-31; into a ConfigAccept, with the second at which it ends. */
gboolean config_read_until(const YamlNode *node, const ConfigKey *key, gpointer accept, GError **error);
