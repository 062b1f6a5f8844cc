import Foundation
import LarderCore

/// Looks for the pattern of one condition in the bytes of texts.
///
/// Text is looked for byte by byte. Where it holds no capital letter, letters of either case
/// match: ASCII by table, others by Unicode's simple lower case.
final class TermMatcher {
  private enum Method {
    case bytes(ByteSearch, ByteSearch.Place)
    case folded(ByteSearch, ByteSearch.Place)
    case letters(LetterSearch)
    case regex(RegularExpression)
  }

  /// Whether the condition holds where the pattern does not occur.
  let isNegated: Bool
  private let method: Method

  /// Prepares a condition.
  ///
  /// - Throws: ``StoreError`` for what is no regular expression.
  init(_ term: EntryFilter.Term) throws(StoreError) {
    isNegated = term.isNegated
    switch term.pattern {
    case .text(let text): method = Self.search(text, .anywhere)
    case .prefix(let text): method = Self.search(text, .atStart)
    case .suffix(let text): method = Self.search(text, .atEnd)
    case .whole(let text): method = Self.search(text, .everywhere)
    case .exact(let text):
      method = .bytes(ByteSearch(Array(text.utf8), ignoringCase: false), .anywhere)
    case .fuzzy(let text): method = .letters(LetterSearch(text))
    case .regex(let text):
      do {
        method = .regex(try RegularExpression(text))
      } catch {
        throw .failed("\"\(text)\" is not a regular expression")
      }
    }
  }

  private static func search(_ text: String, _ place: ByteSearch.Place) -> Method {
    if text.unicodeScalars.contains(where: \.properties.isUppercase) {
      return .bytes(ByteSearch(Array(text.utf8), ignoringCase: false), place)
    }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return .bytes(ByteSearch(Array(text.utf8), ignoringCase: true), place)
    }
    return .folded(ByteSearch(LowerCase.folded(text), ignoringCase: false), place)
  }

  /// Whether the pattern occurs in the bytes of a text.
  func occurs(in bytes: UnsafeRawBufferPointer) -> Bool {
    switch method {
    case .bytes(let search, let place): return search.occurs(in: bytes, place)
    case .folded(let search, let place):
      // The needle holds a letter outside ASCII, so pure ASCII cannot match.
      guard bytes.contains(where: { $0 >= 0x80 }) else { return false }
      let hay = LowerCase.folded(String(decoding: bytes, as: UTF8.self))
      return hay.withUnsafeBytes { search.occurs(in: $0, place) }
    case .letters(let search): return search.occurs(in: bytes)
    case .regex(let expression):
      return expression.occurs(in: bytes)
    }
  }

  /// Whether the pattern occurs in any text inside a value; numbers are their digits.
  func occurs(in value: StoredValue) -> Bool {
    switch value {
    case .null: false
    case .bool(let flag): occurs(in: flag ? "true" : "false")
    case .integer(let number): occurs(in: String(number))
    case .real(let number): occurs(in: number.description)
    case .number(let digits): occurs(in: digits)
    case .text(let text), .url(let text): occurs(in: text)
    case .malformedText(let bytes), .data(let bytes): bytes.withUnsafeBytes { occurs(in: $0) }
    case .date(let date): occurs(in: date.formatted(.iso8601))
    case .uuid(let uuid): occurs(in: uuid.uuidString)
    case .array(let values): values.contains { occurs(in: $0) }
    case .dictionary(let fields): fields.contains { occurs(in: $0.name) || occurs(in: $0.value) }
    case .record(let fields): fields.contains { occurs(in: $0.value) }
    }
  }

  private func occurs(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { occurs(in: UnsafeRawBufferPointer($0)) }
  }
}

/// A regular expression that gives up on a text it cannot decide in a fraction of a second.
///
/// Some expressions, such as `(a+)+$`, take exponential time. Foundation's tells how long a match
/// has been going on and lets it be ended, which Swift's own does not.
private struct RegularExpression {
  private let regex: NSRegularExpression
  /// What is in every text that matches.
  private let required: ByteSearch?
  private static let greatestSteps = 200

  init(_ text: String) throws {
    // Foundation takes no empty pattern, although it means what it says: anything matches.
    regex = try NSRegularExpression(pattern: text.isEmpty ? "(?:)" : text)
    let literal = RequiredLiteral(of: text).bytes
    required = literal.isEmpty ? nil : ByteSearch(literal, ignoringCase: false)
  }

  func occurs(in bytes: UnsafeRawBufferPointer) -> Bool {
    guard required?.occurs(in: bytes, .anywhere) != false else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
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
