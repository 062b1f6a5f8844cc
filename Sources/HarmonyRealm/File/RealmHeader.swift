/// The first 24 bytes of a file, which contain the reference of the current state.
struct RealmHeader: Equatable, Sendable {
  static let size = 24
  private static let mark = Array("T-DB".utf8)
  private static let footerMagic: UInt64 = 0x3034_1252_37E5_26C8

  let bytes: [UInt8]

  init(_ descriptor: RealmDescriptor, fileSize: Int) throws(RealmError) {
    guard fileSize >= Self.size else {
      throw RealmError.notRealm(size: fileSize)
    }
    bytes = try descriptor.bytes(at: 0, count: Self.size)
    guard Self.isMarked(bytes) else {
      let start = try descriptor.bytes(at: 0, count: min(fileSize, 64))
      throw Self.looksEncrypted(start, size: fileSize)
        ? RealmError.encrypted : RealmError.notRealm
    }
  }

  /// Returns whether the bytes are the start of an unencrypted Realm file.
  static func isMarked(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.dropFirst(16).prefix(4).elementsEqual(mark)
  }

  /// Returns whether the bytes may be the start of an encrypted file, which has no plain contents.
  static func looksEncrypted(_ start: [UInt8], size: Int) -> Bool {
    guard size > 0, size.isMultiple(of: 4_096), start.count >= 36 else { return false }
    let first = word(start, 0) & 0xFFFF_FFFF
    let second = word(Array(start[32..<36]) + [0, 0, 0, 0], 0)
    return first > 0 && first < 1 << 20 && (second == 0 || second == first - 1)
  }

  private var slot: Int { Int(bytes[23] & 1) }

  /// The format version of the current state.
  var format: Int { Int(bytes[20 + slot]) }

  /// The reference of the current state as stored: 0 for none, all ones if it is in the footer.
  var top: UInt64 { Self.word(bytes, slot * 8) }

  /// Whether the file was exported, with the reference of its state in the footer.
  var isStreaming: Bool { slot == 0 && top == .max }

  /// Returns the reference of the state in the footer of an exported file.
  static func footer(_ descriptor: RealmDescriptor, fileSize: Int) throws(RealmError) -> UInt64 {
    guard fileSize >= size + 16 else { throw .cutOff }
    let footer = try descriptor.bytes(at: fileSize - 16, count: 16)
    guard word(footer, 8) == footerMagic else {
      throw .cutOff
    }
    return word(footer, 0)
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    bytes[offset..<(offset + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
