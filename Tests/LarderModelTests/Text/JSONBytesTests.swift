import Foundation
import LarderModel
import Testing

/// Text and bytes as JSON, compared with a simple writer that handles one scalar at a time.
@Suite struct JSONBytesTests {
  /// Returns a quoted string, built scalar by scalar.
  private static func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case let scalar where scalar.isHostile:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return "\"" + quoted + "\""
  }

  /// Scalars with a special representation, and their neighbors.
  private static let odd: [UInt32] =
    Array(0x00...0x22) + [0x5B, 0x5C, 0x5D, 0x7E] + Array(0x7F...0xA1)
    + [0x61B, 0x61C, 0x61D, 0x600, 0x2007, 0x200D, 0x200E, 0x200F, 0x2010, 0x2027]
    + Array(0x2028...0x202F) + [0xAD, 0x200B, 0x200C, 0xFF00, 0xFFF8]
    + Array(0xFFF9...0xFFFC) + Array(0x205F...0x2064) + Array(0x2065...0x206A) + [
      0x20AC, 0xFFFD, 0xFEFF, 0x1F469, 0x10FFFF,
    ]

  private static func text(
    _ length: Int, _ generator: inout some RandomNumberGenerator
  ) -> String {
    var text = ""
    for _ in 0..<length {
      let value: UInt32 =
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: odd.randomElement(using: &generator) ?? 0
        case 1: UInt32.random(in: 0...0x10FFFF, using: &generator)
        default: UInt32.random(in: 0x20...0x7E, using: &generator)
        }
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  @Test func `Random strings match the scalar-by-scalar writer`() {
    var generator = SystemRandomNumberGenerator()
    for round in 0..<4_000 {
      let text = Self.text(round % 50, &generator)
      let quoted = JSONText.quote(text)
      #expect(quoted == Self.quoted(text), "\(Array(text.unicodeScalars).map(\.value))")
    }
  }

  @Test func `Every special scalar is escaped at each position in a word`() throws {
    for value in Self.odd {
      let scalar = String(Character(try #require(Unicode.Scalar(value))))
      for before in 0..<9 {
        for after in [0, 1, 9] {
          let text =
            String(repeating: "a", count: before) + scalar
            + String(repeating: "b", count: after)
          #expect(JSONText.quote(text) == Self.quoted(text), "\(value) at \(before)")
        }
      }
    }
  }

  @Test func `A substring is written like the same string`() {
    let text = "one \u{200E}two \u{1F469} three"
    for start in text.indices {
      #expect(JSONText.quote(text[start...]) == Self.quoted(String(text[start...])))
    }
  }

  @Test func `Bytes are written in Base64`() {
    var generator = SystemRandomNumberGenerator()
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(
        JSONText.encode(.data(bytes))
          == "{\"base64\":\"\(Data(bytes).base64EncodedString())\"}")
      #expect(
        JSONText.encode(.malformedText(bytes))
          == "{\"text\":{\"base64\":\"\(Data(bytes).base64EncodedString())\"}}")
    }
  }

  @Test func `Bytes that are not valid UTF-8 are distinguished from text`() {
    var generator = SystemRandomNumberGenerator()
    for round in 0..<4_000 {
      var bytes = Array(Self.text(round % 20, &generator).utf8)
      if round % 2 == 0, let place = bytes.indices.randomElement(using: &generator) {
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      var buffer = ByteBuffer()
      bytes.withUnsafeBytes { buffer.append(jsonText: $0) }
      let value =
        String(validating: bytes, as: UTF8.self).map(StoredValue.text) ?? .malformedText(bytes)
      #expect(buffer.text == JSONText.encode(value))
    }
  }

  @Test(arguments: [0, 7, -7, 10, Int64.max, .min])
  func `Integers are written as their digits`(number: Int64) {
    #expect(JSONText.encode(.integer(number)) == String(number))
  }

  @Test(arguments: [
    0, -0.0, 1.5, 1e300, Double.leastNonzeroMagnitude, .infinity, -.infinity, .nan, 0.1,
  ])
  func `Finite reals are written as in Swift, and others as objects`(number: Double) {
    let text = number.isFinite ? number.description : "{\"real\":\"\(number.debugDescription)\"}"
    #expect(JSONText.encode(.real(number)) == text)
  }

  @Test func `A buffer keeps its contents when it grows`() {
    var buffer = ByteBuffer(capacity: 1)
    var bytes: [UInt8] = []
    for round in 0..<2_000 {
      let piece = (0..<(round % 37)).map { UInt8(truncatingIfNeeded: $0 &* round) }
      buffer.append(piece)
      bytes += piece
      if round % 100 == 99 {
        buffer.truncate(to: bytes.count - 5)
        bytes.removeLast(5)
      }
    }
    #expect(buffer.bytes == bytes)
    buffer.truncate(to: -1)
    #expect(buffer.count == 0)
    #expect(buffer.bytes.isEmpty)
  }
}
