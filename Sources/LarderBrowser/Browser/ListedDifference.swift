import LarderFormats
package import LarderModel

/// An entry that differs, as a row of a list, which has only the start of each value.
package struct ListedDifference: Sendable, Equatable {
  /// The key.
  package let key: EntryKey
  /// The kind of change, or of difference in the second store.
  package let change: EntryDifference.Change
  /// The start of the old value, or `nil` if there was none or it is not known.
  package let old: String?
  /// The start of the new value.
  package let new: String?

  /// The maximum number of characters stored of a value.
  private static let maximumLength = 120

  /// Returns two records without the columns that are equal in both, and other values unchanged.
  private static func changedFields(
    _ old: StoredValue?, _ new: StoredValue?
  ) -> (StoredValue?, StoredValue?) {
    guard case .record(let before)? = old, case .record(let after)? = new else { return (old, new) }
    let changed = zip(before, after).filter { $0 != $1 }
    guard before.map(\.name) == after.map(\.name), !changed.isEmpty else { return (old, new) }
    return (.record(changed.map(\.0)), .record(changed.map(\.1)))
  }

  /// Creates a row from a difference.
  package init(_ difference: EntryDifference) {
    func text(_ value: StoredValue?) -> String? {
      value.map { String(ValuePreview($0).text.prefix(Self.maximumLength)) }
    }
    key = difference.key
    change = difference.change
    let (before, after) = Self.changedFields(difference.old, difference.value)
    old = text(before)
    new = text(after)
  }
}

extension EntryDifference.Change {
  /// The symbol displayed before the key.
  package var mark: String {
    switch self {
    case .added: "+"
    case .changed: "~"
    case .removed: "−"
    case .expired: "!"
    }
  }
}
