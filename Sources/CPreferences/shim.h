#ifndef CP_SHIM_H
#define CP_SHIM_H

/* Part of Foundation's library, but of no module of it that Swift sees. */

extern const void *const kCFPreferencesCurrentApplication;
extern const void *const kCFPreferencesCurrentUser;
extern const void *const kCFPreferencesAnyHost;

/* Saves one domain, and forgets what is in memory of it if there is nothing to save. */
unsigned char CFPreferencesSynchronize(
    const void *application, const void *user, const void *host);

/* With nothing to set it only forgets what was put together of this domain and others. */
void CFPreferencesSetMultiple(
    const void *values, const void *removed, const void *application, const void *user,
    const void *host);

#endif
