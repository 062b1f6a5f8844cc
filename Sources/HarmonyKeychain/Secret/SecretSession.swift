#if Keychain
import CLibSecret

/// The Secret Service during one call, which can be canceled.
///
/// It is used only on the queue of its keychain.
struct SecretSession {
  let service: UnsafeMutablePointer<CKService>
  /// The connection to the service.
  let bus: OpaquePointer
  /// The main context of the calling thread.
  let context: OpaquePointer?
  let cancellation: Cancellation

  private var cancellable: UnsafeMutablePointer<CKCancellable>? { cancellation.pointer }

  /// Returns the items with the given attributes, including locked ones, without unlocking any.
  func items(_ attributes: SecretAttributes) throws -> [SecretItemReference] {
    var error: UnsafeMutablePointer<CKError>?
    let list = attributes.withTable {
      libsecret.secret_service_search_sync(
        service, nil, $0, UInt32(CK_SEARCH_ALL), cancellable, &error)
    }
    if error != nil { throw failure(error, "answer a search") }
    defer { libsecret.g_list_free(list) }
    var items: [SecretItemReference] = []
    var node = list
    while let current = node {
      if let data = current.pointee.data {
        items.append(SecretItemReference(owning: ck_item(data)))
      }
      node = current.pointee.next
    }
    return items
  }

