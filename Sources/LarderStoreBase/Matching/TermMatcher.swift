import Foundation
package import LarderModel
import LarderDocuments

/// A matcher that searches texts for the pattern of one condition.
///
/// Strings are searched bytewise. The search ignores case unless the string contains an uppercase
/// letter: ASCII by table, other letters by the simple Unicode mapping to lowercase.
package final class TermMatcher {
  private enum Method {
    case bytes(ByteSearch, ByteSearch.Place)
    case folded(ByteSearch, ByteSearch.Place)
    case letters(FuzzySearch)
    case regex(RegularExpression)
  }

  /// Whether the condition holds if the pattern does not occur.
  package let isNegated: Bool
  /// Whether a regular expression has given up on a text since this was last set to false.
  // Set for each of millions of rows, on one thread only.
  @exclusivity(unchecked) var isUndecided = false
  /// Whether the pattern may occur in a number, such as -1.5e-07 or inf.
  package let mayOccurInNumbers: Bool
  /// Whether the pattern may be a part of a UUID that is long enough to search for in bytes.
  let mayOccurInUUIDs: Bool
  private let method: Method
  /// A literal that JSON text must contain to be searched in other spacings too, or nil if spacing
  /// does not matter to the pattern.
  private let jsonPiece: ByteSearch?

  /// Creates a matcher for a condition.
  ///
  /// - Parameters:
  ///   - term: The condition.
  ///   - field: The field to search. JSON in values may be displayed with other spacing than it is
  ///     stored with, and matches in either.
  /// - Throws: ``StoreError`` if the regular expression is invalid.
  package init(_ term: EntryFilter.Term, in field: EntryFilter.Field = .keys) throws(StoreError) {
    isNegated = term.isNegated
    jsonPiece = Self.jsonPiece(of: term.pattern, in: field)
    mayOccurInNumbers = Self.mayOccurInNumbers(term.pattern)
    mayOccurInUUIDs = Self.mayOccurInUUIDs(term.pattern)
    switch term.pattern {
    case .text(let text): method = Self.search(text, .anywhere)
    case .prefix(let text): method = Self.search(text, .atStart)
    case .suffix(let text): method = Self.search(text, .atEnd)
    case .whole(let text): method = Self.search(text, .everywhere)
    case .exact(let text):
      method = .bytes(ByteSearch(Array(text.utf8), ignoringCase: false), .anywhere)
    case .fuzzy(let text): method = .letters(FuzzySearch(text))
    case .regex(let text):
      do {
        method = .regex(try RegularExpression(text))
      } catch {
        throw .notExpression(text)
      }
    }
  }

  private static func mayOccurInNumbers(_ pattern: EntryFilter.Pattern) -> Bool {
    if case .regex = pattern { return true }
    return pattern.text.lowercased().utf8.allSatisfy { "0123456789+-.einfa".utf8.contains($0) }
  }

  private static func mayOccurInUUIDs(_ pattern: EntryFilter.Pattern) -> Bool {
    pattern.isLiteral && 8...36 ~= pattern.text.utf8.count
      && pattern.text.lowercased().utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) }
  }

  private static func search(_ text: String, _ place: ByteSearch.Place) -> Method {
    if EntryFilter.isCaseSensitive(text) {
      return .bytes(ByteSearch(Array(text.utf8), ignoringCase: false), place)
    }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return .bytes(ByteSearch(Array(text.lowercased().utf8), ignoringCase: true), place)
    }
    return .folded(ByteSearch(LowerCase.folded(text), ignoringCase: false), place)
  }

  private static func jsonPiece(
    of pattern: EntryFilter.Pattern, in field: EntryFilter.Field
  ) -> ByteSearch? {
    guard pattern.isLiteral, field == .values, JSONSpacing.matters(to: pattern.text) else {
      return nil
    }
    // Non-ASCII letters would need case folding, which is left to the search itself.
    let piece = JSONSpacing.longestPiece(of: pattern.text).utf8
    return ByteSearch(piece.allSatisfy { $0 < 0x80 } ? Array(piece) : [], ignoringCase: true)
  }

  /// Returns whether the pattern occurs in the bytes of a text or, if they are JSON, in the same
  /// JSON with other spacing.
  package func occurs(in bytes: UnsafeRawBufferPointer) -> Bool {
    if isFound(in: bytes) { return true }
    guard let jsonPiece, jsonPiece.occurs(in: bytes), let forms = JSONSpacing.forms(of: bytes)
    else {
      return false
    }
    return forms.compact.withUnsafeBytes(isFound) || forms.spaced.withUnsafeBytes(isFound)
  }

  private func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    switch method {
    case .bytes(let search, let place): return search.occurs(in: bytes, place)
    case .folded(let search, let place):
      // The needle holds a letter outside ASCII, so pure ASCII cannot match.
      guard bytes.contains(where: { $0 >= 0x80 }) else { return false }
      let haystack = LowerCase.folded(String(decoding: bytes, as: UTF8.self))
      return haystack.withUnsafeBytes { search.occurs(in: $0, place) }
    case .letters(let search): return search.occurs(in: bytes)
    case .regex(let expression):
      guard let occurs = expression.occurs(in: bytes) else {
        isUndecided = true
        return false
      }
      return occurs
    }
  }

  /// Returns whether the pattern occurs in any text inside a value, or in the JSON form of the
  /// value; numbers are searched by their digits.
  package func occurs(in value: StoredValue) -> Bool {
    if occursInside(value) { return true }
    switch value {
    case .array, .dictionary: return jsonPiece != nil && occurs(in: JSONText.encode(value))
    default: return false
    }
  }

  private func occursInside(_ value: StoredValue) -> Bool {
    switch value {
    case .null: false
    case .bool(let flag): occurs(in: flag ? "true" : "false")
    case .integer(let number): occurs(in: String(number))
    case .real(let number): occurs(in: number.description)
    case .number(let digits): occurs(in: digits)
    case .text(let text), .url(let text): occurs(in: text)
    case .malformedText(let bytes): bytes.withUnsafeBytes { occurs(in: $0) }
    case .data(let bytes): bytes.withUnsafeBytes { occurs(inData: $0) }
    case .date(let date): occurs(in: date.formatted(.iso8601))
    case .uuid(let uuid): occurs(in: uuid.uuidString)
    case .array(let values): values.contains { occursInside($0) }
    case .dictionary(let fields):
      fields.contains { occurs(in: $0.name) || occursInside($0.value) }
    case .record(let fields): fields.contains { occurs(in: $0.value) }
    }
  }

  /// Returns whether the pattern occurs in bytes or, if there are sixteen, in the UUID that they may
  /// be.
  package func occurs(inData bytes: UnsafeRawBufferPointer) -> Bool {
    if occurs(in: bytes) { return true }
    guard mayOccurInUUIDs, bytes.count == 16, let uuid = UUID(bytes: Array(bytes)) else {
      return false
    }
    return occurs(in: uuid.uuidString) || occurs(in: EntryKey.hex(uuid.bytes))
  }

  private func occurs(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { occurs(in: UnsafeRawBufferPointer($0)) }
  }
}

