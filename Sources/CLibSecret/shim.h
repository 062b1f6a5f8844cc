#ifndef CK_SHIM_H
#define CK_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The parts of libsecret and GLib that a keychain needs, loaded at run time, so that the program
   builds and runs on machines without them. A test checks the declarations in `library.h` against
   the headers of the libraries. */
#include "library.h"

/* The functions in use, by name. */
typedef struct CKLibrary {
#define CK_FIELD(answer, name, parameters) answer(*name) parameters;
  CK_FUNCTIONS(CK_FIELD)
#undef CK_FIELD
} CKLibrary;

/* Loads the library and looks up all functions; returns 0 if any is missing. The library stays
   loaded. */
static inline int ck_load(CKLibrary *library) {
  void *handle = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return 0;
#define CK_FIND(answer, name, parameters) \
  *(void **)&library->name = dlsym(handle, #name); \
  if (library->name == NULL) return 0;
  CK_FUNCTIONS(CK_FIND)
#undef CK_FIND
  return 1;
}

/* libsecret's own class uses a connection shared by the whole process, which exits when the bus
   disconnects. This subclass uses the connection that it is given. */
static inline void ck_service_class(void *service, void *data) {
  const CKLibrary *library = (const CKLibrary *)data;
  CKObjectClass *proxy =
      (CKObjectClass *)library->g_type_class_peek(library->g_dbus_proxy_get_type());
  ((CKObjectClass *)service)->constructor = proxy->constructor;
}

/* Registers the type of services on a private connection. Call only once; `library` must stay
   valid. */
static inline size_t ck_service_type(const CKLibrary *library) {
  size_t parent = library->secret_service_get_type();
  CKTypeQuery query;
  CKTypeInfo info;
  void *base = library->g_type_class_ref(parent);
  library->g_type_query(parent, &query);
  memset(&info, 0, sizeof info);
  info.class_size = (uint16_t)query.class_size;
  info.class_init = ck_service_class;
  info.class_data = library;
  info.instance_size = (uint16_t)query.instance_size;
  size_t type = library->g_type_register_static(parent, "CkService", &info, 0);
  library->g_type_class_unref(base);
  return type;
}

/* Opens the Secret Service on a private connection; returns NULL and sets the error on failure. */
static inline CKService *ck_open_service(const CKLibrary *library, size_t type,
                                         CKConnection *connection, CKCancellable *cancellable,
                                         CKError **error) {
  return (CKService *)library->g_initable_new(
      type, cancellable, error, "g-flags", 0, "g-name", "org.freedesktop.secrets", "g-connection",
      connection, "g-object-path", "/org/freedesktop/secrets", "g-interface-name",
      "org.freedesktop.Secret.Service", "flags", CK_SERVICE_OPEN_SESSION, NULL);
}

/* Returns the bus name of the process that owns the Secret Service, to be freed by the caller; NULL
   on failure. */
static inline char *ck_service_owner(const CKLibrary *library, CKConnection *connection,
                                     CKCancellable *cancellable, CKError **error) {
  CKVariant *answer = library->g_dbus_connection_call_sync(
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "GetNameOwner", library->g_variant_new("(s)", "org.freedesktop.secrets"),
      (const CKVariantType *)"(s)", CK_CALL_FLAGS_NONE, -1, cancellable, error);
  char *owner = NULL;
  if (answer == NULL) return NULL;
  library->g_variant_get(answer, "(s)", &owner);
  library->g_variant_unref(answer);
  return owner;
}

/* The outcome of a prompt. */
enum { CK_QUESTION_NONE, CK_QUESTION_ANSWERED, CK_QUESTION_DISMISSED, CK_QUESTION_LOST };

/* A pending prompt. */
typedef struct CKQuestion {
  const CKLibrary *library;
  int end;
} CKQuestion;

static inline void ck_answered(CKConnection *connection, const char *sender, const char *path,
                               const char *interface, const char *signal, CKVariant *answer,
                               void *data) {
  CKQuestion *question = (CKQuestion *)data;
  int dismissed = 1;
  question->library->g_variant_get(answer, "(bv)", &dismissed, NULL);
  question->end = dismissed ? CK_QUESTION_DISMISSED : CK_QUESTION_ANSWERED;
}

static inline void ck_lost(CKConnection *connection, const char *sender, const char *path,
                           const char *interface, const char *signal, CKVariant *owners,
                           void *data) {
  ((CKQuestion *)data)->end = CK_QUESTION_LOST;
}

static inline int ck_woken(CKCancellable *cancellable, void *data) { return 0; }

/* Calls a method of the Secret Service, consuming the arguments. There is no timeout, but the call
   can be cancelled. Returns NULL and sets the error on failure. */
static inline CKVariant *ck_call(const CKLibrary *library, CKConnection *connection,
                                 const char *path, const char *interface, const char *method,
                                 CKVariant *arguments, const char *answer,
                                 CKCancellable *cancellable, CKError **error) {
  return library->g_dbus_connection_call_sync(
      connection, "org.freedesktop.secrets", path, interface, method, arguments,
      (const CKVariantType *)answer, CK_CALL_FLAGS_NONE, INT32_MAX, cancellable, error);
}

/* Unlocks objects, waits for the user to answer the prompt, and returns its outcome. The outcome is
   CK_QUESTION_NONE after an error or a cancellation. The context must be that of the calling
   thread.

   When cancelled, libsecret's own function makes the service dismiss the prompt, at which GNOME
   Keyring 42 exits and forgets everything that it has unlocked. Here the prompt is left open:
   answering it later still unlocks the objects. */
static inline int ck_unlock(const CKLibrary *library, CKConnection *connection,
                            CKMainContext *context, const char *const *paths, size_t count,
                            CKCancellable *cancellable, CKError **error) {
  CKQuestion question = {library, CK_QUESTION_NONE};
  CKVariant *answer = ck_call(
      library, connection, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "Unlock",
      library->g_variant_new("(@ao)", library->g_variant_new_objv(paths, (ptrdiff_t)count)),
      "(aoo)", cancellable, error);
  char *prompt = NULL;
  if (answer == NULL) return CK_QUESTION_NONE;
  library->g_variant_get(answer, "(@aoo)", NULL, &prompt);
  library->g_variant_unref(answer);
  if (strcmp(prompt, "/") == 0) {
    library->g_free(prompt);
    return CK_QUESTION_ANSWERED;
  }
  unsigned answered = library->g_dbus_connection_signal_subscribe(
      connection, "org.freedesktop.secrets", "org.freedesktop.Secret.Prompt", "Completed", prompt,
      NULL, CK_SIGNAL_FLAGS_NONE, ck_answered, &question, NULL);
  unsigned lost = library->g_dbus_connection_signal_subscribe(
      connection, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", NULL,
      "org.freedesktop.secrets", CK_SIGNAL_FLAGS_NONE, ck_lost, &question, NULL);
  CKSource *source = library->g_cancellable_source_new(cancellable);
  library->g_source_set_callback(source, (int (*)(void *))(void *)ck_woken, NULL, NULL);
  library->g_source_attach(source, context);
  answer = ck_call(library, connection, prompt, "org.freedesktop.Secret.Prompt", "Prompt",
                   library->g_variant_new("(s)", ""), "()", cancellable, error);
  if (answer != NULL) {
    library->g_variant_unref(answer);
    while (question.end == CK_QUESTION_NONE && !library->g_cancellable_is_cancelled(cancellable)) {
      if (library->g_dbus_connection_is_closed(connection)) question.end = CK_QUESTION_LOST;
      else library->g_main_context_iteration(context, 1);
    }
  }
  library->g_source_destroy(source);
  library->g_source_unref(source);
  library->g_dbus_connection_signal_unsubscribe(connection, answered);
  library->g_dbus_connection_signal_unsubscribe(connection, lost);
  library->g_free(prompt);
  return question.end;
}

/* Creates a table of item attributes, which owns its names and values. */
static inline CKHashTable *ck_attributes(const CKLibrary *library) {
  return library->g_hash_table_new_full(library->g_str_hash, library->g_str_equal, library->g_free,
                                        library->g_free);
}

static inline void ck_set(const CKLibrary *library, CKHashTable *attributes, const char *name,
                          const char *value) {
  library->g_hash_table_insert(attributes, library->g_strdup(name), library->g_strdup(value));
}

/* Returns the object path of a proxy, which owns the string. */
static inline const char *ck_path(const CKLibrary *library, void *proxy) {
  return library->g_dbus_proxy_get_object_path((CKProxy *)proxy);
}

static inline CKItem *ck_item(void *item) { return (CKItem *)item; }

/* Overwrites memory in a way that the compiler does not optimize away. */
static inline void ck_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }

#endif
