#ifndef CK_LIBRARY_H
#define CK_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

/* Declarations from libsecret 0.18 and GLib 2.50, which are part of their stable ABI. A test
   defines CK_OWN_TYPES and maps each name to the type of the libraries. */
#ifndef CK_OWN_TYPES

/* Opaque types. */
typedef struct CKAuthObserver CKAuthObserver;
typedef struct CKConnection CKConnection;
typedef struct CKHashTable CKHashTable;
typedef struct CKMainContext CKMainContext;
typedef struct CKProxy CKProxy;
typedef struct CKSchema CKSchema;
typedef struct CKSource CKSource;
typedef struct CKValue CKValue;
typedef struct CKVariant CKVariant;
typedef struct CKVariantType CKVariantType;

/* Also opaque; the member makes them distinct types in Swift. */
typedef struct CKCancellable { void *type; } CKCancellable;
typedef struct CKCollection { void *type; } CKCollection;
typedef struct CKItem { void *type; } CKItem;
typedef struct CKService { void *type; } CKService;

typedef struct CKError {
  uint32_t domain;
  int code;
  char *message;
} CKError;

typedef struct CKList {
  void *data;
  struct CKList *next;
  struct CKList *prev;
} CKList;

typedef struct CKHashTableIter {
  void *own[3];
  int number;
  int flag;
  void *last;
} CKHashTableIter;

typedef struct CKTypeQuery {
  size_t type;
  const char *type_name;
  unsigned class_size;
  unsigned instance_size;
} CKTypeQuery;

typedef struct CKTypeInfo {
  uint16_t class_size;
  void (*base_init)(void *);
  void (*base_finalize)(void *);
  void (*class_init)(void *, void *);
  void (*class_finalize)(void *, void *);
  const void *class_data;
  uint16_t instance_size;
  uint16_t n_preallocs;
  void (*instance_init)(void *, void *);
  const void *value_table;
} CKTypeInfo;

/* The first members of GObjectClass. */
typedef struct CKObjectClass {
  size_t type;
  void *construct_properties;
  void *(*constructor)(size_t, unsigned, void *);
} CKObjectClass;

typedef unsigned CKBusType;
typedef unsigned CKCallFlags;
typedef unsigned CKCollectionFlags;
typedef unsigned CKConnectionFlags;
typedef unsigned CKItemCreateFlags;
typedef unsigned CKSearchFlags;
typedef unsigned CKSignalFlags;
typedef unsigned CKTypeFlags;

#endif

enum {
  CK_BUS_SESSION = 2,
  CK_CALL_FLAGS_NONE = 0,
  CK_COLLECTION_NONE = 0,
  CK_CONNECTION_AUTHENTICATION_CLIENT = 1,
  CK_CONNECTION_MESSAGE_BUS = 8,
  CK_ITEM_CREATE_REPLACE = 2,
  CK_SEARCH_ALL = 2,
  CK_SERVICE_OPEN_SESSION = 2,
  CK_SIGNAL_FLAGS_NONE = 0,

  CK_ERROR_IS_LOCKED = 2,
  CK_ERROR_NO_SUCH_OBJECT = 3,
  CK_DBUS_ERROR_SERVICE_UNKNOWN = 2,
  CK_DBUS_ERROR_NAME_HAS_NO_OWNER = 3,
  CK_DBUS_ERROR_UNKNOWN_METHOD = 19,
  CK_DBUS_ERROR_SPAWN_EXEC_FAILED = 23,
  CK_DBUS_ERROR_SPAWN_FORK_FAILED = 24,
  CK_DBUS_ERROR_SPAWN_CHILD_EXITED = 25,
  CK_DBUS_ERROR_SPAWN_CHILD_SIGNALED = 26,
  CK_DBUS_ERROR_SPAWN_FAILED = 27,
  CK_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND = 31,
  CK_DBUS_ERROR_UNKNOWN_OBJECT = 41,
};

