#ifndef CK_SHIM_H
#define CK_SHIM_H

#include <libsecret/secret.h>

/* libsecret's class insists on a connection that it shares with the whole process, and that ends the
   process when its bus goes; this one takes what it is given. */
static inline GObject *ck_service_make(GType type, guint count, GObjectConstructParam *parameters) {
  return G_OBJECT_CLASS(g_type_class_peek(G_TYPE_DBUS_PROXY))->constructor(type, count, parameters);
}

static inline void ck_service_class(gpointer service, gpointer data) {
  (void)data;
  G_OBJECT_CLASS(service)->constructor = ck_service_make;
}

static inline GType ck_service_type(void) {
  static gsize type = 0;
  if (g_once_init_enter(&type)) {
    GTypeQuery query;
    gpointer base = g_type_class_ref(secret_service_get_type());
    g_type_query(secret_service_get_type(), &query);
    g_once_init_leave(&type, g_type_register_static_simple(
                                 secret_service_get_type(), "CkService", query.class_size,
                                 ck_service_class, query.instance_size, NULL, (GTypeFlags)0));
    g_type_class_unref(base);
  }
  return type;
}

/* The Secret Service on a connection of the caller's own; NULL with an error. */
static inline SecretService *ck_open_service(GDBusConnection *connection, GCancellable *cancellable,
                                             GError **error) {
  return (SecretService *)g_initable_new(
      ck_service_type(), cancellable, error, "g-flags", G_DBUS_PROXY_FLAGS_NONE, "g-name",
      "org.freedesktop.secrets", "g-connection", connection, "g-object-path",
      "/org/freedesktop/secrets", "g-interface-name", "org.freedesktop.Secret.Service", "flags",
      SECRET_SERVICE_OPEN_SESSION, NULL);
}

/* Who answers to the name of the Secret Service, to be freed; NULL with or without an error. */
static inline char *ck_service_owner(GDBusConnection *connection, GCancellable *cancellable,
                                     GError **error) {
  GVariant *answer = g_dbus_connection_call_sync(
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "GetNameOwner", g_variant_new("(s)", "org.freedesktop.secrets"), G_VARIANT_TYPE("(s)"),
      G_DBUS_CALL_FLAGS_NONE, -1, cancellable, error);
  char *owner = NULL;
  if (answer == NULL) return NULL;
  g_variant_get(answer, "(s)", &owner);
  g_variant_unref(answer);
  return owner;
}

/* Attributes of an item, both of whose texts are copied. */
static inline GHashTable *ck_attributes(void) {
  return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static inline void ck_set(GHashTable *attributes, const char *name, const char *value) {
  g_hash_table_insert(attributes, g_strdup(name), g_strdup(value));
}

static inline const char *ck_get(GHashTable *attributes, const char *name) {
  return (const char *)g_hash_table_lookup(attributes, name);
}

/* The path of an object on the bus, which belongs to it. */
static inline const char *ck_path(gpointer proxy) {
  return g_dbus_proxy_get_object_path(G_DBUS_PROXY(proxy));
}

static inline SecretItem *ck_item(gpointer item) { return (SecretItem *)item; }

static inline SecretSearchFlags ck_search_all(void) { return SECRET_SEARCH_ALL; }

/* Overwritten for good: the compiler may leave out what it takes for useless. */
static inline void ck_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }

#endif
