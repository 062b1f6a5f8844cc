import LarderFormats
package import LarderModel

extension FilterText {
  /// The reason why the filter probably does not mean what the user intends, as a clause; nil if
  /// there is none.
  package var doubt: String? {
    if let name = unknownColumn {
      return Messages.noColumnToFilter(name, near: SpellingSuggestion.word(to: name, in: columns))
    }
    return filter?.textComparison
  }
}
