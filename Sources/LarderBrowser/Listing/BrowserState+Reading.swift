import LarderModel
import LarderFormats

extension BrowserState {
  /// Searches the value for a text from the current position, or ends the search for an empty text.
  mutating func search(_ text: String) -> Effects {
    value?.search = ValueSearch(text)
    return find(isForward: true, isFirst: true)
  }

  mutating func findAgain(isForward: Bool) -> Effects {
    focus = .value
    if value?.search == nil, let text = filteredText { return search(text) }
    return find(isForward: isForward, isFirst: false)
  }

  /// The filter that searches the values for what no key matches; nil if the list is not empty, has no
  /// filter on keys, or is empty for another reason.
  package var valueFilterText: String? {
    guard let model = keys, model.window.entries.isEmpty, model.load == nil, !model.isPaused,
      model.failure == nil, model.times?.only == nil, !model.store.hidesValues,
      let filter = model.filter, filter.field == .keys, filter.columns.isEmpty,
      model.store.filter(model.filterText).unknownColumn == nil
    else { return nil }
    let moved = "/" + model.filterText
    return FilterText(moved).filter?.field == .values
      ? moved : FilterText.inValues(model.filterText)
  }

  /// The text of a filter on values, which is the default for a search in the value.
  var filteredText: String? {
    guard let filter = keys?.filter, filter.field == .values else { return nil }
    let found = filter.terms.first { term in
      switch term.pattern {
      case .fuzzy, .regex: false
      case .text, .exact, .prefix, .suffix, .whole: !term.isNegated
      }
    }
    return found?.pattern.phrase
  }

  private mutating func find(isForward: Bool, isFirst: Bool) -> Effects {
    guard let search = value?.search else { return [] }
    let finding = tab.value?.find(isForward: isForward, isFirst: isFirst, height: viewport.value)
    say(finding, of: search, isForward: isForward)
    return []
  }

  /// Shows the result of a search.
  mutating func say(_ finding: ValueFinding?, of search: ValueSearch, isForward: Bool) {
    switch finding {
    case .found(isAround: true)?:
      say(Messages.continuedInValue(isForward: isForward))
    case .found(isAround: false)?, nil: break
    case .nothing?: say(Messages.notFound(search.text), .warning)
    }
  }

  /// Ends the search in the value; returns whether there was one.
  mutating func endSearch() -> Bool {
    guard focus == .value, value?.search != nil else { return false }
    value?.search = nil
    value?.version += 1
    return true
  }

  /// Changes the expanded levels of the value tree by `step`, or to the number given as an
  /// argument.
  mutating func fold(by step: Int, _ argument: String) -> Effects {
    guard let tree = value?.tree else { return [] }
    focus = .value
    guard argument.isEmpty || Int(argument) != nil else {
      say(Messages.noLevels(argument), .error)
      return []
    }
    let levels = Int(argument) ?? tree.shownLevels + step
    tab.value?.open(levels: max(1, levels), height: viewport.value)
    return []
  }

  /// A part of an entry to copy.
  enum CopiedPart {
    /// The value as the list shows it and `larder get` prints it.
    ///
    /// For a row with one value column and an expiry, that is the value column.
    case shown
    /// The part selected in the value pane.
    case selected
    /// The whole value; for a row, all columns.
    case whole
  }

  /// Copies the value, or a part of it, to the clipboard.
  mutating func copyValue(_ part: CopiedPart) -> Effects {
    if keys?.store.hidesValues == true { return copySecret() }
    do {
      let entry = try wholeEntry()
      let chosen =
        switch part {
        case .shown: entry.value.flatMap { keys?.store.valueField.flatMap($0.field) ?? $0 }
        case .selected: value?.selectedValue
        case .whole: entry.value
        }
      // Converting such a value to text takes long and would exceed the limit anyway.
      if chosen?.isLarger(than: BrowserState.maximumCopy * 3) == true { return sayTooLarge() }
      return copy(ValueText.text(of: chosen ?? .null))
    } catch {
      say(error.message, .error)
      return []
    }
  }

  private mutating func sayTooLarge() -> Effects {
    say(Messages.tooLargeToCopy, .warning)
    return []
  }

  /// Copies text to the clipboard.
  ///
  /// If the clipboard contains a secret, the browser remembers it until the terminal has accepted
  /// the new text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - sentence: The message to show, or `nil` to report the number of bytes.
  ///   - isSecret: Whether the clipboard is cleared after a while.
  /// - Returns: The effects.
  mutating func copy(
    _ text: String, saying sentence: String? = nil, isSecret: Bool = false
  ) -> Effects {
    let count = text.utf8.count
    guard count <= BrowserState.maximumCopy else { return sayTooLarge() }
    // A secret that is still being read must not overwrite this text.
    secrets.reading = nil
    say(
      sentence
        ?? Messages.copied(
          bytes: count, hasOtherStore: openStores.count > 1 && focus == .keys))
    return [TerminalOrder.copy(text, isSecret: isSecret)]
  }
}
