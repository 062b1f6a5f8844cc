/* Answers the password prompts of GNOME Keyring in place of a dialog.
 *
 *   prompter WORD...     answers one prompt with each word, and dismisses further prompts
 *   prompter --silent    never answers a prompt
 *
 * Prints a line when it is ready, and one for each call of the keyring. */
#include <dlfcn.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

static const char interface[] =
    "<node><interface name='org.gnome.keyring.internal.Prompter'>"
    "<method name='BeginPrompting'><arg type='o' direction='in'/></method>"
    "<method name='PerformPrompt'><arg type='o' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='a{sv}' direction='in'/><arg type='s' direction='in'/></method>"
    "<method name='StopPrompting'><arg type='o' direction='in'/></method></interface></node>";

/* The functions of gcr that encrypt passwords on the bus, looked up without its headers. GNOME
   Keyring requires gcr anyway. */
static GObject *(*exchange_new)(const char *protocol);
static char *(*exchange_begin)(GObject *exchange);
static gboolean (*exchange_receive)(GObject *exchange, const char *text);
static char *(*exchange_send)(GObject *exchange, const char *secret, gssize count);

static char **answers;
static gboolean is_silent;
static GObject *exchange;

static void say(const char *line) {
  puts(line);
  fflush(stdout);
}

/* Tells the keyring that it can prompt (with an empty answer), or sends the answer to a prompt. */
static void reply(GDBusConnection *bus, const char *keyring, const char *callback,
                  const char *answer, char *text) {
  GVariantBuilder properties;
  g_variant_builder_init(&properties, G_VARIANT_TYPE("a{sv}"));
  g_dbus_connection_call(bus, keyring, callback, "org.gnome.keyring.internal.Prompter.Callback",
                         "PromptReady", g_variant_new("(sa{sv}s)", answer, &properties, text),
                         NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
  g_free(text);
}

static void called(GDBusConnection *bus, const char *keyring, const char *path,
                   const char *interface_name, const char *method, GVariant *arguments,
                   GDBusMethodInvocation *invocation, gpointer data) {
  const char *callback;
  g_variant_get_child(arguments, 0, "&o", &callback);
  say(method);
  /* The keyring handles nothing else until its call is answered. */
  g_object_ref(invocation);
  g_dbus_method_invocation_return_value(invocation, NULL);
  if (!strcmp(method, "BeginPrompting")) {
    g_clear_object(&exchange);
    exchange = exchange_new(NULL);
    reply(bus, keyring, callback, "", exchange_begin(exchange));
  } else if (!strcmp(method, "PerformPrompt") && !is_silent && exchange != NULL) {
    const char *text;
    g_variant_get_child(arguments, 3, "&s", &text);
    if (!exchange_receive(exchange, text) || *answers == NULL)
      reply(bus, keyring, callback, "no", exchange_send(exchange, NULL, 0));
    else
      reply(bus, keyring, callback, "yes", exchange_send(exchange, *answers++, -1));
  }
  g_object_unref(invocation);
}

static void acquired(GDBusConnection *bus, const char *name, gpointer data) { say("ready"); }

int main(int count, char **words) {
  GError *error = NULL;
  void *gcr = dlopen("libgcr-base-3.so.1", RTLD_NOW);
  if (gcr == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  *(void **)&exchange_new = dlsym(gcr, "gcr_secret_exchange_new");
  *(void **)&exchange_begin = dlsym(gcr, "gcr_secret_exchange_begin");
  *(void **)&exchange_receive = dlsym(gcr, "gcr_secret_exchange_receive");
  *(void **)&exchange_send = dlsym(gcr, "gcr_secret_exchange_send");
  answers = words + 1;
  is_silent = count > 1 && !strcmp(words[1], "--silent");
  GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
  if (bus == NULL) return fprintf(stderr, "%s\n", error->message), 1;
  static const GDBusInterfaceVTable table = {.method_call = called};
  GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(interface, NULL);
  g_dbus_connection_register_object(bus, "/org/gnome/keyring/Prompter", node->interfaces[0],
                                    &table, NULL, NULL, NULL);
  g_bus_own_name_on_connection(bus, "org.gnome.keyring.SystemPrompter",
                               G_BUS_NAME_OWNER_FLAGS_NONE, acquired, NULL, NULL, NULL);
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
