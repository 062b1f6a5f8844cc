import Foundation
import LarderFormats
package import LarderModel

extension FilterText {
  /// The reason why the filter probably does not mean what the user intends, as a clause; nil if
  /// there is none.
  package var doubt: String? {
    if let name = unknownColumn {
      return Messages.noColumnToFilter(name, near: SpellingSuggestion.word(to: name, in: columns))
    }
    let unordered = filter?.columns.first { condition in
      condition.comparison.isOfOrder && EntryKey.comparable(number: condition.operand) == nil
        && ComparedTime.date(typed: condition.operand, at: Date()) == nil
    }
    return unordered.map { Messages.comparedAsText($0.operand) }
  }
}
