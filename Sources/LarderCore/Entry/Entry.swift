public import Foundation

/// One entry of a store: its key, its value and what the store knows about it.
public struct Entry: Sendable, Hashable {
  /// The key, as typed in the store.
  public var key: EntryKey
  /// The value; absent in a list of keys, cut in a list with previews.
  public var value: StoredValue?
  /// Whether `value` is all of what the store holds.
  public var isWhole: Bool
  /// The type of the whole value, where it is known without reading it.
  public var type: StoredType?
  /// The size of the whole stored value in bytes, where it is known.
  public var size: Int?
  /// When the value was last written, where the store knows.
  public var modified: Date?
  /// When the value expires, where the store knows.
  public var expires: Date?
  /// The digest of the stored bytes and types, where the whole value was read.
  public var fingerprint: Fingerprint?

  /// Creates an entry with a whole value, whose type and fingerprint follow from it.
  public init(
    key: EntryKey, value: StoredValue, size: Int? = nil, modified: Date? = nil,
    expires: Date? = nil
  ) {
    self.key = key
    self.value = value
    self.isWhole = true
    self.type = value.type
    self.size = size ?? value.storedSize
    self.modified = modified
    self.expires = expires
    self.fingerprint = Fingerprint(of: value)
  }

  /// Creates an entry that names a key alone, as lists of keys hold it.
  public init(
    key: EntryKey, preview: StoredValue? = nil, type: StoredType? = nil, size: Int? = nil,
    modified: Date? = nil, expires: Date? = nil
  ) {
    self.key = key
    self.value = preview
    self.isWhole = false
    self.type = type
    self.size = size
    self.modified = modified
    self.expires = expires
    self.fingerprint = nil
  }
}

extension StoredValue {
  /// The number of bytes that the value's contents take, without any encoding around them.
  public var storedSize: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .integer, .real, .date: 8
    case .uuid: 16
    case .text(let text), .url(let text): text.utf8.count
    case .malformedText(let bytes), .data(let bytes): bytes.count
    case .array(let values): values.reduce(0) { $0 + $1.storedSize }
    case .dictionary(let fields), .record(let fields):
      fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.storedSize }
    }
  }
}
