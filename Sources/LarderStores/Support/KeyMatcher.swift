import Foundation
import LarderModel

/// Says whether a key or a value fulfils all conditions of a filter.
///
/// Made for one operation on one thread, as compiled regular expressions cannot be shared.
final class KeyMatcher {
  private let terms: [TermMatcher]
  // The same: to count references for each of millions of keys would take a seventh of the time.
  private let lent: [Unmanaged<TermMatcher>]
  private let scores: [LetterScore]
  /// The conditions on columns.
  let columns: [ColumnMatcher]
  /// Whether it can always be told whether a condition holds: a regular expression may give up.
  private let isDecisive: Bool
  private let scan: Scan?

  /// Prepares a filter.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - scan: Told of the entries of which it cannot be told whether they fulfil the conditions; they
  ///     do not match.
  /// - Throws: ``StoreError`` for what is no regular expression.
  init(_ filter: EntryFilter, telling scan: Scan?) throws(StoreError) {
    self.scan = scan
    var terms: [TermMatcher] = []
    for term in filter.terms { terms.append(try TermMatcher(term, in: filter.field)) }
    isDecisive = !filter.terms.contains { if case .regex = $0.pattern { true } else { false } }
    self.terms = terms
    lent = terms.map { .passUnretained($0) }
    scores = filter.letters.map { LetterScore($0) }
    var columns: [ColumnMatcher] = []
    for condition in filter.columns { columns.append(try ColumnMatcher(condition)) }
    self.columns = columns
  }

  /// Whether there are conditions on keys, or on values as a whole.
  var hasTerms: Bool { !terms.isEmpty }

  /// Whether the columns of a record fulfil all conditions on columns.
  func matchesColumns(_ record: @autoclosure () -> StoredValue?) -> Bool {
    guard !columns.isEmpty else { return true }
    let record = record()
    return columns.allSatisfy { $0.matches(record?.field($0.column) ?? .null) }
  }

  /// Whether the bytes of a key's text fulfil all conditions.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isDecisive else {
      return allHold(of: EntryKey(textBytes: bytes)) { $0.occurs(in: bytes) }
    }
    for term in lent {
      let isWrong = term._withUnsafeGuaranteedRef { $0.occurs(in: bytes) == $0.isNegated }
      if isWrong { return false }
    }
    return true
  }

  /// Whether the text that a key is shown as fulfils all conditions.
  func matches(_ key: EntryKey) -> Bool {
    withText(of: key) { text in
      isDecisive ? matches(text) : allHold(of: key) { $0.occurs(in: text) }
    }
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

  /// Whether the value of an entry fulfils all conditions: each is looked for in any text inside it.
  func matches(_ value: StoredValue, of key: @autoclosure () -> EntryKey) -> Bool {
    allHold(of: key()) { $0.occurs(in: value) }
  }

  /// Tells of an entry that it cannot be read, and so not be told whether it matches.
  func report(unreadable key: EntryKey, _ error: StoreError) {
    scan?.report(unreadable: key, error)
  }

  /// Whether every condition holds for an entry, where it is found out one by one whether a pattern
  /// occurs.
  func allHold(of key: @autoclosure () -> EntryKey, _ occurs: (TermMatcher) -> Bool) -> Bool {
    var isUndecided = false
    for term in terms {
      term.isUndecided = false
      let isFound = occurs(term)
      if !isFound, term.isUndecided {
        isUndecided = true
      } else if isFound == term.isNegated {
        return false
      }
    }
    if isUndecided { scan?.report(unreadable: key(), Self.undecided) }
    return !isUndecided
  }

  /// A regular expression gave up on an entry.
  private static let undecided = StoreError.failed(
    "the regular expression takes too long, or too much memory")
}
