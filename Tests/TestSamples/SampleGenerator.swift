import Foundation
import HarmonyTesting
package import LarderModel

/// Random keys and values that can be reproduced from a seed.
package struct SampleGenerator: RandomNumberGenerator {
  /// The seed, which failing tests print.
  package let seed: UInt64
  private var random: SeededGenerator

  package init(seed: UInt64 = .random(in: .min ... .max)) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  package mutating func next() -> UInt64 { random.next() }
}

extension SampleGenerator {
  /// Returns a string of up to eight scalars that are likely to cause problems in keys and parsers.
  package mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "b", "Z", "0", "1", "9", "-", "+", ".", "e", "x", "t", "'", "\"", "\\", "(", ")", ",",
      " ", "n", "u", "l", "/", ":", "#", "{", "}", "\n", "\r", "\t", "\0", "\u{1B}", "\u{7F}",
      "\u{9B}", "\u{202E}", "\u{2028}", "é", "e", "\u{301}", "K", "\u{212A}", "李", "😀",
      "\u{FEFF}", "\u{200D}", "\u{10FFFF}",
    ]
    let special = [
      "null", "42", "-0", "1.5", "1e+20", "nan", "inf", "x'0a'", "t'ff'", "(a,b)", "\"q\"", "",
    ]
    if Int.random(in: 0..<4, using: &self) == 0 {
      return special.randomElement(using: &self) ?? ""
    }
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...8, using: &self) {
      text.append(scalars.randomElement(using: &self) ?? "a")
    }
    return String(text)
  }

  /// Returns up to six bytes.
  package mutating func bytes() -> [UInt8] {
    (0..<Int.random(in: 0...6, using: &self)).map { _ in .random(in: 0...255, using: &self) }
  }

  /// Returns bytes that are not valid UTF-8.
  package mutating func malformedBytes() -> [UInt8] { bytes() + [0xFF] + bytes() }

  /// Returns an integer, often an edge case.
  package mutating func integer() -> Int64 {
    let edges: [Int64] = [0, 1, -1, .min, .max, 9_007_199_254_740_993]
    return Bool.random(using: &self)
      ? .random(in: .min ... .max, using: &self) : edges.randomElement(using: &self) ?? 0
  }

  /// Returns a finite or infinite number of any magnitude.
  package mutating func real() -> Double {
    let edges: [Double] = [
      0, -0.0, 1, 0.1, 1e20, .leastNonzeroMagnitude, -1.5, .greatestFiniteMagnitude, .infinity,
      -.infinity,
    ]
    if Bool.random(using: &self) { return edges.randomElement(using: &self) ?? 0 }
    let number = Double(bitPattern: .random(in: .min ... .max, using: &self))
    return number.isNaN ? 1 : number
  }

  /// Returns a value without dictionaries that could be mistaken for other types.
  package mutating func value(depth: Int) -> StoredValue {
    switch Int.random(in: 0..<(depth > 0 ? 13 : 10), using: &self) {
    case 0: return .null
    case 1: return .bool(.random(using: &self))
    case 2: return .integer(integer())
    case 3: return .real(real())
    case 4: return .malformedText(malformedBytes())
    case 5: return .data(bytes())
    case 6:
      return .date(Date(timeIntervalSinceReferenceDate: .random(in: -1e11...1e11, using: &self)))
    case 7: return .url(text())
    case 8:
      let high = UInt8.random(in: 0...255, using: &self)
      return .uuid(UUID(uuid: (high, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
    case 9: return .text(text())
    case 10, 11:
      let count = Int.random(in: 0...3, using: &self)
      return .array((0..<count).map { _ in value(depth: depth - 1) })
    default:
      let count = Int.random(in: 0...3, using: &self)
      return .dictionary(
        (0..<count).map { _ in .init("~" + text(), value(depth: depth - 1)) })
    }
  }
}

extension StoredValue {
  /// Values whose stored forms are all different.
  package static let samples: [StoredValue] = [
    .null, .bool(false), .bool(true), .integer(0), .integer(1), .integer(-1), .integer(.min),
    .real(0), .real(-0.0), .real(1), .real(.nan), .real(.infinity), .text(""), .text("0"),
    .text("null"), .text("\u{E9}"), .text("e\u{301}"), .text("a\0"), .text("a"),
    .malformedText([0xFF]), .malformedText([0xFF, 0xFE]), .data([]), .data([0]), .data([0xFF]),
    .data(Array("a".utf8)), .date(Date(timeIntervalSinceReferenceDate: 0)),
    .date(Date(timeIntervalSinceReferenceDate: 0.25)), .url(""), .url("a"), .url("\u{E9}"),
    .url("e\u{301}"), .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
    .uuid(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
    .array([]), .array([.null]), .array([.null, .null]), .array([.array([])]),
    .array([.array([.null])]), .array([.array([]), .null]), .array([.text("a"), .text("b")]),
    .array([.text("ab")]), .array([.text("a")]), .dictionary([]), .dictionary([.init("a", .null)]),
    .dictionary([.init("a", .text("b"))]), .dictionary([.init("", .text("ab"))]),
    .dictionary([.init("ab", .text(""))]),
    .dictionary([.init("a", .null), .init("b", .null)]),
    .dictionary([.init("b", .null), .init("a", .null)]),
    .dictionary([.init("a", .null), .init("a", .null)]),
    .dictionary([.init("\u{E9}", .null)]), .dictionary([.init("e\u{301}", .null)]),
    .record([]), .record([.init("a", .null)]), .record([.init("a", .text("b"))]),
    .record([.init("a", .dictionary([.init("b", .null)]))]),
    .record([.init("a", .dictionary([])), .init("b", .null)]),
  ]
}
