/// One step in the journal of defaults.
///
/// A record is its length and checksum, four bytes each, and its content. A record that is cut off
/// or does not match its checksum never happened.
enum DefaultsRecord: Sendable {
  /// Changes that belong together.
  case changes([(DefaultsAddress, DefaultsEntry)])

  /// `UserDefaults` is about to overwrite its file, and may be interrupted.
  case saving

  /// `UserDefaults` has saved all changes up to this number.
  case saved(UInt64)

  /// The bytes of the record with its length and checksum.
  var bytes: [UInt8] {
    var content = ByteWriter()
    switch self {
    case .changes(let changes):
      content.write(1 as UInt8)
      content.write(UInt64(changes.count))
      for (address, entry) in changes { Self.write(address, entry, to: &content) }
    case .saving: content.write(2 as UInt8)
    case .saved(let sequence):
      content.write(3 as UInt8)
      content.write(sequence)
    }
    var record = ByteWriter()
    record.write(UInt32(truncatingIfNeeded: content.bytes.count))
    record.write(CRC32.checksum(content.bytes))
    return record.bytes + content.bytes
  }

  /// Reads the content of a record; nil if it is none.
  init?(content: ArraySlice<UInt8>) {
    var reader = ByteReader(content)
    switch reader.number(UInt8.self) {
    case 1:
      guard let count = reader.count() else { return nil }
      var changes: [(DefaultsAddress, DefaultsEntry)] = []
      for _ in 0..<count {
        guard let change = Self.change(from: &reader) else { return nil }
        changes.append(change)
      }
      self = .changes(changes)
    case 2: self = .saving
    case 3:
      guard let sequence = Self.sequence(from: &reader) else { return nil }
      self = .saved(sequence)
    default: return nil
    }
  }

  /// The greatest number of a change; whoever comes to it begins anew with small ones.
  static let greatestSequence = UInt64.max / 2

  /// Reads the number of a change; nil if it is too great.
  private static func sequence(from reader: inout ByteReader) -> UInt64? {
    reader.number().flatMap { $0 <= greatestSequence ? $0 : nil }
  }

  private static func write(
    _ address: DefaultsAddress, _ entry: DefaultsEntry, to writer: inout ByteWriter
  ) {
    let flags: UInt8 =
      (entry.value == nil ? 0 : 1) | (entry.isList == true ? 2 : 0) | (address.root == nil ? 0 : 4)
      | (entry.rivals == nil ? 0 : 8)
    writer.write(entry.sequence)
    writer.write(flags)
    if let root = address.root { writer.write(root.text) }
    writer.write(address.key.text)
    entry.value?.write(to: &writer)
  }

  private static func change(
    from reader: inout ByteReader
  ) -> (DefaultsAddress, DefaultsEntry)? {
    guard let sequence = sequence(from: &reader), let flags = reader.number(UInt8.self) else {
      return nil
    }
    var root: String?
    if flags & 4 != 0 {
      root = reader.text()
      if root == nil { return nil }
    }
    guard let key = reader.text() else { return nil }
    var value: DefaultsValue?
    if flags & 1 != 0 {
      value = DefaultsValue(from: &reader)
      if value == nil { return nil }
    }
    var entry = DefaultsEntry(value: value, isList: flags & 2 != 0, sequence: sequence)
    if flags & 8 != 0 { entry.rivals = [] }
    return (DefaultsAddress(root: root, key: key), entry)
  }
}
