#ifndef CK_SHIM_H
#define CK_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* libsecret and GLib as far as a keychain needs them, found while the program runs: it is built, and
   runs, on machines that have neither. `library.h` declares what is called as the libraries' own
   headers do, which a test compares. */
#include "library.h"

/* What is called, by its own name. */
typedef struct CKLibrary {
#define CK_FIELD(answer, name, parameters) answer(*name) parameters;
  CK_FUNCTIONS(CK_FIELD)
#undef CK_FIELD
} CKLibrary;

/* Finds all functions; 0 where the library, or one of them, is not there. It stays loaded. */
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

/* libsecret's class insists on a connection that it shares with the whole process, and that ends the
   process when its bus goes; this one takes what it is given. */
static inline void ck_service_class(void *service, void *data) {
  const CKLibrary *library = (const CKLibrary *)data;
  CKObjectClass *proxy =
      (CKObjectClass *)library->g_type_class_peek(library->g_dbus_proxy_get_type());
  ((CKObjectClass *)service)->constructor = proxy->constructor;
}

/* The type of services on a connection of the caller's own; to be asked for once, with functions that
   stay where they are. */
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

/* The Secret Service on a connection of the caller's own; NULL with an error. */
static inline CKService *ck_open_service(const CKLibrary *library, size_t type,
                                         CKConnection *connection, CKCancellable *cancellable,
                                         CKError **error) {
  return (CKService *)library->g_initable_new(
      type, cancellable, error, "g-flags", 0, "g-name", "org.freedesktop.secrets", "g-connection",
      connection, "g-object-path", "/org/freedesktop/secrets", "g-interface-name",
      "org.freedesktop.Secret.Service", "flags", CK_SERVICE_OPEN_SESSION, NULL);
}

/* Who answers to the name of the Secret Service, to be freed; NULL with or without an error. */
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

/* Attributes of an item, both of whose texts are copied. */
static inline CKHashTable *ck_attributes(const CKLibrary *library) {
  return library->g_hash_table_new_full(library->g_str_hash, library->g_str_equal, library->g_free,
                                        library->g_free);
}

static inline void ck_set(const CKLibrary *library, CKHashTable *attributes, const char *name,
                          const char *value) {
  library->g_hash_table_insert(attributes, library->g_strdup(name), library->g_strdup(value));
}

/* The path of an object on the bus, which belongs to it. */
static inline const char *ck_path(const CKLibrary *library, void *proxy) {
  return library->g_dbus_proxy_get_object_path((CKProxy *)proxy);
}

static inline CKItem *ck_item(void *item) { return (CKItem *)item; }

/* Overwritten for good: the compiler may leave out what it takes for useless. */
static inline void ck_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }

#endif
