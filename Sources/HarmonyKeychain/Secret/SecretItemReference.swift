#if Keychain
import CLibSecret

/// An item of the Secret Service, as it was when it was found.
///
/// It is used on the thread that found it, and only during one call.
final class SecretItemReference {
  let pointer: UnsafeMutablePointer<CKItem>

  /// Takes ownership of a reference.
  init(owning pointer: UnsafeMutablePointer<CKItem>) {
    self.pointer = pointer
  }

  deinit {
    libsecret.g_object_unref(pointer)
  }

  var isLocked: Bool { libsecret.secret_item_get_locked(pointer) != 0 }

  /// The path on the bus, which orders items that are otherwise equal.
  var path: String { ck_path(SecretLibrary.functions, pointer).map { String(cString: $0) } ?? "" }

  var label: String {
    guard let text = libsecret.secret_item_get_label(pointer) else { return "" }
    defer { libsecret.g_free(text) }
    return String(cString: text)
  }

  /// The time in seconds since 1970, which is the resolution of the service.
  var created: UInt64 { UInt64(libsecret.secret_item_get_created(pointer)) }
  var modified: UInt64 { UInt64(libsecret.secret_item_get_modified(pointer)) }

  var attributes: SecretAttributes {
    guard let table = libsecret.secret_item_get_attributes(pointer) else {
      return SecretAttributes([:])
    }
    defer { libsecret.g_hash_table_unref(table) }
    return SecretAttributes(table)
  }
}

/// The attributes of an item: strings by name, which identify the item and are not secret.
struct SecretAttributes {
  var values: [String: String]

  init(_ values: [String: String]) {
    self.values = values
  }

  /// Creates a copy of a hash table.
  init(_ table: OpaquePointer) {
    values = [:]
    var iterator = CKHashTableIter()
    libsecret.g_hash_table_iter_init(&iterator, table)
    var name: UnsafeMutableRawPointer?
    var value: UnsafeMutableRawPointer?
    while libsecret.g_hash_table_iter_next(&iterator, &name, &value) != 0 {
      guard let name, let value else { continue }
      values[String(cString: name.assumingMemoryBound(to: CChar.self))] =
        String(cString: value.assumingMemoryBound(to: CChar.self))
    }
  }

  /// Calls a closure with a hash table of these attributes.
  func withTable<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    let table = ck_attributes(SecretLibrary.functions)
    defer { libsecret.g_hash_table_unref(table) }
    for (name, value) in values { ck_set(SecretLibrary.functions, table, name, value) }
    return body(table)
  }

  /// The name of the attribute that contains the key.
  ///
  /// This library uses `account`; the keyring libraries of Python and Go use `username`.
  var keyName: String? { Self.keyNames.first { values[$0] != nil } }

  var key: String? { keyName.flatMap { values[$0] } }

  static let keyNames = ["account", "username"]
}
#endif
