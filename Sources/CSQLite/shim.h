#ifndef CS_SHIM_H
#define CS_SHIM_H

/* Declares the preupdate hook, which a SQLite built without it lacks. */
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

extern __typeof__(sqlite3_preupdate_hook) sqlite3_preupdate_hook __attribute__((weak));
extern __typeof__(sqlite3_preupdate_depth) sqlite3_preupdate_depth __attribute__((weak));
extern __typeof__(sqlite3_preupdate_old) sqlite3_preupdate_old __attribute__((weak));
extern __typeof__(sqlite3_preupdate_new) sqlite3_preupdate_new __attribute__((weak));

/* Whether SQLite has the preupdate hook, which reports each row before it is changed. */
static inline int cs_has_preupdate(void) { return sqlite3_preupdate_hook != 0; }

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. */
static inline sqlite3_destructor_type cs_transient(void) { return SQLITE_TRANSIENT; }

/* SQLITE_STATIC likewise; the bytes must stay valid until the statement is reset or rebound. */
static inline sqlite3_destructor_type cs_static(void) { return SQLITE_STATIC; }

/* sqlite3_db_config is variadic, which Swift does not import. */
static inline int cs_set_flag(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

/* Disables memory statistics; must be called before SQLite is initialized. sqlite3_config is
   variadic, too. */
static inline int cs_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Reads an option without changing it. */
static inline int cs_get_flag(sqlite3 *db, int option, int *on) {
  return sqlite3_db_config(db, option, -1, on);
}

#endif
