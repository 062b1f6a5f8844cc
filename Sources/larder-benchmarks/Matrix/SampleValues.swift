import Foundation
import HarmonySQLite
import HarmonyTesting

/// Values that a row number determines.
extension SQLiteValue {
  private static let words = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet",
    "kilo", "lima", "mike", "november",
  ]

  static func int(_ number: Int) -> Self { .integer(Int64(number)) }

  static func numbered(_ prefix: String, _ number: Int, digits: Int) -> Self {
    .text(prefix + String(format: "%0\(digits)d", number))
  }

  /// A word and a number, such as `alpha14`.
  static func name(_ number: Int) -> Self { .text("\(words[number % 14])\(number)") }

  /// Three parts separated by dots, such as `alpha.12.00000014`.
  static func path(_ number: Int, isUppercase: Bool = false) -> Self {
    let path = words[number % 14] + String(format: ".%02x.%08d", number * 7_919 % 256, number)
    return .text(isUppercase ? path.uppercased() : path)
  }

  static func json(_ number: Int) -> Self {
    let name = String(format: "%08x", UInt32(truncatingIfNeeded: number * 2_654_435_761))
    let tags = words[(number % 14)...].prefix(2).joined(separator: "\", \"")
    let score = Double(number) / 7
    return .text(
      "{\"id\": \(number), \"name\": \"\(name)\", \"score\": \(score), \"tags\": [\"\(tags)\"]}")
  }

  static func sentence(_ number: Int, count: Int) -> Self {
    var generator = SeededGenerator(seed: UInt64(number))
    let chosen = (0..<count).map { _ in words[Int.random(in: 0..<14, using: &generator)] }
    return .text(chosen.joined(separator: " "))
  }

  static func uuid(_ number: Int) -> Self { .blob(randomBytes(number)) }

  /// A hash in hexadecimal.
  static func hash(_ number: Int) -> Self {
    .text(randomBytes(number).map { String(format: "%02x", $0) }.joined())
  }

  /// The pickle of `{"i": number, "w": word}` as Python's protocol 4 writes it.
  static func pickle(_ number: Int) -> Self {
    let word = Array(words[number % 14].utf8)
    let width = number < 256 ? 1 : number < 65_536 ? 2 : 4
    let bytes = (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    var body: [UInt8] = [0x7D, 0x94, 0x28, 0x8C, 1, 0x69, 0x94, [0x4B, 0x4D, 0x4A][width / 2]]
    body += bytes + [0x8C, 1, 0x77, 0x94, 0x8C, UInt8(word.count)] + word + [0x94, 0x75, 0x2E]
    return .blob([0x80, 4, 0x95, UInt8(body.count), 0, 0, 0, 0, 0, 0, 0] + body)
  }

  private static func randomBytes(_ number: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(number))
    return (0..<16).map { _ in .random(in: 0...255, using: &generator) }
  }
}
