import CZlib
import Foundation
import HarmonySQLite
import LarderFormats
import LarderModel
import LarderStoreBase

/// A file of MMKV, Tencent's key-value storage for Android and iOS.
///
/// It is a log of keys and values without types, padded with zeros. A second file with the suffix
/// `.crc` has the size and the checksum of the log.
struct MMKVFile: Sendable {
  /// The values in a file, and what is known about them.
  struct Contents: Sendable {
    let entries: [Entry]
    let header: Header
  }

  /// The start of the second file.
  struct Header: Sendable, Equatable {
    let checksum: UInt32
    /// The version of the format: 3 and later have the size here, and 4 has flags.
    let version: UInt32
    let size: UInt32
    /// Whether each value ends with its expiry.
    let hasExpiry: Bool
    /// Whether the bytes can hardly be those of another format.
    let isCertain: Bool

    /// The last version that MMKV itself accepts.
    private static let maximumVersion = 6

    /// Reads a header, or returns nil if the bytes are not one.
    init?(_ bytes: [UInt8]) {
      // A vector for encryption, the last confirmed sizes and reserved bytes precede the flags.
      let flags = 104
      var cursor = ByteCursor(bytes[...])
      guard let checksum = try? cursor.little(UInt32.self),
        let version = try? cursor.little(UInt32.self), version <= Self.maximumVersion,
        (try? cursor.take(20)) != nil, let size = try? cursor.little(UInt32.self)
      else { return nil }
      self.checksum = checksum
      self.version = version
      self.size = size
      hasExpiry = version >= 4 && bytes.count > flags && bytes[flags] & 1 == 1
      isCertain = version > 0 && bytes.count > flags && bytes[40..<flags].allSatisfy { $0 == 0 }
    }
  }

  /// The suffix of the second file.
  static let suffix = ".crc"
  /// The number of attempts to read the files while a program writes them.
  private static let patience = 5
  /// The size up to which a file is read, which is well above what programs keep in memory.
  private static let maximumSize = 256 << 20

  let path: String

  /// The header, or nil if there is none.
  var header: Header? {
    (try? SQLiteFile.at(path + Self.suffix)).flatMap { Header($0.firstBytes(112)) }
  }

  /// Returns whether the second file belongs to the file, even if the file is damaged.
  var isRecognized: Bool {
    guard let header else { return false }
    return header.isCertain || (try? log(header)) != nil
  }

  /// Reads the values.
  ///
  /// - Throws: ``StoreError`` if the files cannot be read, or are damaged or encrypted.
  func read() throws(StoreError) -> Contents {
    for _ in 1..<Self.patience {
      if let header, let log = try? log(header) { return try contents(log, header) }
      usleep(10_000)
    }
    guard let header else { throw .unreadable(path + Self.suffix) }
    return try contents(try log(header), header)
  }

  /// Returns the log, if it has the checksum.
  private func log(_ header: Header) throws(StoreError) -> ArraySlice<UInt8> {
    let bytes: [UInt8]
    do {
      let file = try SQLiteFile.at(path)
      var start = ByteCursor(file.firstBytes(4)[...])
      let size = max((try? start.little(UInt32.self)) ?? 0, header.size)
      bytes = file.firstBytes(min(Int(size), Self.maximumSize) + 4)
    } catch {
      throw .notOpened(path, error.message)
    }
    var cursor = ByteCursor(bytes[...])
    let size = try? cursor.little(UInt32.self)
    // The file starts with the size too, but later versions do not always update it.
    for size in [header.version < 3 ? nil : header.size, size].compactMap(\.self) {
      var rest = cursor
      guard let log = try? rest.take(size) else { continue }
      let checksum = log.withUnsafeBufferPointer {
        crc32(0, $0.baseAddress, UInt32(clamping: $0.count))
      }
      if checksum == header.checksum { return log }
    }
    throw .damaged(path, checkedBy: path + Self.suffix)
  }

  private func contents(
    _ log: ArraySlice<UInt8>, _ header: Header
  ) throws(StoreError) -> Contents {
    do {
      return Contents(
        entries: try Self.entries(in: log, hasExpiry: header.hasExpiry), header: header)
    } catch {
      throw .encryptedMMKV(path)
    }
  }

  /// Returns the entries in a log, where later values replace earlier ones.
  private static func entries(
    in log: ArraySlice<UInt8>, hasExpiry: Bool
  ) throws(FormatError) -> [Entry] {
    var cursor = ByteCursor(log)
    guard cursor.left > 0 else { return [] }
    // A size follows, or any number of four bytes in its place.
    let size = try cursor.varint()
    guard size <= cursor.left || 1 << 21..<1 << 28 ~= size else {
      throw .wrongSize
    }
    var values: [EntryKey: ArraySlice<UInt8>] = [:]
    while cursor.left > 0 {
      let key = try cursor.counted()
      guard !key.isEmpty, let name = String(validating: key, as: UTF8.self) else {
        throw .keyNotText
      }
      let value = try cursor.counted()
      values[.text(name)] = value.isEmpty ? nil : value
    }
    var entries: [Entry] = []
    for (key, bytes) in values {
      var cursor = ByteCursor(bytes)
      let value = try cursor.take(bytes.count - (hasExpiry ? 4 : 0))
      var entry = Entry(key: key, value: Self.value(value))
      if hasExpiry, case let time = try cursor.little(UInt32.self), time > 0 {
        entry.expires = Date(timeIntervalSince1970: TimeInterval(time))
      }
      entries.append(entry)
    }
    return entries
  }

  /// Returns the value that the bytes are, or the bytes if they may be values of several types.
  private static func value(_ bytes: ArraySlice<UInt8>) -> StoredValue {
    var cursor = ByteCursor(bytes)
    let number = try? cursor.varint()
    if let number, cursor.left == 0 {
      // 0 and 1 may be Booleans, and four or eight bytes floating-point numbers.
      return number > 1 && ![4, 8].contains(bytes.count)
        ? .integer(Int64(bitPattern: number)) : .data(Array(bytes))
    }
    // The strings of a set follow control characters.
    guard let number, number == cursor.left, let string = try? cursor.take(number),
      let text = Array(string).plainText
    else { return .data(Array(bytes)) }
    return .text(text)
  }
}
