import LarderModel

/// The number of exported entries, and the names of those that an import could not restore.
package struct ExportReport: Sendable, Equatable {
  /// The number of exported entries.
  package internal(set) var count = 0
  private var losses = NameList()
  private var omissions: [OmissionReason: NameList] = [:]
  private let keyStyle: KeyStyle
  private let kind: StoreKind

  init(_ store: Store) {
    keyStyle = store.keyStyle
    kind = store.kind
  }

  mutating func leaveOut(_ entry: Entry, _ reason: OmissionReason) {
    omissions[reason, default: NameList()].add(entry.key.notation(keyStyle))
  }

  mutating func leaveOut(_ entry: Entry, _ reason: OmissionReason, because detail: String) {
    omissions[reason, default: NameList()].add(entry.key.notation(keyStyle), because: detail)
  }

  mutating func leaveOut(_ entry: Entry, _ reason: OmissionReason, because error: StoreError) {
    omissions[reason, default: NameList()].add(unreadable: entry.key, keyStyle, error)
  }

  mutating func add(_ loss: String, of entry: Entry) {
    losses.add(entry.key.notation(keyStyle), because: loss)
  }

  /// Whether all selected entries were exported.
  package var isComplete: Bool { omissions.isEmpty }

  /// The sentences about entries that were left out or exported with losses; empty if there are
  /// none.
  package var warnings: [String] {
    var warnings = losses.count > 0 ? [Messages.notRestorable(losses)] : []
    let left = OmissionReason.allCases.compactMap { reason in
      omissions[reason].map { Messages.leftOut($0, reason, of: kind) }
    }
    if !left.isEmpty { warnings.append(Messages.incompleteExport(count, leftOut: left)) }
    return warnings
  }
}

/// The reason why an export leaves out entries.
enum OmissionReason: CaseIterable {
  case withoutValue, unreadable, unknownType, invalidName, repeatedKey
  /// The entry was deleted after it was selected.
  case gone
}
