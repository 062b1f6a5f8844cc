#ifndef CP_SHIM_H
#define CP_SHIM_H

/* Part of Foundation's library, but of no module of it that Swift sees. */

extern const void *const kCFPreferencesCurrentApplication;
extern const void *const kCFPreferencesCurrentUser;
extern const void *const kCFPreferencesAnyHost;

/* Sets a value in the memory of the process, without a look at what is in it. */
void CFPreferencesSetAppValue(const void *key, const void *value, const void *application);

/* Saves one domain, and forgets what is in memory of it if there is nothing to save. */
unsigned char CFPreferencesSynchronize(
    const void *application, const void *user, const void *host);

/* With nothing to set it only forgets what was put together of this domain and others. */
void CFPreferencesSetMultiple(
    const void *values, const void *removed, const void *application, const void *user,
    const void *host);

/* Lists and dictionaries, which own what they hold. */
void *CFArrayCreateMutable(const void *allocator, long capacity, const void *callbacks);
void CFArrayAppendValue(void *array, const void *value);
void *CFDictionaryCreateMutable(
    const void *allocator, long capacity, const void *keys, const void *values);
void CFDictionarySetValue(void *dictionary, const void *key, const void *value);
void CFRelease(const void *object);

/* Only their places are of interest. */
extern const struct cp_callbacks {
  void *fields[6];
} kCFTypeArrayCallBacks, kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks;

static inline void *cp_array(void) { return CFArrayCreateMutable(0, 0, &kCFTypeArrayCallBacks); }

static inline void *cp_dictionary(void) {
  return CFDictionaryCreateMutable(
      0, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
}

#endif
