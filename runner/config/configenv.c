/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configenv.h"

/* Names of variables that code of a pull request must not get. */
typedef struct {
	const char *patterns[24]; /* with *, of upper-case letters */
	const char *reason;       /* "...: names like PATTERN <reason>" */
} EnvRule;

static const EnvRule forbidden_env[] = {
        {{"*TOKEN*", "*SECRET*", "*PASSW*", "*PASSPHRASE*", "*PASSFILE*", "*PASS", "*PASS_*", "*_PWD", "*CREDENTIAL*",
                 "*_KEY*", "*APIKEY*", "*_AUTH", "*_AUTH_CONFIG", "*AWS_*", "AZURE_*", "*NPM_*", "*DATABASE_URL*",
                 "*_DSN", "*_PAT", "*_PAT_*", "NETRC"},
                "hold secrets"},
        {{"*GITHUB_*", "ACTIONS_*", "*_ACTIONS_*", "*CI_JOB_*"}, "control the job"},
        {{"SSH_*", "GPG_AGENT_INFO", "KUBECONFIG", "DOCKER_*", "DBUS_*"},
                "lead to agents and services that act for the user"},
        {{"LD_*", "GCONV_PATH", "BASH_ENV"},
                "change which code is loaded; set it in the command, as in `env NAME=VALUE PROGRAM`"},
};

/* Words that end like a secret and are none. */
static gboolean is_harmless(const char *name)
{
	static const char *const patterns[] = {"*BYPASS", "*BYPASS_*", "*COMPASS", "*COMPASS_*"};
	for (guint i = 0; i < G_N_ELEMENTS(patterns); i++)
		if (g_pattern_match_simple(patterns[i], name))
			return TRUE;
	return FALSE;
}

static gboolean check_env_name(const YamlNode *node, const char *name, const EnvRule *rule, GError **error)
{
	g_autofree char *upper = g_ascii_strup(name, -1);
	for (guint i = 0; rule->patterns[i] != NULL; i++) {
		if (!g_pattern_match_simple(rule->patterns[i], upper))
			continue;
		if (g_str_has_prefix(rule->patterns[i], "*PASS") && is_harmless(upper))
			continue;
		return yaml_error(node, error, "%s is not handed to code of a pull request: names like %s %s", name,
		        rule->patterns[i], rule->reason);
	}
	return TRUE;
}

/* Refuses names of credentials and the like: a pull request could send away what a benchmark can see. */
gboolean config_check_env(const YamlNode *node, gpointer field, GError **error)
{
	char *const *names = *(char ***)field;
	for (guint i = 0; names[i] != NULL; i++)
		for (gsize rule = 0; rule < G_N_ELEMENTS(forbidden_env); rule++)
			if (!check_env_name(yaml_item(node, i), names[i], &forbidden_env[rule], error))
				return FALSE;
	return TRUE;
}
