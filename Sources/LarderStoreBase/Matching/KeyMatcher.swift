import Foundation
package import LarderModel

/// A matcher for the conditions of a filter on a key or a value.
///
/// An instance is for one operation on one thread, as compiled regular expressions cannot be
/// shared.
package final class KeyMatcher {
  private let terms: [TermMatcher]
  // The same terms, without the cost of reference counting, which takes a seventh of the time if
  // there are millions of keys.
  private let lent: [Unmanaged<TermMatcher>]
  private let scores: [FuzzyScore]
  /// The matchers for conditions on columns.
  package let columns: [ColumnMatcher]
  /// Whether every condition can be decided; a regular expression may give up.
  package let isDecisive: Bool
  private let scan: Scan?
  /// The notation of the key that is tested, reused for each of millions of rows.
  @exclusivity(unchecked) package var notation = ByteBuffer(capacity: 256)

  /// Whether a pattern has dashes, as UUIDs have when they are displayed.
  package let hasDashes: Bool

  /// Creates a matcher for a filter.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - scan: The scan that undecided entries are reported to; they do not match.
  /// - Throws: ``StoreError`` if a regular expression is invalid.
  package init(_ filter: EntryFilter, telling scan: Scan?) throws(StoreError) {
    self.scan = scan
    var terms: [TermMatcher] = []
    for term in filter.terms { terms.append(try TermMatcher(term, in: filter.field)) }
    isDecisive = !filter.terms.contains { if case .regex = $0.pattern { true } else { false } }
    self.terms = terms
    hasDashes = filter.terms.contains { $0.pattern.text.contains("-") }
    lent = terms.map { .passUnretained($0) }
    scores = filter.letters.map { FuzzyScore($0) }
    var columns: [ColumnMatcher] = []
    for condition in filter.columns { columns.append(try ColumnMatcher(condition)) }
    self.columns = columns
  }

  /// Returns a matcher for a filter, if there is one.
  package static func of(_ filter: EntryFilter?, telling scan: Scan?) throws(StoreError)
    -> KeyMatcher?
  {
    guard let filter else { return nil }
    return try KeyMatcher(filter, telling: scan)
  }

  /// Whether there are conditions on keys, or on values as a whole.
  package var hasTerms: Bool { !terms.isEmpty }

  /// Returns whether the columns of a record satisfy all conditions on columns.
  package func matchesColumns(_ record: @autoclosure () -> StoredValue?) -> Bool {
    guard !columns.isEmpty else { return true }
    let record = record()
    return columns.allSatisfy { $0.matches(record?.field($0.column) ?? .null) }
  }

  /// Returns whether the bytes of a text key satisfy all conditions.
  package func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    matches(bytes, of: EntryKey(textBytes: bytes))
  }

  /// Returns whether a key satisfies all conditions, given its bytes as it is displayed.
  package func matches(_ bytes: UnsafeRawBufferPointer, of key: @autoclosure () -> EntryKey) -> Bool
  {
    guard isDecisive else { return allHold(of: key()) { $0.occurs(in: bytes) } }
    for term in lent {
      let isWrong = term._withUnsafeGuaranteedRef { $0.occurs(in: bytes) == $0.isNegated }
      if isWrong { return false }
    }
    return true
  }

  /// Returns whether a key, as it is displayed, satisfies all conditions.
  package func matches(_ key: EntryKey) -> Bool {
    withText(of: key) { matches($0, of: key) }
  }

  /// Returns how well a key matches the fuzzy search; less is better.
  package func rank(of key: EntryKey) -> EntryOrder.Rank {
    .known(withText(of: key) { text in scores.reduce(0) { $0 + $1.rank(of: text) } })
  }

  /// Calls a closure with the bytes of a key as it is displayed.
  private func withText<Value>(
    of key: EntryKey, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    var text: String
    switch key {
    case .text(let own): text = own
    case .malformedText(let bytes): return bytes.withUnsafeBytes(body)
    case .bytes(let bytes) where hasDashes:
      text = EntryKey.uuidNotation(bytes) ?? key.notation(.typed)
    default: text = key.notation(.typed)
    }
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Returns whether a value satisfies all conditions; each may match any text inside the value.
  package func matches(_ value: StoredValue, of key: @autoclosure () -> EntryKey) -> Bool {
    allHold(of: key()) { $0.occurs(in: value) }
  }

  /// Reports an entry as unreadable, so that it is unknown whether it matches.
  package func report(unreadable key: EntryKey, _ error: StoreError) {
    scan?.report(unreadable: key, error)
  }

  /// Returns whether each condition holds in any of some parts; it must be decisive.
  ///
  /// - Parameters:
  ///   - count: The number of parts.
  ///   - occurs: Returns whether a pattern occurs in a part, numbered from 0.
  /// - Returns: Whether all conditions hold.
  package func allHold(inAnyOf count: Int, _ occurs: (TermMatcher, Int) -> Bool) -> Bool {
    for term in lent {
      let isWrong = term._withUnsafeGuaranteedRef { term in
        var isFound = false
        for place in 0..<count where !isFound { isFound = occurs(term, place) }
        return isFound == term.isNegated
      }
      if isWrong { return false }
    }
    return true
  }

  /// Returns whether all conditions hold for an entry, given a closure that searches for one
  /// pattern.
  package func allHold(of key: @autoclosure () -> EntryKey, _ occurs: (TermMatcher) -> Bool) -> Bool
  {
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
    if isUndecided { scan?.report(unreadable: key(), .slowExpression) }
    return !isUndecided
  }
}
