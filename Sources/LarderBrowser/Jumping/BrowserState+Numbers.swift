package import LarderModel

/// A number typed before a movement command, such as the 42 in `42G`.
package struct TypedNumber: Sendable, Equatable {
  /// The number so far.
  package var number: Int
  /// The pane that had focus before, or `nil` once the digits cannot all be numbers of panes.
  var paneBefore: BrowserState.Focus?
  /// Whether the first `g` of `42gg` has used the number.
  var isUsed = false

  /// The maximum number, which is larger than any list.
  static let maximum = 999_999_999
}

extension BrowserState {
  /// The repeat count for a movement command, or `nil` if no number was typed or it selects panes.
  package var typedCount: Int? {
    typedNumber.flatMap { $0.paneBefore == nil && !$0.isUsed ? $0.number : nil }
  }

  /// Handles a digit: 1, 2 and 3 focus a pane, and larger numbers apply to the next command.
  mutating func typeDigit(_ digit: Int) -> Effects {
    guard overlay == nil else { return [] }
    message = nil
    if typedNumber?.isUsed == true { typedNumber = nil }
    let number = min((typedNumber?.number ?? 0) * 10 + digit, TypedNumber.maximum)
    let isOfPanes = typedNumber.map { $0.paneBefore != nil } ?? true
    if isOfPanes, Focus.allCases.indices.contains(digit - 1) {
      typedNumber = TypedNumber(number: number, paneBefore: typedNumber?.paneBefore ?? focus)
      focus = Focus.allCases[digit - 1]
      isPaneChosen = true
    } else if number > 0 {
      if let pane = typedNumber?.paneBefore { focus = pane }
      typedNumber = TypedNumber(number: number)
    }
    return []
  }

  /// Returns the number for `g` or `G`, even if its digits have focused panes, as in `12G`.
  mutating func takeEntryNumber() -> Int? {
    guard let typed = typedNumber, !typed.isUsed, typed.paneBefore == nil || typed.number > 9
    else { return nil }
    if let pane = typed.paneBefore { focus = pane }
    typedNumber?.isUsed = true
    return typed.number
  }

  /// Goes to the entry with a number in the list, from 1, or to the last one.
  ///
  /// In a tree, the number is that of a loaded row, because entries of closed branches are not
  /// counted.
  package mutating func goToEntry(number: Int) -> Effects {
    guard let model = keys else { return [] }
    leaveMark()
    let count = model.window.entries.count
    if model.shownTree != nil { return moveKeys(to: min(max(number, 1), count) - 1) }
    if let offset = model.window.offset {
      let row = number - 1 - offset
      if model.window.entries.indices.contains(row) { return moveKeys(to: row) }
      if row >= count, !model.window.hasLater { return moveKeys(to: count - 1) }
    }
    let ticket = askingTicket()
    return [
      FindNumber(
        store: model.store.reference, query: model.page(.forward, after: nil),
        number: max(number, 1), ticket: ticket)
    ]
  }

  mutating func numberFound(_ result: Answer<FindNumber.Found>, of wanted: Int) -> Effects {
    guard let found = takeAsked(result), let key = found.key else { return [] }
    if found.number < wanted {
      say(Messages.onlyEntries(found.number))
    }
    let effects = seekKeys(key)
    keys?.soughtNumber = found.number
    return effects
  }
}

/// Finds the key of the entry with a number in a list.
package struct FindNumber: BrowserEffect {
  package let store: StoreReference
  /// The query of the list.
  package let query: EntryPageQuery
  package let number: Int
  package let ticket: Ticket?
  package var slot: EffectSlot? { .asking }

  /// The entry with the number, or the last one before it.
  package struct Found: Sendable, Equatable {
    /// The key, or `nil` if the list is empty.
    package var key: EntryKey?
    /// The number of the entry.
    package var number: Int

    package init(key: EntryKey? = nil, number: Int = 0) {
      self.key = key
      self.number = number
    }
  }

  /// The maximum size of a page, which is large because each page in an order other than by key
  /// scans all entries.
  private static let maximumPage = 100_000

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await find(in: runner.opened(store)) })
  }

  private func find(in opened: StoreRegistry.Opened) async throws -> Found {
    var page = query
    page.limit = query.inKeyOrder == nil ? min(number, Self.maximumPage) : 2_000
    var found = Found()
    for try await entries in EntryPages(of: opened.store.source, page) {
      try Task.checkCancellation()
      let wanted = number - found.number
      guard let entry = entries.prefix(wanted).last else { continue }
      found = Found(key: entry.key, number: found.number + min(wanted, entries.count))
      if found.number == number { break }
    }
    return found
  }

  package func receive(_ reply: Answer<Found>, in state: inout BrowserState) -> Effects {
    state.numberFound(reply, of: number)
  }
}
