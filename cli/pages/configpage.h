/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak.yml.5: the man page of the configuration, from its table of keys (runner/config/configkeys.h). */
#pragma once

/* `version` stands at its foot. Owned by the caller. */
char *man_config(const char *version);
