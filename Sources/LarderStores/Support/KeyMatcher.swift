import Foundation
import LarderCore

/// Says whether a key or a value fulfils all conditions of a filter.
///
/// Made for one operation on one thread, as compiled regular expressions cannot be shared.
final class KeyMatcher {
  private let terms: [TermMatcher]

  /// Prepares a filter.
  ///
  /// - Throws: ``StoreError`` for what is no regular expression.
  init(_ filter: EntryFilter) throws(StoreError) {
    var terms: [TermMatcher] = []
    for term in filter.terms { terms.append(try TermMatcher(term)) }
    self.terms = terms
  }

  /// The text that is looked for byte by byte, where the filter is that simple.
  var exactText: String? {
    terms.count == 1 ? terms.first?.exactText : nil
  }

  /// Whether the bytes of a text fulfil all conditions.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for term in terms where term.occurs(in: bytes) == term.isNegated { return false }
    return true
  }

  /// Whether the text that a key is shown as fulfils all conditions.
  func matches(_ key: EntryKey) -> Bool {
    switch key {
    case .text(let text): matches(text)
    case .malformedText(let bytes): bytes.withUnsafeBytes { matches($0) }
    default: matches(key.notation(.typed))
    }
  }

  /// Whether a value fulfils all conditions: each is looked for in any text inside it.
  func matches(_ value: StoredValue) -> Bool {
    allHold { $0.occurs(in: value) }
  }

  /// Whether every condition holds, where it is found out one by one whether a pattern occurs.
  func allHold(_ occurs: (TermMatcher) -> Bool) -> Bool {
    for term in terms where occurs(term) == term.isNegated { return false }
    return true
  }

  private func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }
}
