#ifndef CS_SHIM_H
#define CS_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. */
static inline sqlite3_destructor_type cs_transient(void) { return SQLITE_TRANSIENT; }

/* SQLITE_STATIC likewise: the caller keeps the bytes alive until the statement is reset. */
static inline sqlite3_destructor_type cs_static(void) { return SQLITE_STATIC; }

/* sqlite3_db_config is variadic, which Swift does not import. */
static inline int cs_set_flag(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

#endif
