import Foundation

/// Writes the nodes of a Realm file sequentially, as in an exported copy.
///
/// It buffers up to a megabyte before writing to a file.
package struct RealmNodeWriter {
  /// The flags in the header of a node.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let inner = Flags(rawValue: 0xC0)
    package static let refs = Flags(rawValue: 0x40)
    package static let marked = Flags(rawValue: 0x20)
  }

  private let file: FileHandle?
  /// The bytes not yet written to the file; without a file, all bytes.
  package private(set) var pending: [UInt8] = []
  /// The offset of the next node.
  package private(set) var place: Int

  /// Creates a writer that keeps the nodes in memory, starting at an offset.
  package init(place: Int) {
    file = nil
    self.place = place
  }

  /// Creates a file in streaming form, whose footer contains the top reference, and writes its
  /// header.
  package init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    file = try FileHandle(forWritingTo: URL(filePath: path))
    place = 0
    try append(
      [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 8) + Array("T-DB".utf8)
        + [24, 0, 0, 0])
  }

  /// Writes the footer with the top reference and closes the file.
  package mutating func finish(top: Int) throws {
    try append(Self.bytes(UInt64(top)) + Self.bytes(0x3034_1252_37E5_26C8))
    try file?.write(contentsOf: pending)
    try file?.close()
  }

  /// Writes an array of integers with the minimum bit width.
  package mutating func integers(_ numbers: [Int64], _ flags: Flags = []) throws -> Int {
    let code = Self.code(numbers)
    let width = (1 << code) >> 1
    var payload: [UInt8] = []
    if width >= 8 {
      payload.reserveCapacity(numbers.count * width / 8)
      for number in numbers {
        let bits = UInt64(bitPattern: number)
        for byte in 0..<(width / 8) {
          payload.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte)))
        }
      }
    } else if width > 0 {
      payload = [UInt8](repeating: 0, count: (numbers.count * width + 7) / 8)
      for (index, number) in numbers.enumerated() {
        payload[index * width / 8] |= UInt8(number) << UInt8(index * width % 8)
      }
    }
    return try node(flags.rawValue | UInt8(code), numbers.count, payload)
  }

  /// Writes an array of references, which may include tagged integers.
  package mutating func refs(_ refs: [Int], _ flags: Flags = .refs) throws -> Int {
    try integers(refs.map(Int64.init), flags)
  }

  /// Writes an array of short strings, of up to 15 bytes, or 63 for names.
  package mutating func shortTexts(_ texts: [String]) throws -> Int {
    let longest = texts.map(\.utf8.count).max() ?? 0
    let code = (1...7).first { longest < (1 << $0) >> 1 } ?? 7
    let width = (1 << code) >> 1
    var payload: [UInt8] = []
    for text in texts {
      let padding = width - 1 - text.utf8.count
      payload += Array(text.utf8) + [UInt8](repeating: 0, count: padding) + [UInt8(padding)]
    }
    return try node(0x08 | UInt8(code), texts.count, payload)
  }

  /// Writes an array of strings longer than 63 bytes, each in its own node.
  package mutating func longTexts(_ texts: [String]) throws -> Int {
    var refs: [Int] = []
    for text in texts {
      refs.append(try node(0x11, text.utf8.count + 1, Array(text.utf8) + [0]))
    }
    return try self.refs(refs, [.refs, .marked])
  }

  private mutating func node(_ kind: UInt8, _ count: Int, _ payload: [UInt8]) throws -> Int {
    let start = place
    try append(
      Array("AAAA".utf8) + [
        kind, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF),
      ] + payload + [UInt8](repeating: 0, count: -payload.count & 7))
    return start
  }

  private mutating func append(_ bytes: [UInt8]) throws {
    pending += bytes
    place += bytes.count
    guard let file, pending.count > 1 << 20 else { return }
    try file.write(contentsOf: pending)
    pending.removeAll(keepingCapacity: true)
  }

  private static func code(_ numbers: [Int64]) -> Int {
    let least = numbers.min() ?? 0
    let most = numbers.max() ?? 0
    if least >= 0, most < 16 { return most == 0 ? 0 : most == 1 ? 1 : most < 4 ? 2 : 3 }
    if least >= Int8.min, most <= Int8.max { return 4 }
    if least >= Int16.min, most <= Int16.max { return 5 }
    return least >= Int32.min && most <= Int32.max ? 6 : 7
  }

  package static func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }
}