extension EntryFilter.Pattern {
  /// Whether the text occurs as it is in whatever matches.
  fileprivate var isLiteral: Bool {
    switch self {
    case .fuzzy, .regex: false
    default: true
    }
  }
}

/// A regular expression that gives up on texts for which matching takes too long.
///
/// Some expressions, such as `(a+)+$`, take exponential time. Unlike Swift's `Regex`, Foundation's
/// implementation reports progress and can be stopped.
private struct RegularExpression {
  private let regex: NSRegularExpression
  /// A literal that every match contains.
  private let required: ByteSearch?
  private static let maximumSteps = 200

  init(_ text: String) throws {
    // Foundation rejects an empty pattern, which should match anything.
    regex = try NSRegularExpression(pattern: text.isEmpty ? "(?:)" : text)
    let literal = RequiredLiteral.bytes(of: text)
    required = literal.isEmpty ? nil : ByteSearch(literal, ignoringCase: false)
  }

  /// Returns whether the expression matches anywhere, or nil if it took too long or exceeded the
  /// engine's memory limit.
  func occurs(in bytes: UnsafeRawBufferPointer) -> Bool? {
    guard required?.occurs(in: bytes, .anywhere) != false else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    var found: Bool? = false
    var steps = 0
    let whole = NSRange(location: 0, length: text.utf16.count)
    regex.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: whole
    ) { match, flags, stop in
      if match != nil {
        found = true
      } else if flags.contains(.internalError) {
        found = nil
      } else if flags.contains(.progress) {
        steps += 1
        if steps >= Self.maximumSteps { found = nil }
      }
      if found != false { stop.pointee = true }
    }
    return found
  }
}
