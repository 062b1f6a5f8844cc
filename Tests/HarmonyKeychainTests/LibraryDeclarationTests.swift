import Foundation
import TestPrograms
import Testing

/// The declarations in `CLibSecret`, which replace headers that may not be installed.
struct LibraryDeclarationTests {
  @Test func `Functions are declared as in the headers of libsecret and GLib`() throws {
    let said = try compile(
      """
      #include <libsecret/secret.h>
      \(Self.theirs.map { "typedef \($1) \($0);" }.joined(separator: "\n"))
      #define CK_OWN_TYPES
      #include "library.h"
      #define SAME(answer, name, parameters) \\
        _Static_assert(__builtin_types_compatible_p(answer(*) parameters, __typeof__(&(name))), #name);
      CK_FUNCTIONS(SAME)
      """)
    #expect(said == "")
  }

  @Test func `Structures and constants match the headers`() throws {
    var checks: [String] = []
    for (own, theirs, fields) in Self.layouts {
      // A class structure is only declared in part.
      if own != "CKObjectClass" { checks.append("sizeof(\(own)) == sizeof(\(theirs))") }
      for (ownField, field) in fields {
        checks.append("offsetof(\(own), \(ownField)) == offsetof(\(theirs), \(field))")
        checks.append("sizeof(((\(own) *)0)->\(ownField)) == sizeof(((\(theirs) *)0)->\(field))")
      }
    }
    checks += Self.numbers.map { "(int)\($0) == (int)\($1)" }
    let said = try compile(
      """
      #include <libsecret/secret.h>
      #include "library.h"
      \(checks.map { "_Static_assert(\($0), \"\");" }.joined(separator: "\n"))
      """)
    #expect(said == "")
  }

  @Test func `A wrong declaration is detected`() throws {
    let said = try compile(
      "#include <libsecret/secret.h>\n"
        + "_Static_assert(__builtin_types_compatible_p(int *, __typeof__(&(g_free))), \"g_free\");")
    #expect(said.contains("g_free"))
  }

  private static let theirs = [
    "CKAuthObserver": "GDBusAuthObserver", "CKConnection": "GDBusConnection",
    "CKHashTable": "GHashTable", "CKMainContext": "GMainContext", "CKProxy": "GDBusProxy",
    "CKSchema": "SecretSchema", "CKSource": "GSource", "CKValue": "SecretValue",
    "CKVariant": "GVariant",
    "CKVariantType": "GVariantType", "CKCancellable": "GCancellable",
    "CKCollection": "SecretCollection", "CKItem": "SecretItem", "CKService": "SecretService",
    "CKError": "GError", "CKList": "GList", "CKHashTableIter": "GHashTableIter",
    "CKTypeQuery": "GTypeQuery", "CKTypeInfo": "GTypeInfo", "CKBusType": "GBusType",
    "CKCallFlags": "GDBusCallFlags", "CKCollectionFlags": "SecretCollectionFlags",
    "CKConnectionFlags": "GDBusConnectionFlags", "CKItemCreateFlags": "SecretItemCreateFlags",
    "CKSearchFlags": "SecretSearchFlags", "CKSignalFlags": "GDBusSignalFlags",
    "CKTypeFlags": "GTypeFlags",
  ]

  private static let layouts: [(String, String, [(String, String)])] = [
    ("CKError", "GError", ["domain", "code", "message"].map { ($0, $0) }),
    ("CKList", "GList", ["data", "next", "prev"].map { ($0, $0) }),
    ("CKHashTableIter", "GHashTableIter", []),
    (
      "CKTypeQuery", "GTypeQuery",
      ["type", "type_name", "class_size", "instance_size"].map { ($0, $0) }
    ),
    (
      "CKTypeInfo", "GTypeInfo",
      [
        "class_size", "base_init", "base_finalize", "class_init", "class_finalize", "class_data",
        "instance_size", "n_preallocs", "instance_init", "value_table",
      ].map { ($0, $0) }
    ),
    (
      "CKObjectClass", "GObjectClass",
      [
        ("type", "g_type_class"), ("construct_properties", "construct_properties"),
        ("constructor", "constructor"),
      ]
    ),
  ]

  private static let numbers = [
    ("CK_BUS_SESSION", "G_BUS_TYPE_SESSION"), ("CK_CALL_FLAGS_NONE", "G_DBUS_CALL_FLAGS_NONE"),
    ("CK_COLLECTION_NONE", "SECRET_COLLECTION_NONE"),
    ("CK_CONNECTION_AUTHENTICATION_CLIENT", "G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT"),
    ("CK_CONNECTION_MESSAGE_BUS", "G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION"),
    ("CK_ITEM_CREATE_REPLACE", "SECRET_ITEM_CREATE_REPLACE"),
    ("CK_SEARCH_ALL", "SECRET_SEARCH_ALL"),
    ("CK_SERVICE_OPEN_SESSION", "SECRET_SERVICE_OPEN_SESSION"),
    ("CK_SIGNAL_FLAGS_NONE", "G_DBUS_SIGNAL_FLAGS_NONE"),
    ("CK_ERROR_IS_LOCKED", "SECRET_ERROR_IS_LOCKED"),
    ("CK_ERROR_NO_SUCH_OBJECT", "SECRET_ERROR_NO_SUCH_OBJECT"),
    ("CK_DBUS_ERROR_SERVICE_UNKNOWN", "G_DBUS_ERROR_SERVICE_UNKNOWN"),
    ("CK_DBUS_ERROR_NAME_HAS_NO_OWNER", "G_DBUS_ERROR_NAME_HAS_NO_OWNER"),
    ("CK_DBUS_ERROR_UNKNOWN_METHOD", "G_DBUS_ERROR_UNKNOWN_METHOD"),
    ("CK_DBUS_ERROR_UNKNOWN_OBJECT", "G_DBUS_ERROR_UNKNOWN_OBJECT"),
    ("CK_DBUS_ERROR_SPAWN_EXEC_FAILED", "G_DBUS_ERROR_SPAWN_EXEC_FAILED"),
    ("CK_DBUS_ERROR_SPAWN_FORK_FAILED", "G_DBUS_ERROR_SPAWN_FORK_FAILED"),
    ("CK_DBUS_ERROR_SPAWN_CHILD_EXITED", "G_DBUS_ERROR_SPAWN_CHILD_EXITED"),
    ("CK_DBUS_ERROR_SPAWN_CHILD_SIGNALED", "G_DBUS_ERROR_SPAWN_CHILD_SIGNALED"),
    ("CK_DBUS_ERROR_SPAWN_FAILED", "G_DBUS_ERROR_SPAWN_FAILED"),
    ("CK_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND", "G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND"),
  ]

  /// Returns the compiler output for a C file that includes libsecret's headers.
  private func compile(_ source: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "check.c")
    try Data(source.utf8).write(to: file)
    let declarations = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/CLibSecret")
    let outcome = try ProgramOutcome(
      running: [
        "sh", "-c",
        "exec clang -fsyntax-only -I \"$1\" $(pkg-config --cflags libsecret-1) \"$0\"",
        file.path, declarations.path,
      ])
    return String(decoding: outcome.errors, as: UTF8.self)
  }
}
