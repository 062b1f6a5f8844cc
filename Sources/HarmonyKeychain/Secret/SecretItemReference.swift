#if Keychain
import CLibSecret

/// An item of the Secret Service, as it was when it was found.
///
/// Used on the thread that found it, and not kept longer than one call.
final class SecretItemReference {
  let pointer: UnsafeMutablePointer<CKItem>

  /// Takes over a reference.
  init(owning pointer: UnsafeMutablePointer<CKItem>) {
    self.pointer = pointer
  }

  deinit {
    libsecret.g_object_unref(pointer)
  }

  var isLocked: Bool { libsecret.secret_item_get_locked(pointer) != 0 }

  /// Where it is on the bus, which orders items that have nothing else to be ordered by.
  var path: String { ck_path(SecretLibrary.functions, pointer).map { String(cString: $0) } ?? "" }

  var label: String {
    guard let text = libsecret.secret_item_get_label(pointer) else { return "" }
    defer { libsecret.g_free(text) }
    return String(cString: text)
  }

  /// Seconds since 1970; the service counts no finer.
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

/// The attributes of an item: texts by name, by which items are found, and which are no secret.
struct SecretAttributes {
  var values: [String: String]

  init(_ values: [String: String]) {
    self.values = values
  }

  /// Copies a table.
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

  /// Calls a closure with a table of these attributes.
  func withTable<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    let table = ck_attributes(SecretLibrary.functions)
    defer { libsecret.g_hash_table_unref(table) }
    for (name, value) in values { ck_set(SecretLibrary.functions, table, name, value) }
    return body(table)
  }

  /// The name of the attribute that holds the key.
  ///
  /// `account` is ours; `username` is what the keyring libraries of Python and Go write.
  var keyName: String? { Self.keyNames.first { values[$0] != nil } }

  var key: String? { keyName.flatMap { values[$0] } }

  static let keyNames = ["account", "username"]
}
#endif
