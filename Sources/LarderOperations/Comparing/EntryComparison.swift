import Harmony
import LarderDocuments
package import LarderModel

/// Compares two stores, or a store and an export, entry by entry and in constant memory.
///
/// Both sides are read in the order of their keys and merged. A side that is not in order is sorted
/// in memory, up to ``maximumSortedSize``.
package struct EntryComparison {
  /// The result for one entry.
  package enum Outcome: Sendable {
    /// The entry is the same on both sides.
    case same
    /// The entry exists on one side only, or its values differ.
    case differs(Difference)
    /// The entry cannot be read.
    case unreadable(EntryKey, StoreError)
  }

  /// An entry that differs between the two sides.
  package struct Difference: Sendable {
    /// The change from the first side to the second.
    package let change: EntryDifference
    /// The storage forms on both sides, if they differ.
    package var forms: (old: String?, new: String?)?
    /// The fingerprints on both sides, where available.
    package var fingerprints: (old: Fingerprint?, new: Fingerprint?) = (nil, nil)
  }

  /// The maximum number of bytes of keys and values that are sorted in memory.
  package static let maximumSortedSize = 64 << 20

  private let old: any ComparedEntries
  private let new: any ComparedEntries

  package init(_ old: any ComparedEntries, _ new: any ComparedEntries) {
    self.old = old
    self.new = new
  }

  /// Compares all entries.
  ///
  /// - Parameters:
  ///   - progress: Called after each entry with the progress so far.
  ///   - tell: Called with the result for each entry, in the order of the keys.
  /// - Throws: An error from a store, or ``StoreError`` if the order of the keys changes during the
  ///   comparison.
  package func run(
    progress: (ComparisonStage) async -> Void, _ tell: (Outcome) async throws -> Void
  ) async throws {
    var (left, right) = try await streams(progress)
    var count = 0
    await progress(.comparing(0))
    var (one, other) = (try await left.next(), try await right.next())
    while let key = [one?.key, other?.key].compactMap(\.self).min() {
      switch (one, other) {
      case (let entry?, let counterpart?) where entry.key == counterpart.key:
        try await tell(compared(entry, counterpart))
      case (let entry?, _) where entry.key == key:
        if let outcome = try await single(.removed, entry, of: old, besides: new) {
          try await tell(outcome)
        }
      case (_, let entry?):
        if let outcome = try await single(.added, entry, of: new, besides: old) {
          try await tell(outcome)
        }
      default: break
      }
      if one?.key == key { one = try await following(one, &left, old) }
      if other?.key == key { other = try await following(other, &right, new) }
      count += 1
      await progress(.comparing(count))
    }
  }

  private func streams(
    _ progress: (ComparisonStage) async -> Void
  ) async throws -> (EntryStream, EntryStream) {
    // Sorting is needed for both sides or for neither, so that their orders are the same.
    guard try await old.isInOrder(progress), try await new.isInOrder(progress) else {
      return (
        try await old.sorted(besides: new, progress), try await new.sorted(besides: old, progress)
      )
    }
    return (try old.entries(.values, besides: new), try new.entries(.values, besides: old))
  }

  /// Returns the next entry, and throws if its key is out of order.
  private func following(
    _ entry: Entry?, _ stream: inout EntryStream, _ side: any ComparedEntries
  ) async throws -> Entry? {
    let next = try await stream.next()
    if let entry, let next, next.key < entry.key {
      throw StoreError.unsorted(side.name)
    }
    return next
  }

  // MARK: Entries

  /// The content of an entry for comparison.
  private enum Content {
    case value(StoredValue, Fingerprint?)
    /// The type of an entry without a value, such as a link.
    case special(String)
    /// The entry was deleted during the comparison.
    case none
    case unreadable(StoreError)

    var value: StoredValue? {
      if case .value(let value, _) = self { value } else { nil }
    }

    var fingerprint: Fingerprint? {
      if case .value(_, let print) = self { print } else { nil }
    }
  }

  private func content(
    of entry: Entry, _ side: any ComparedEntries, besides counterpart: any ComparedEntries
  ) async throws -> Content {
    func taken(_ value: StoredValue) -> StoredValue {
      guard let store = counterpart.store else { return value }
      let taken = store.taken(value, of: side.store?.valueColumns)
      return taken.type == .data ? store.asKept(taken) : taken
    }
    // Its key can belong to another entry on the other side.
    if entry.hasInvalidName, let obstacle = entry.copyObstacle {
      return .unreadable(.failed(obstacle))
    }
    if let value = entry.value, entry.isWhole { return .value(taken(value), entry.fingerprint) }
    if let type = entry.specialType { return .special(type) }
    guard let store = side.store else { return .none }
    do {
      let found = try await store.source.get(EntryQuery(entry.key, readsFiles: true))
        .getCancelling()
      if let value = found.value, found.isWhole { return .value(taken(value), found.fingerprint) }
      return .special(found.specialType ?? Messages.noValue)
    } catch {
      switch StoreError(error) {
      case .cancelled: throw error
      case .notFound: return .none
      case .notSupported: return .special(Messages.noValue)
      case let reason: return .unreadable(reason)
      }
    }
  }

  private func single(
    _ change: EntryDifference.Change, _ entry: Entry, of side: any ComparedEntries,
    besides counterpart: any ComparedEntries
  ) async throws -> Outcome? {
    let isNew = change == .added
    switch try await content(of: entry, side, besides: counterpart) {
    case .value(let value, let print):
      let prints = isNew ? (nil, print) : (print, nil)
      let difference = EntryDifference(
        change, entry.key, value: isNew ? value : nil, old: isNew ? nil : value)
      return .differs(Difference(change: difference, fingerprints: prints))
    case .special:
      // An export does not contain such entries.
      guard counterpart.store != nil else { return nil }
      return .differs(Difference(change: EntryDifference(change, entry.key)))
    case .none: return nil
    case .unreadable(let reason): return .unreadable(entry.key, reason)
    }
  }

  private func compared(_ one: Entry, _ other: Entry) async throws -> Outcome {
    let left = try await content(of: one, old, besides: new)
    let right = try await content(of: other, new, besides: old)
    let prints = (left.fingerprint, right.fingerprint)
    switch (left, right) {
    case (.unreadable(let reason), _), (_, .unreadable(let reason)):
      return .unreadable(one.key, reason)
    case (.value(let before, _), .value(let after, _)):
      let haveOtherForms = areFormsCompared(one, other) && one.form != other.form
      guard haveOtherForms || !isSame(before, after) else { return .same }
      return .differs(
        Difference(
          change: EntryDifference(.changed, one.key, value: after, old: before),
          forms: haveOtherForms ? (one.form, other.form) : nil, fingerprints: prints))
    case (.special(let before), .special(let after)) where before == after: return .same
    case (let before, let after):
      return .differs(
        Difference(
          change: EntryDifference(.changed, one.key, value: after.value, old: before.value),
          fingerprints: prints))
    }
  }

  /// Whether the storage forms are compared: only between stores of the same kind, and never
  /// between files, whose modification times always differ.
  private func areFormsCompared(_ one: Entry, _ other: Entry) -> Bool {
    guard ![one, other].contains(where: { $0.form?.hasPrefix("mode ") == true }) else {
      return false
    }
    guard let old = old.store, let new = new.store else { return true }
    return new.kind.sharesForms(with: old.kind)
  }

  /// Whether two values are equal, treating a row and a dictionary alike if the kinds of the stores
  /// differ.
  private func isSame(_ one: StoredValue, _ other: StoredValue) -> Bool {
    if one == other { return true }
    let shareForms =
      switch (old.store, new.store) {
      case (let old?, let new?): new.kind.sharesForms(with: old.kind)
      case (let old, let new): old == nil && new == nil
      }
    guard !shareForms else { return false }
    let other =
      switch (one, other) {
      case (.record, .dictionary(let fields)): StoredValue.record(fields)
      case (.dictionary, .record(let fields)): StoredValue.dictionary(fields)
      default: other
      }
    // A copy cannot preserve the spelling of numbers in a store with a single number format.
    let haveDigits = [old, new].allSatisfy { $0.store?.kind.keepsDigits ?? true }
    return haveDigits ? one == other : one.isEqualButForDigits(to: other)
  }
}
