#ifndef CK_SHIM_H
#define CK_SHIM_H

#include <libsecret/secret.h>

/* The Secret Service on a connection of the caller's own: libsecret's functions would share one of
   the whole process, which ends the process when its bus goes. g_initable_new is variadic. */
static inline SecretService *ck_open_service(GDBusConnection *connection, GCancellable *cancellable,
                                             GError **error) {
  return (SecretService *)g_initable_new(
      secret_service_get_type(), cancellable, error, "g-flags", G_DBUS_PROXY_FLAGS_NONE, "g-name",
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
