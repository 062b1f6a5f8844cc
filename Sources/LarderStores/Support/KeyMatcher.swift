import Foundation
import LarderCore

/// Says whether a key or a value fulfils all conditions of a filter.
///
/// Made for one operation on one thread, as compiled regular expressions cannot be shared.
final class KeyMatcher {
  private let terms: [TermMatcher]
  // The same: to count references for each of millions of keys would take a seventh of the time.
  private let lent: [Unmanaged<TermMatcher>]
  private let scores: [LetterScore]

  /// Prepares a filter.
  ///
  /// - Throws: ``StoreError`` for what is no regular expression.
  init(_ filter: EntryFilter) throws(StoreError) {
    var terms: [TermMatcher] = []
    for term in filter.terms { terms.append(try TermMatcher(term)) }
    self.terms = terms
    lent = terms.map { .passUnretained($0) }
    scores = filter.letters.map { LetterScore($0) }
  }

  /// Whether the bytes of a text fulfil all conditions.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for term in lent {
      let isWrong = term._withUnsafeGuaranteedRef { $0.occurs(in: bytes) == $0.isNegated }
      if isWrong { return false }
    }
    return true
  }

  /// Whether the text that a key is shown as fulfils all conditions.
  func matches(_ key: EntryKey) -> Bool {
    withText(of: key) { matches($0) }
  }

  /// How well a key matches the letters that are looked for, less for better.
  func rank(of key: EntryKey) -> EntryOrder.Rank {
    .known(withText(of: key) { text in scores.reduce(0) { $0 + $1.rank(of: text) } })
  }

  /// Hands out the bytes of the text that a key is shown as.
  private func withText<Value>(
    of key: EntryKey, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    var text: String
    switch key {
    case .text(let own): text = own
    case .malformedText(let bytes): return bytes.withUnsafeBytes(body)
    default: text = key.notation(.typed)
    }
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
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
}
