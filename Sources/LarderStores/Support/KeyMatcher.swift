import Foundation
import LarderCore

/// Says whether the bytes of a key or a value match a filter.
///
/// Text is looked for byte by byte. Where it holds no capital letter, letters of either case
/// match: ASCII by table, others by Unicode's simple lower case. Made for one operation on one
/// thread, as compiled regular expressions cannot be shared.
final class KeyMatcher {
  private enum Method {
    case bytes(ByteSearch)
    case folded([UInt8])
    case regex(Expression)
  }

  /// A regular expression that gives up on a text it cannot decide in a fraction of a second.
  ///
  /// Some expressions, such as `(a+)+$`, take exponential time. Foundation's tells how long a match
  /// has been going on and lets it be ended, which Swift's own does not.
  private struct Expression {
    private let regex: NSRegularExpression
    private static let greatestSteps = 200

    init(_ text: String) throws {
      // Foundation takes no empty pattern, although it means what it says: anything matches.
      regex = try NSRegularExpression(pattern: text.isEmpty ? "(?:)" : text)
    }

    func occurs(in text: String) -> Bool {
      var found = false
      var steps = 0
      let whole = NSRange(location: 0, length: text.utf16.count)
      regex.enumerateMatches(in: text, options: .reportProgress, range: whole) { match, _, stop in
        found = match != nil
        steps += 1
        if found || steps >= Self.greatestSteps { stop.pointee = true }
      }
      return found
    }
  }

  private let method: Method

  /// Prepares a pattern.
  init(_ pattern: EntryFilter.Pattern) throws(StoreError) {
    switch pattern {
    case .text(let text):
      if text.unicodeScalars.contains(where: \.properties.isUppercase) {
        method = .bytes(ByteSearch(Array(text.utf8), ignoringCase: false))
      } else if text.utf8.allSatisfy({ $0 < 0x80 }) {
        method = .bytes(ByteSearch(Array(text.utf8), ignoringCase: true))
      } else {
        method = .folded(Self.folded(text))
      }
    case .regex(let text):
      do {
        method = .regex(try Expression(text))
      } catch {
        throw .failed("\"\(text)\" is not a regular expression")
      }
    }
  }

  /// The text that is looked for byte by byte, where it is that simple.
  var exactText: String? {
    if case .bytes(let search) = method, search.isExact { search.text } else { nil }
  }

  /// Whether the pattern occurs in the bytes of a text.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch method {
    case .bytes(let search): return search.occurs(in: bytes)
    case .folded(let needle):
      // The needle holds a letter outside ASCII, so pure ASCII cannot match.
      guard bytes.contains(where: { $0 >= 0x80 }) else { return false }
      let hay = Self.folded(String(decoding: bytes, as: UTF8.self))
      return hay.withUnsafeBytes { hay in
        ByteSearch(needle, ignoringCase: false).occurs(in: hay)
      }
    case .regex(let expression):
      return expression.occurs(in: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Whether the pattern occurs in a text.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Whether the pattern occurs in the text that a key is shown as.
  func matches(_ key: EntryKey) -> Bool {
    switch key {
    case .text(let text): matches(text)
    case .malformedText(let bytes): bytes.withUnsafeBytes { matches($0) }
    default: matches(key.notation(.typed))
    }
  }

  /// Whether the pattern occurs in any text inside a value; numbers are their digits.
  func matches(_ value: StoredValue) -> Bool {
    switch value {
    case .null: false
    case .bool(let flag): matches(flag ? "true" : "false")
    case .integer(let number): matches(String(number))
    case .real(let number): matches(number.description)
    case .number(let digits): matches(digits)
    case .text(let text), .url(let text): matches(text)
    case .malformedText(let bytes), .data(let bytes): bytes.withUnsafeBytes { matches($0) }
    case .date(let date): matches(date.formatted(.iso8601))
    case .uuid(let uuid): matches(uuid.uuidString)
    case .array(let values): values.contains { matches($0) }
    case .dictionary(let fields): fields.contains { matches($0.name) || matches($0.value) }
    case .record(let fields): fields.contains { matches($0.value) }
    }
  }

  private static func folded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append(ByteSearch.lowercase(UInt8(truncatingIfNeeded: scalar.value)))
      } else {
        bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
      }
    }
    return bytes
  }
}
