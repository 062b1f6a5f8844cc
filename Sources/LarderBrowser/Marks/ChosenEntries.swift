package import LarderModel

/// The entries that a command is about.
package enum ChosenEntries: Sendable, Equatable {
  /// Those with some keys.
  case keys([EntryKey])
  /// All whose keys begin with a text.
  case prefix(String)
}

extension BrowserState {
  /// What a command is about: what is marked, else the selected entry, or all of the selected branch.
  var chosenEntries: ChosenEntries? {
    if let prefix = keys?.selectedBranch, keys?.marked.isEmpty == true { return .prefix(prefix) }
    let chosen = chosenKeys
    return chosen.isEmpty ? nil : .keys(chosen)
  }

  /// What entries are called in a sentence.
  func title(of chosen: ChosenEntries) -> String {
    switch chosen {
    case .prefix(let prefix): "all keys of “\(prefix)”"
    case .keys(let chosen):
      keys?.marked.isEmpty == true
        ? chosen.first.map { text(of: $0) } ?? ""
        : PrefixDeletionModel.entries(chosen.count, "marked")
    }
  }
}
