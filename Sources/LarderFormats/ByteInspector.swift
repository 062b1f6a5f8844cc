import Foundation
import LarderModel

/// Interprets the bytes at an offset as numbers and timestamps.
package enum ByteInspector {
  /// The minimum width at which both byte orders fit on one line.
  private static let wide = 50

  /// Returns the number of lines in a pane of the given width.
  package static func lineCount(width: Int) -> Int { width >= wide ? 11 : 13 }

  /// Returns the numbers at an offset, in every size and in both byte orders.
  ///
  /// - Parameters:
  ///   - bytes: All bytes.
  ///   - place: The offset of the first byte to interpret.
  ///   - width: The width of the pane in columns; 64-bit numbers may exceed it.
  /// - Returns: The lines, with `–` for numbers that extend past the end of the bytes.
  package static func lines(_ bytes: [UInt8], at place: Int, width: Int = 80) -> [ValueLine] {
    guard bytes.indices.contains(place) else { return [] }
    let next = bytes[place...].prefix(8)
    let little = Word(next)
    let big = Word(next, isBig: true)
    let head = ValueLine([
      .init("byte ", .note), .init(Thousands.text(place), .number),
      .init(" of \(Thousands.text(bytes.count))", .note),
      .init("  0x\(String(place, radix: 16))", .note),
    ])
    let byte = ValueLine([
      .init(padded("8", 6), .name), .init(little.both(1) ?? "–", .number),
      .init("  \(binary(bytes[place]))", .note),
    ])
    let numbers =
      width >= wide ? wideLines(little, big) : narrowLines(little, big)
    return [head, byte] + numbers
  }

  private static func wideLines(_ little: Word, _ big: Word) -> [ValueLine] {
    func line(_ name: String, _ little: String?, _ big: String?) -> ValueLine {
      ValueLine([
        .init(padded(name, 6), .name), .init("le ", .note),
        .init(padded(little ?? "–", 20), .number), .init(" be ", .note), .init(big ?? "–", .number),
      ])
    }
    return [2, 4, 8].flatMap { size in
      [
        line("u\(size * 8)", little.unsigned(size), big.unsigned(size)),
        line("i\(size * 8)", little.signed(size), big.signed(size)),
      ]
    } + [
      line("f32", little.float, big.float), line("f64", little.double, big.double),
      line("time", little.time, big.time),
    ]
  }

  /// Returns one line for each byte order, with the signed value only where it differs.
  private static func narrowLines(_ little: Word, _ big: Word) -> [ValueLine] {
    func lines(_ name: String, _ text: (Word) -> String?) -> [ValueLine] {
      [(" le", little), (" be", big)].map { order, word in
        ValueLine([
          .init(padded(name, 3), .name), .init(order + " ", .note),
          .init(text(word) ?? "–", .number),
        ])
      }
    }
    let time = ValueLine([
      .init(padded("time", 6), .name), .init(little.time ?? big.time ?? "–", .number),
    ])
    return lines("16") { $0.both(2) } + lines("32") { $0.both(4) } + lines("64") { $0.both(8) }
      + lines("f32") { $0.float } + lines("f64") { $0.double } + [time]
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func binary(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 2)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Up to eight bytes in one byte order.
  private struct Word {
    /// The bytes in the order in which they are stored.
    private let bytes: [UInt8]
    private let isBig: Bool

    init(_ bytes: ArraySlice<UInt8>, isBig: Bool = false) {
      self.bytes = Array(bytes)
      self.isBig = isBig
    }

    func number(_ size: Int) -> UInt64? {
      guard bytes.count >= size else { return nil }
      let own = bytes.prefix(size)
      return (isBig ? Array(own) : own.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    func unsigned(_ size: Int) -> String? {
      number(size).map { String($0) }
    }

    func signed(_ size: Int) -> String? {
      number(size).map { number in
        let unused = UInt64(64 - size * 8)
        return String(Int64(bitPattern: number << unused) >> Int64(unused))
      }
    }

    /// Returns the unsigned number, followed by the signed one if it differs.
    func both(_ size: Int) -> String? {
      guard let unsigned = unsigned(size), let signed = signed(size) else { return nil }
      return unsigned == signed ? unsigned : "\(unsigned)  \(signed)"
    }

    var float: String? {
      number(4).map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)).description }
    }

    var double: String? {
      number(8).map { Double(bitPattern: $0).description }
    }

    /// The likely timestamp, looked for in eight bytes first and then in four.
    var time: String? {
      if let number = number(8) {
        if let whole = Int64(exactly: number), let note = Epoch.text(of: whole) { return note }
        if let note = Epoch.text(of: Double(bitPattern: number)) { return note }
      }
      return number(4).flatMap { Epoch.text(of: Int64($0)) }
    }
  }
}
