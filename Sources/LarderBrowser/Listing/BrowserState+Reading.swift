import LarderModel
import LarderFormats

extension BrowserState {
  /// Looks for a text in the value, from what is shown of it; no text ends a search.
  mutating func search(_ text: String) -> Effects {
    value?.search = ValueSearch(text)
    return find(isForward: true, isFirst: true)
  }

  mutating func findAgain(isForward: Bool) -> Effects {
    focus = .value
    if value?.search == nil, let text = filteredText { return search(text) }
    return find(isForward: isForward, isFirst: false)
  }

  /// What the list was filtered by in values, which is looked for in the value where nothing else is.
  var filteredText: String? {
    guard let filter = keys?.filter, filter.field == .values else { return nil }
    let found = filter.terms.first { term in
      switch term.pattern {
      case .fuzzy, .regex: false
      case .text, .exact, .prefix, .suffix, .whole: !term.isNegated
      }
    }
    return found?.pattern.text
  }

  private mutating func find(isForward: Bool, isFirst: Bool) -> Effects {
    guard let search = value?.search else { return [] }
    let finding = tab.value?.find(isForward: isForward, isFirst: isFirst, height: viewport.value)
    say(finding, of: search, isForward: isForward)
    return []
  }

  /// Says what a search has come to.
  mutating func say(_ finding: ValueFinding?, of search: ValueSearch, isForward: Bool) {
    switch finding {
    case .found(isAround: true)?:
      say("went on from the \(isForward ? "beginning" : "end") of the value")
    case .found(isAround: false)?, nil: break
    case .nothing?: say("“\(search.text)” is not in the value", .warning)
    }
  }

  /// Ends a search in the value; false where there is none.
  mutating func endSearch() -> Bool {
    guard focus == .value, value?.search != nil else { return false }
    value?.search = nil
    value?.version += 1
    return true
  }

  /// Opens the tree of the value by levels more or less, or as many as said.
  mutating func fold(by step: Int, _ argument: String) -> Effects {
    guard let tree = value?.tree else { return [] }
    focus = .value
    guard argument.isEmpty || Int(argument) != nil else {
      say("the number of levels is a whole number, not “\(argument)”", .error)
      return []
    }
    let levels = Int(argument) ?? tree.shownLevels + step
    tab.value?.open(levels: max(1, levels), height: viewport.value)
    return []
  }

  /// The part of an entry that is copied.
  enum CopiedPart {
    /// The value as the list shows it and `larder get` prints it: for a row that is a value with its
    /// expiry, that value.
    case shown
    /// The selection in the value.
    case selected
    /// All of it, of a row with all columns.
    case whole
  }

  /// Puts the value on the clipboard, or a part of it.
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
      // To write it as text would take a while, and be for nothing.
      if chosen?.isLarger(than: EntriesText.maximumCopy * 3) == true { return sayTooLarge() }
      return copy(ValueText.text(of: chosen ?? .null))
    } catch {
      say(error.message, .error)
      return []
    }
  }

  private mutating func sayTooLarge() -> Effects {
    say("the value is too large for the clipboard; larder get prints it", .warning)
    return []
  }

  /// Puts text on the clipboard.
  ///
  /// The browser remembers a secret that is there now until the terminal has taken the text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - sentence: What is said then; nil for how many bytes it has.
  ///   - isSecret: Whether it is taken off again after a while.
  /// - Returns: The effects.
  mutating func copy(
    _ text: String, saying sentence: String? = nil, isSecret: Bool = false
  ) -> Effects {
    let count = text.utf8.count
    guard count <= EntriesText.maximumCopy else { return sayTooLarge() }
    // A secret that is still being read is not to come after this.
    secrets.reading = nil
    say(sentence ?? "copied \(count) \(count == 1 ? "byte" : "bytes")")
    return [TerminalOrder.copy(text, isSecret: isSecret)]
  }
}
