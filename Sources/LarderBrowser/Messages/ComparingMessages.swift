import LarderModel

/// Messages of comparisons and histories.
extension Messages {
  // MARK: Values

  /// The result of a comparison without differences.
  package static let sameValues = "the values are the same"
  static let notWholeComparison = "the values are too large to compare completely; " + compareFiles
  static let onlyTypes = "only the types of the values differ"
  static let notUTF8Difference = "the difference is not UTF-8 text"
  static let nothingToCompare = "there is nothing to compare it with"
  static let noHistory = "this store has no journal"
  static let now = "now"
  static let cachedTitle = "cached"
  static let backingStore = "backing store"
  static let compareFiles =
    "write both values to files with larder get, and compare them with diff -u"

  static func tooManyMarked(_ count: Int) -> String {
    "\(entries(count)) are marked; mark two, or none to compare the selected one"
  }

  static func comparisonReady(compare: String) -> String {
    "the comparison is ready, but something else is open; \(compare) compares again"
  }

  static func differenceAgain(isFirst: Bool) -> String {
    "the \(isFirst ? "first" : "last") difference again"
  }

  static func largeDifference(bytes count: Int) -> String {
    "the difference (\(bytes(count))) is too large for the clipboard; \(compareFiles)"
  }

  static func both(_ left: String, _ right: String) -> String { "\(left) and \(right)" }

  static func lastChange(of name: String) -> String {
    "\(name) before its last change in the journal and now"
  }

  static func before(_ time: String?) -> String { "before" + (time.map { " \($0)" } ?? "") }

  static func valueNotCached(_ name: String) -> String {
    "\(name) is not cached; its value comes from the store itself"
  }

  static func onlyCached(_ name: String, _ life: String) -> String {
    "\(name) is only cached, \(life); the backing store no longer has it"
  }

  static func noChange(of name: String) -> String { "the journal has no change of \(name)" }

  static func lastChangeAdded(_ name: String, at time: String?) -> String {
    "the last change\(time.map { " of \($0)" } ?? "") in the journal added \(name)"
  }

  static func side(_ name: String, type: String?, size: Int?) -> String {
    ([name, type ?? "no entry"] + (size.map { [bytes($0)] } ?? [])).joined(separator: " · ")
  }

  // MARK: Notes below the lines

  static let tooDifferent = "… the rest differs too much to show"
  static let differsLater = "… the values differ further on"
  static let nothingFollows = "… nothing follows"
  static let otherSpelling = "… the values also differ in whitespace or notation"
  static let ignoresSpelling = "… whitespace and notation are not compared"

  static func form(_ form: String?) -> String { "… stored as: \(form ?? "usual")" }

  static func otherType(_ left: String, _ right: String) -> String {
    "… the same as \(left) on one side and \(right) on the other"
  }

  static func rest(_ text: String, isSame: Bool) -> String {
    text + (isSame ? ", and the same" : ", and differ")
  }

  static func cutLine(_ head: String, bytes count: Int) -> String { "\(head)… (\(bytes(count)))" }

  static func cut(_ count: Int, of whole: Int, _ unit: String) -> String {
    "… \(Thousands.text(count)) of \(Thousands.text(whole)) \(unit) are not compared line by line"
  }

  static func differs(fromByte place: Int) -> String {
    " … differs from byte \(Thousands.text(place)) on"
  }

  /// The note of `diff -u` after a line without a line break.
  static let noNewline = "\\ No newline at end of file"

  // MARK: Columns of a refused undo

  static let asYouLeft = "as you left it"
  static let asUndoLeft = "as undo left it"
  static let asUndone = "as undo makes it"
  static let asRedone = "as redo makes it"
  static let shortLeft = "as left"
  static let shortUndone = "as undone"
  static let shortRedone = "as redone"

  // MARK: Stores

  static let sameStore = "that is the current store; choose another"
  static let noCopyToUndo = "there is no copy to undo"
  static let noCopyToRedo = "there is no copy to redo"

  static func whichStores(mark: String) -> String {
    "mark two stores in the list of stores (\(mark)), or name one: :compare-stores STORE"
  }

  static func nothingToCopy(_ key: String, in store: String) -> String {
    "\(key) is not in \(store): there is nothing to copy"
  }

  static func notOpen(_ store: String) -> String { "\(store) is no longer open" }

  static func otherForm(_ key: String, in store: String) -> String {
    "\(key) has the same value in \(store); only the stored form differs, and a copy does not change that"
  }

  static func copied(_ key: String, to store: String) -> String { "copied \(key) to \(store)" }

  static func undoCopy(undo: String) -> String { "; \(undo) undoes it" }

  static func changedSinceCompared(_ key: String, again: String) -> String {
    "\(nothing("written", since: "\(key) changed since the stores were compared")). \(again) "
      + "compares again"
  }

  // MARK: History

  static let noValueDifference = "there is no difference between the values"

  static func change(_ number: Int64, _ text: String) -> String { "change \(number), \(text)" }

  static func before(change number: Int64) -> String { "before change \(number)" }

  static func after(change number: Int64) -> String { "after change \(number)" }

  static func moreChanged(_ count: Int) -> String { "…\(more(count))" }
}