  /// Calls a closure with a secret, which is wiped afterwards; nil if the item no longer exists.
  func secret<Result>(
    of item: SecretItemReference, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    var error: UnsafeMutablePointer<CKError>?
    guard libsecret.secret_item_load_secret_sync(item.pointer, cancellable, &error) != 0 else {
      if isOfLostObject(error) {
        libsecret.g_error_free(error)
        return nil
      }
      throw failure(error, "give the secret")
    }
    guard let value = libsecret.secret_item_get_secret(item.pointer) else { return nil }
    // libsecret stores it in memory that is not swapped, and wipes it with the last reference.
    defer { libsecret.secret_value_unref(UnsafeMutableRawPointer(value)) }
    var count: Int = 0
    let bytes = libsecret.secret_value_get(value, &count)
    return try body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// Atomically replaces the secret of an item; returns false if the item no longer exists.
  func replace(_ item: SecretItemReference, with bytes: UnsafeRawBufferPointer) throws -> Bool {
    var error: UnsafeMutablePointer<CKError>?
    let isDone = withValue(bytes) {
      libsecret.secret_item_set_secret_sync(item.pointer, $0, cancellable, &error) != 0
    }
    if isDone { return true }
    if isOfLostObject(error) {
      libsecret.g_error_free(error)
      return false
    }
    throw failure(error, "store the secret")
  }

  /// Adds an item to the default collection, or replaces the one with exactly these attributes.
  func create(
    _ attributes: SecretAttributes, label: String, with bytes: UnsafeRawBufferPointer
  ) throws {
    let collection = try defaultCollection()
    defer { libsecret.g_object_unref(collection) }
    if libsecret.secret_collection_get_locked(collection) != 0 {
      throw KeychainError.locked(name(collection))
    }
    var error: UnsafeMutablePointer<CKError>?
    let item = attributes.withTable { table in
      withValue(bytes) { value in
        libsecret.secret_item_create_sync(
          collection, nil, table, label, value, UInt32(CK_ITEM_CREATE_REPLACE), cancellable, &error
        )
      }
    }
    guard let item else { throw failure(error, "store the secret") }
    libsecret.g_object_unref(item)
  }

  /// Removes an item, which may already be gone.
  func delete(_ item: SecretItemReference) throws {
    var error: UnsafeMutablePointer<CKError>?
    guard libsecret.secret_item_delete_sync(item.pointer, cancellable, &error) == 0 else { return }
    guard isOfLostObject(error) else { throw failure(error, "delete the key") }
    libsecret.g_error_free(error)
  }

  /// Atomically changes the attributes of an item; returns false if it no longer exists.
  func setAttributes(_ item: SecretItemReference, _ attributes: SecretAttributes) throws -> Bool {
    var error: UnsafeMutablePointer<CKError>?
    let isDone = attributes.withTable {
      libsecret.secret_item_set_attributes_sync(item.pointer, nil, $0, cancellable, &error) != 0
    }
    if isDone { return true }
    if isOfLostObject(error) {
      libsecret.g_error_free(error)
      return false
    }
    throw failure(error, "rename the key")
  }

  func setLabel(_ item: SecretItemReference, _ label: String) {
    _ = libsecret.secret_item_set_label_sync(item.pointer, label, cancellable, nil)
  }

  /// Returns whether the collection for new keys is locked.
  func isLocked() throws -> Bool {
    let collection = try defaultCollection()
    defer { libsecret.g_object_unref(collection) }
    return libsecret.secret_collection_get_locked(collection) != 0
  }

  /// Asks the user to unlock the default collection and all locked items.
  func unlock(_ items: [SecretItemReference]) throws {
    let collection = try defaultCollection()
    defer { libsecret.g_object_unref(collection) }
    var objects = items.filter(\.isLocked).map(\.path)
    if libsecret.secret_collection_get_locked(collection) != 0 {
      objects.insert(path(collection), at: 0)
    }
    guard !objects.isEmpty else { return }
    let paths = objects.map { libsecret.g_strdup($0) }
    defer { paths.forEach { libsecret.g_free($0) } }
    var error: UnsafeMutablePointer<CKError>?
    let end = paths.map { UnsafePointer($0) }.withUnsafeBufferPointer { paths in
      ck_unlock(
        SecretLibrary.functions, bus, context, paths.baseAddress, paths.count, cancellable, &error)
    }
    switch Int(end) {
    case CK_QUESTION_ANSWERED: return
    case CK_QUESTION_DISMISSED:
      throw KeychainError(
        .dismissed,
        "the keychain is still locked: the desktop's password prompt was not answered, "
          + "or the desktop could not ask it; \(name(collection)) stays locked")
    case CK_QUESTION_LOST: throw KeychainError.noService
    default: throw failure(error, "unlock")
    }
  }

  private func path(_ collection: UnsafeMutablePointer<CKCollection>) -> String {
    ck_path(SecretLibrary.functions, collection).map { String(cString: $0) } ?? ""
  }

  private func defaultCollection() throws -> UnsafeMutablePointer<CKCollection> {
    var error: UnsafeMutablePointer<CKError>?
    let collection = libsecret.secret_collection_for_alias_sync(
      service, "default", UInt32(CK_COLLECTION_NONE), cancellable, &error)
    if let collection { return collection }
    guard error != nil else { throw KeychainError.noCollection }
    guard isOfLostObject(error) else { throw failure(error, "show its default collection") }
    libsecret.g_error_free(error)
    throw KeychainError.noCollection
  }

  private func name(_ collection: UnsafeMutablePointer<CKCollection>) -> String {
    guard let label = libsecret.secret_collection_get_label(collection) else { return "" }
    defer { libsecret.g_free(label) }
    return String(cString: label)
  }

  private func withValue<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (OpaquePointer?) -> Result
  ) -> Result {
    let value = libsecret.secret_value_new(
      bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.empty, bytes.count,
      "text/plain")
    defer { if let value { libsecret.secret_value_unref(UnsafeMutableRawPointer(value)) } }
    return body(value)
  }

  /// A non-null address for an empty secret.
  private static let emptyText: StaticString = ""
  private static var empty: UnsafePointer<CChar> {
    UnsafeRawPointer(emptyText.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private func failure(
    _ error: UnsafeMutablePointer<CKError>?, _ doing: String
  ) -> any Error {
    let failure = KeychainError(consuming: error, doing)
    return cancellation.isCancelled ? CancellationError() : failure
  }
}
#endif
