import Foundation

/// The contents of a file in a store.
///
/// If the file name identifies the key, a value is stored as the plain bytes of the file, so that
/// other programs can read and write it. Everything else has a header with the key and a checksum:
/// lists, values in files named by a digest, and the rare value that begins like a header.
struct FileContent: Sendable {
  enum Shape: Sendable {
    case value(Data)
    case list([Data])
  }

  private static let magic: [UInt8] = [0] + Array("harmony1".utf8)

  /// The key that the file itself contains; nil if it has no header.
  let key: String?

  let shape: Shape

  /// Returns the bytes of a file.
  ///
  /// - Parameters:
  ///   - shape: The content.
  ///   - key: The key of the content.
  ///   - isNamed: Whether the file name identifies the key.
  /// - Returns: The bytes.
  static func bytes(of shape: Shape, key: String, isNamed: Bool) -> Data {
    var body = ByteWriter()
    switch shape {
    case .value(let value):
      if isNamed && !value.starts(with: magic) { return value }
      body.write(0 as UInt8)
      body.write(key)
      body.write(value)
    case .list(let values):
      body.write(1 as UInt8)
      body.write(key)
      body.write(UInt64(values.count))
      for value in values { body.write(value) }
    }
    var header = ByteWriter()
    header.write(CRC32.checksum(body.bytes))
    return Data(magic + header.bytes + body.bytes)
  }

  /// Reads a file.
  ///
  /// - Throws: ``CoreError/DataSerialization`` if the file has a header but is damaged.
  init(of file: borrowing OpenFile) throws {
    let bytes = try file.read()
    guard bytes.starts(with: Self.magic) else {
      (key, shape) = (nil, .value(Data(bytes)))
      return
    }
    var reader = ByteReader(bytes.dropFirst(Self.magic.count))
    guard reader.number(UInt32.self) == CRC32.checksum(bytes.dropFirst(Self.magic.count + 4)),
      let kind = reader.number(UInt8.self), let key = reader.text(),
      let shape = Self.shape(kind, from: &reader), reader.isAtEnd
    else { throw CoreError.DataSerialization("The file \(PathName(file.path)) is damaged") }
    (self.key, self.shape) = (key, shape)
  }

  private static func shape(_ kind: UInt8, from reader: inout ByteReader) -> Shape? {
    switch kind {
    case 0: return reader.bytes().map { .value(Data($0)) }
    case 1:
      guard let count = reader.count() else { return nil }
      var values: [Data] = []
      for _ in 0..<count {
        guard let value = reader.bytes() else { return nil }
        values.append(Data(value))
      }
      return .list(values)
    default: return nil
    }
  }

  /// Returns the key in a file's header, reading only the header; nil if there is none.
  static func key(of file: borrowing OpenFile) throws -> String? {
    let start = magic.count + 4 + 1
    let header = try file.read(count: start + 8)
    guard header.starts(with: magic) else { return nil }
    var reader = ByteReader(header.dropFirst(start))
    guard let length = reader.number(UInt64.self), length <= UInt64(try file.stamp().size) else {
      return nil
    }
    return String(validating: try file.read(from: start + 8, count: Int(length)), as: UTF8.self)
  }
}
