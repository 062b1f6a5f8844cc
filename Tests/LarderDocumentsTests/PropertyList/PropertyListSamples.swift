import TestSamples
import Foundation
import LarderModel
import TestPrograms
import Testing

/// Property lists written by Foundation and Python, and their interpretation of ours.
enum PropertyListSamples {
  /// Returns an object as Foundation serializes it.
  static func bytes(
    of object: Any, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> [UInt8] {
    Array(
      try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0))
  }

  /// Runs a Python program with some input and returns its output.
  static func python(_ program: String, _ input: [UInt8] = []) throws -> [UInt8] {
    let outcome = try ProgramOutcome(
      running: ["python3", "-c", "import sys, plistlib\n" + program], input: input)
    #expect(outcome.status == 0)
    return Array(outcome.output)
  }

  /// Returns a random value of a type that property lists support, with unique names.
  static func value(_ random: inout SampleGenerator, depth: Int, isXML: Bool) -> StoredValue {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &random) {
    case 0: return .bool(.random(using: &random))
    case 1: return .integer(random.integer())
    case 2: return .real(random.real())
    case 3: return .data(random.bytes())
    case 4:
      let time = Double.random(in: -1e9...1e9, using: &random)
      return .date(Date(timeIntervalSinceReferenceDate: isXML ? time.rounded() : time))
    case 5: return .number("18446744073709551615")
    case 6, 7: return .text(text(&random))
    case 8:
      let count = Int.random(in: 0...4, using: &random)
      return .array((0..<count).map { _ in value(&random, depth: depth - 1, isXML: isXML) })
    default:
      let count = Int.random(in: 0...4, using: &random)
      return .dictionary(
        (0..<count).map {
          .init("\($0)" + text(&random), value(&random, depth: depth - 1, isXML: isXML))
        })
    }
  }

  /// Returns a random string without characters that XML cannot represent.
  static func text(_ random: inout SampleGenerator) -> String {
    String(
      String.UnicodeScalarView(
        random.text().unicodeScalars.filter {
          $0.value >= 0x20 || "\t\n\r".unicodeScalars.contains($0)
        }))
  }

  /// Returns the Foundation object for a value.
  static func object(of value: StoredValue) -> Any {
    switch value {
    case .bool(let flag): flag
    case .integer(let number): number
    case .real(let number): number
    case .number(let digits): UInt64(digits) ?? 0
    case .text(let text): text
    case .data(let bytes): Data(bytes)
    case .date(let date): date
    case .array(let values): values.map(object)
    case .dictionary(let fields):
      Dictionary(fields.map { ($0.name, object(of: $0.value)) }, uniquingKeysWith: { $1 })
    default: ""
    }
  }

  /// Returns the value with the members of all dictionaries sorted by name.
  static func sorted(_ value: StoredValue) -> StoredValue {
    switch value {
    case .array(let values): .array(values.map(sorted))
    case .dictionary(let fields):
      .dictionary(
        fields.map { .init($0.name, sorted($0.value)) }.sorted { left, right in
          left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        })
    default: value
    }
  }
}
