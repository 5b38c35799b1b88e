/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a check, among those of other checks that share the cache:
 *
 *     <cache>/campaigns/<pid>-XXXXXX/
 *
 * It is locked (flock) as long as the check goes on, and the kernel gives the lock up when the check's process ends, in
 * whatever way. So a folder that can be locked was left by a check that was killed, and is removed by the next one. The
 * number of a process would not tell: in another container it means another process, or none.
 *
 * The path of a Unix socket has at most 107 characters, and programs make such below TMPDIR. So a check has a second
 * folder with a short path, which goes with the first one:
 *
 *     <tmp>/fb-XXXXXX/                 the second folder; <tmp> is the TMPDIR of firebreak if that is short, else /tmp
 *     <campaign>/tmp -> it             made before it, so that one that a killed check left is found
 *
 * A folder is made and locked under a lock of `campaigns`, under which others look for leftovers, so that nobody sees
 * one that is not locked yet. */
#pragma once

#include <glib.h>

typedef struct CampaignFolder CampaignFolder;

/* Makes and locks a folder below `cache_dir`, or, where that is NULL, a temporary one that no other check knows; then
 * removes leftovers. Errors: FIREBREAK_ERROR_STORAGE. */
CampaignFolder *campaign_folder_new(const char *cache_dir, GError **error);
/* Removes both folders with everything in them. */
void campaign_folder_free(CampaignFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CampaignFolder, campaign_folder_free)

/* Borrowed. */
const char *campaign_folder_path(const CampaignFolder *folder);
/* The second folder. A name of CAMPAIGN_SHORT_NAME characters in it leaves 60 for the name of a socket. NULL if it
 * could not be made; borrowed. */
#define CAMPAIGN_SHORT_NAME 12
/* The short folder, for sockets; borrowed. */
const char *campaign_folder_short(const CampaignFolder *folder);
