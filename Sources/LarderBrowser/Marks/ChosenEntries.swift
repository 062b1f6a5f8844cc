package import LarderModel

/// The entries that a command applies to.
package enum ChosenEntries: Sendable, Equatable {
  /// The entries with the given keys.
  case keys([EntryKey])
  /// All entries whose keys have a prefix.
  case prefix(String)
}

extension BrowserState {
  /// The entries that a command applies to: the marked ones, or else the selected entry or branch.
  var chosenEntries: ChosenEntries? {
    if let prefix = keys?.selectedBranch, keys?.marked.isEmpty == true { return .prefix(prefix) }
    let chosen = chosenKeys
    return chosen.isEmpty ? nil : .keys(chosen)
  }

  /// Returns the name of the entries for a message.
  func title(of chosen: ChosenEntries) -> String {
    switch chosen {
    case .prefix(let prefix): Messages.allKeys(of: prefix)
    case .keys(let chosen):
      keys?.marked.isEmpty == true
        ? chosen.first.map { text(of: $0) } ?? ""
        : Messages.entries(chosen.count, "marked")
    }
  }
}