/* The functions in use: return type, name and parameters. */
#define CK_FUNCTIONS(X) \
  X(CKCancellable *, g_cancellable_new, (void)) \
  X(int, g_cancellable_is_cancelled, (CKCancellable *)) \
  X(CKSource *, g_cancellable_source_new, (CKCancellable *)) \
  X(unsigned, g_source_attach, (CKSource *, CKMainContext *)) \
  X(void, g_source_set_callback, (CKSource *, int (*)(void *), void *, void (*)(void *))) \
  X(void, g_source_destroy, (CKSource *)) \
  X(void, g_source_unref, (CKSource *)) \
  X(void, g_cancellable_cancel, (CKCancellable *)) \
  X(void, g_object_unref, (void *)) \
  X(void, g_error_free, (CKError *)) \
  X(void, g_free, (void *)) \
  X(char *, g_strdup, (const char *)) \
  X(unsigned, g_str_hash, (const void *)) \
  X(int, g_str_equal, (const void *, const void *)) \
  X(CKHashTable *, g_hash_table_new_full, \
    (unsigned (*)(const void *), int (*)(const void *, const void *), void (*)(void *), \
     void (*)(void *))) \
  X(int, g_hash_table_insert, (CKHashTable *, void *, void *)) \
  X(void, g_hash_table_iter_init, (CKHashTableIter *, CKHashTable *)) \
  X(int, g_hash_table_iter_next, (CKHashTableIter *, void **, void **)) \
  X(void, g_hash_table_unref, (CKHashTable *)) \
  X(void, g_list_free, (CKList *)) \
  X(CKMainContext *, g_main_context_new, (void)) \
  X(void, g_main_context_unref, (CKMainContext *)) \
  X(int, g_main_context_iteration, (CKMainContext *, int)) \
  X(void, g_main_context_push_thread_default, (CKMainContext *)) \
  X(void, g_main_context_pop_thread_default, (CKMainContext *)) \
  X(void *, g_type_class_ref, (size_t)) \
  X(void *, g_type_class_peek, (size_t)) \
  X(void, g_type_class_unref, (void *)) \
  X(void, g_type_query, (size_t, CKTypeQuery *)) \
  X(size_t, g_type_register_static, (size_t, const char *, const CKTypeInfo *, CKTypeFlags)) \
  X(void *, g_initable_new, (size_t, CKCancellable *, CKError **, const char *, ...)) \
  X(CKVariant *, g_variant_new, (const char *, ...)) \
  X(CKVariant *, g_variant_new_objv, (const char *const *, ptrdiff_t)) \
  X(void, g_variant_get, (CKVariant *, const char *, ...)) \
  X(void, g_variant_unref, (CKVariant *)) \
  X(uint32_t, g_dbus_error_quark, (void)) \
  X(char *, g_dbus_address_get_for_bus_sync, (CKBusType, CKCancellable *, CKError **)) \
  X(CKConnection *, g_dbus_connection_new_for_address_sync, \
    (const char *, CKConnectionFlags, CKAuthObserver *, CKCancellable *, CKError **)) \
  X(int, g_dbus_connection_is_closed, (CKConnection *)) \
  X(unsigned, g_dbus_connection_signal_subscribe, \
    (CKConnection *, const char *, const char *, const char *, const char *, const char *, \
     CKSignalFlags, \
     void (*)(CKConnection *, const char *, const char *, const char *, const char *, CKVariant *, \
              void *), \
     void *, void (*)(void *))) \
  X(void, g_dbus_connection_signal_unsubscribe, (CKConnection *, unsigned)) \
  X(CKVariant *, g_dbus_connection_call_sync, \
    (CKConnection *, const char *, const char *, const char *, const char *, CKVariant *, \
     const CKVariantType *, CKCallFlags, int, CKCancellable *, CKError **)) \
  X(size_t, g_dbus_proxy_get_type, (void)) \
  X(const char *, g_dbus_proxy_get_object_path, (CKProxy *)) \
  X(uint32_t, secret_error_get_quark, (void)) \
  X(size_t, secret_service_get_type, (void)) \
  X(CKList *, secret_service_search_sync, \
    (CKService *, const CKSchema *, CKHashTable *, CKSearchFlags, CKCancellable *, CKError **)) \
  X(CKCollection *, secret_collection_for_alias_sync, \
    (CKService *, const char *, CKCollectionFlags, CKCancellable *, CKError **)) \
  X(char *, secret_collection_get_label, (CKCollection *)) \
  X(int, secret_collection_get_locked, (CKCollection *)) \
  X(CKItem *, secret_item_create_sync, \
    (CKCollection *, const CKSchema *, CKHashTable *, const char *, CKValue *, CKItemCreateFlags, \
     CKCancellable *, CKError **)) \
  X(int, secret_item_delete_sync, (CKItem *, CKCancellable *, CKError **)) \
  X(int, secret_item_load_secret_sync, (CKItem *, CKCancellable *, CKError **)) \
  X(int, secret_item_set_secret_sync, (CKItem *, CKValue *, CKCancellable *, CKError **)) \
  X(int, secret_item_set_attributes_sync, \
    (CKItem *, const CKSchema *, CKHashTable *, CKCancellable *, CKError **)) \
  X(int, secret_item_set_label_sync, (CKItem *, const char *, CKCancellable *, CKError **)) \
  X(CKHashTable *, secret_item_get_attributes, (CKItem *)) \
  X(uint64_t, secret_item_get_created, (CKItem *)) \
  X(uint64_t, secret_item_get_modified, (CKItem *)) \
  X(char *, secret_item_get_label, (CKItem *)) \
  X(int, secret_item_get_locked, (CKItem *)) \
  X(CKValue *, secret_item_get_secret, (CKItem *)) \
  X(CKValue *, secret_value_new, (const char *, ptrdiff_t, const char *)) \
  X(const char *, secret_value_get, (CKValue *, size_t *)) \
  X(void, secret_value_unref, (void *))

#endif
