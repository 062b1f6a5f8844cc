import LarderModel

/// The lines that were taken in earlier prompts, to be had again in others of the same kind.
package struct PromptHistory: Sendable, Equatable {
  /// What lines are kept apart by.
  package enum Kind: Sendable, Hashable {
    case command, filter, newKey, goTo, location, rename, renameMarked, expiry, transfer,
      deletePrefix,
      theme
    case sort, bookmark, search, newMember
  }

  private var lines: [Kind: [String]] = [:]

  /// The greatest number of lines of a kind that are kept.
  static let depth = 100

  package init() {}

  /// The lines of a kind, the latest last.
  package func lines(of kind: Kind) -> [String] { lines[kind] ?? [] }

  /// Keeps a line as the latest; one that was taken before moves there.
  mutating func remember(_ line: String, as kind: Kind) {
    guard !line.isEmpty else { return }
    var kept = lines(of: kind).filter { !$0.hasBytes(of: line) }
    kept.append(line)
    lines[kind] = kept.suffix(Self.depth)
  }
}

extension PromptModel.Purpose {
  /// The kind of lines that this one is kept among.
  var historyKind: PromptHistory.Kind {
    switch self {
    case .command: .command
    case .filter: .filter
    case .newKey: .newKey
    case .newMember: .newMember
    case .goTo, .compare: .goTo
    case .location: .location
    case .rename: .rename
    case .deletePrefix: .deletePrefix
    case .theme: .theme
    case .renameMarked: .renameMarked
    case .expiry: .expiry
    case .transfer: .transfer
    case .sort: .sort
    case .bookmark: .bookmark
    case .search: .search
    }
  }
}
