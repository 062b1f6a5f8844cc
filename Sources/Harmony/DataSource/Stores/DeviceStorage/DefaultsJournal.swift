import Foundation

/// The file of records that keeps values exactly and safely.
///
/// Records are only ever appended, by one process at a time, which holds the lock; when too many
/// of them are outdated the file is replaced by a new one. Reading needs no lock: a record that is
/// still being written is not there yet.
struct DefaultsJournal: ~Copyable {
  private static let magic = Array("harmony1".utf8)

  private let directory: String
  private let name: String
  private var file: OpenFile?
  private var stamp: FileStamp?

  /// How many bytes of the file have been read, all of whole records.
  private(set) var size = 0

  init(directory: String, name: String) {
    self.directory = directory
    self.name = name
  }

  private var path: String { directory + "/" + name }

  /// Whether the file has changed since it was last read.
  var isStale: Bool {
    guard let now = FileStamp(path: path) else { return file != nil }
    guard let stamp, stamp.isSameFile(as: now) else { return true }
    return now.size != size
  }

  /// Reads the records that have come since the last time.
  ///
  /// - Returns: The records, and whether they are those of another file from its beginning on.
  mutating func read() throws -> (records: [DefaultsRecord], isNew: Bool) {
    var isNew = false
    let now = FileStamp(path: path)
    let isSame =
      if let now, let stamp { stamp.isSameFile(as: now) && now.size >= size } else { false }
    if !isSame {
      isNew = file != nil || now != nil
      // Without a stamp it is begun anew if it cannot be read now.
      stamp = nil
      file = try OpenFile(ifPresent: path)
      size = 0
    }
    guard file != nil, let bytes = try file?.read(from: size) else { return ([], isNew) }
    if !isSame { stamp = try file?.stamp() }
    var rest = bytes[...]
    if size == 0 {
      guard rest.starts(with: Self.magic) else {
        // Nothing but a beginning that was cut off may be overwritten.
        guard Self.magic.starts(with: rest) else {
          throw CoreError.DataSerialization(
            "The file \(PathName(path)) is no journal of defaults; "
              + "when it is moved away they can be used again")
        }
        return ([], isNew)
      }
      rest = rest.dropFirst(Self.magic.count)
    }
    var records: [DefaultsRecord] = []
    while let record = Self.nextRecord(of: &rest) { records.append(record) }
    size += bytes.count - rest.count
    return (records, isNew)
  }

  /// Appends records, of which the caller has read all before and holds the lock.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - isDurable: Whether to wait until they would survive a loss of power.
  /// - Throws: ``CoreError/Failed``; the file is as before then.
  mutating func append(_ records: [DefaultsRecord], isDurable: Bool) throws {
    if file == nil || size == 0 {
      try AtomicFile.write(Self.magic + records.flatMap(\.bytes), to: name, in: directory)
      return try reopen()
    }
    let bytes = records.flatMap(\.bytes)
    let writer = try OpenFile(path, O_WRONLY | O_APPEND, "open the journal")
    // A record that a killed process left half written.
    if try writer.stamp().size > size {
      try keepDamaged()
      try writer.truncate(to: size)
    }
    do {
      try writer.write(bytes)
      if isDurable { try writer.synchronize() }
    } catch {
      // A change that is reported as failed must not come back.
      try? writer.truncate(to: size)
      throw error
    }
    size += bytes.count
  }

  /// Replaces the file by one with only these records.
  mutating func replace(by records: [DefaultsRecord]) throws {
    try AtomicFile.write(Self.magic + records.flatMap(\.bytes), to: name, in: directory)
    try reopen()
  }

  /// Copies the file if there are whole records behind those that can be read.
  ///
  /// A damaged length hides all that follows. That cannot be used, as such bytes may as well be
  /// part of a value, but somebody may want to look for it.
  private func keepDamaged() throws {
    guard file != nil, let bytes = try file?.read(), Self.holdsRecord(bytes.dropFirst(size)) else {
      return
    }
    try AtomicFile.keep(bytes, as: name + "-damaged", in: directory)
  }

  /// Whether there is a whole record anywhere in bytes that do not begin with one.
  private static func holdsRecord(_ bytes: ArraySlice<UInt8>) -> Bool {
    var effort = 1 << 24
    for start in bytes.indices.dropFirst().dropLast(8) where (1...3).contains(bytes[start + 8]) {
      var rest = bytes[start...]
      guard let (content, isWhole) = nextContent(of: &rest) else { continue }
      if isWhole { return true }
      effort -= content.count
      // In doubt there is one.
      if effort < 0 { return true }
    }
    return false
  }

  private mutating func reopen() throws {
    file = try OpenFile(ifPresent: path)
    stamp = try file?.stamp()
    size = stamp?.size ?? 0
  }

  /// Takes a record off the bytes; nil if there is no whole one.
  ///
  /// A damaged record with a whole one behind it is skipped: one bad block does not take all that
  /// follows with it.
  private static func nextRecord(of bytes: inout ArraySlice<UInt8>) -> DefaultsRecord? {
    var rest = bytes
    while let (content, isWhole) = nextContent(of: &rest) {
      if isWhole, let record = DefaultsRecord(content: content) {
        bytes = rest
        return record
      }
    }
    return nil
  }

  private static func nextContent(
    of bytes: inout ArraySlice<UInt8>
  ) -> (ArraySlice<UInt8>, isWhole: Bool)? {
    var reader = ByteReader(bytes.prefix(8))
    guard let length = reader.number(UInt32.self), let checksum = reader.number(UInt32.self),
      length > 0, bytes.count - 8 >= Int(length)
    else { return nil }
    let content = bytes.dropFirst(8).prefix(Int(length))
    bytes = bytes.dropFirst(8 + Int(length))
    return (content, CRC32.checksum(content) == checksum)
  }
}
