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

  /// Leaves out an entry that cannot be read.
  ///
  /// - Throws: The error, if it concerns the store as a whole.
  mutating func leaveOut(_ entry: Entry, because error: any Error) throws {
    switch StoreError(error) {
    case .busy, .cannotOpen, .passwordRequired, .cancelled: throw error
    // Stores list some entries without a value, such as special files.
    case .notSupported: leaveOut(entry, .withoutValue)
    case let reason:
      omissions[.unreadable, default: NameList()].add(unreadable: entry.key, keyStyle, reason)
    }
  }

  mutating func add(_ loss: String, of entry: Entry) {
    losses.add(entry.key.notation(keyStyle), because: loss)
  }

  /// Whether all selected entries were exported.
  package var isComplete: Bool { omissions.isEmpty }

  /// Whether the value of an entry could not be read, so that another attempt may give more.
  package var hasUnreadable: Bool { omissions[.unreadable] != nil }

  /// The clauses about entries that were left out or exported with losses; empty if there are none.
  package var remarks: [String] { leftOut + losingEntries }

  /// The sentences of ``remarks`` with the number of exported entries.
  package var warnings: [String] {
    losingEntries + (leftOut.isEmpty ? [] : [Messages.incompleteExport(count, leftOut: leftOut)])
  }

  private var losingEntries: [String] {
    losses.count > 0 ? [Messages.notRestorable(losses)] : []
  }

  private var leftOut: [String] {
    OmissionReason.allCases.compactMap { reason in
      omissions[reason].map { Messages.leftOut($0, reason, of: kind) }
    }
  }
}

/// The reason why an export leaves out entries.
enum OmissionReason: CaseIterable {
  case withoutValue, unreadable, unknownType, invalidName, repeatedKey
  /// The entry was deleted after it was selected.
  case gone
}
