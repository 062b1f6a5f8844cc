import LarderFormats
package import LarderModel

/// An entry that is different, as a line of a list: its values are not kept, but their beginnings.
package struct ListedDifference: Sendable, Equatable {
  /// The key.
  package let key: EntryKey
  /// What happened to the entry, or how the second store differs.
  package let change: EntryDifference.Change
  /// The beginning of the value before; nil where there was none, or none that is known.
  package let old: String?
  /// The beginning of the value now.
  package let new: String?

  /// The maximum number of letters of a value that are kept.
  private static let maximumLength = 120

  /// Two values without the columns that are the same in both; other values as they are.
  private static func changedFields(
    _ old: StoredValue?, _ new: StoredValue?
  ) -> (StoredValue?, StoredValue?) {
    guard case .record(let before)? = old, case .record(let after)? = new else { return (old, new) }
    let changed = zip(before, after).filter { $0 != $1 }
    guard before.map(\.name) == after.map(\.name), !changed.isEmpty else { return (old, new) }
    return (.record(changed.map(\.0)), .record(changed.map(\.1)))
  }

  /// Describes a difference.
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
  /// What stands before a key that is different.
  package var mark: String {
    switch self {
    case .added: "+"
    case .changed: "~"
    case .removed: "−"
    case .expired: "!"
    }
  }
}
