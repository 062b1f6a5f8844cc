package import LarderModel

/// A number typed before a movement command, such as the 42 in `42G`.
package struct TypedNumber: Sendable, Equatable {
  /// The number so far.
  package var number: Int
  /// The pane that had focus before the only digit focused another one, or `nil` if there is no
  /// such digit.
  var paneBefore: BrowserState.Focus?
  /// The token of the wait after which such a digit only focuses its pane.
  var waiting: Int?
  /// Whether the first `g` of `42gg` has used the number.
  var isUsed = false

  /// The maximum number, which is larger than any list.
  static let maximum = 999_999_999
  /// The time in which a digit or a movement must follow 1, 2 or 3 to make it a count.
  static let limit = Duration.milliseconds(700)
}

extension EffectSlot {
  static let typedCount = EffectSlot("typed count", isInBackground: true)
}

/// Waits until a digit that focused a pane can no longer begin a count.
package struct WaitForCount: BrowserEffect {
  package let ticket: Ticket?
  package var slot: EffectSlot? { .typedCount }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard (try? await runner.environment.sleep(TypedNumber.limit)) != nil else { return }
    await reply(())
  }

  package func receive(_ reply: Void, in state: inout BrowserState) -> Effects {
    state.typedNumber = nil
    return []
  }
}

extension BrowserState {
  /// The repeat count for a movement command, or `nil` if no number was typed.
  package var typedCount: Int? {
    typedNumber.flatMap { $0.paneBefore == nil && !$0.isUsed ? $0.number : nil }
  }

  /// Handles a digit: 1, 2 and 3 focus a pane, unless a digit or a movement follows at once, to
  /// which all numbers apply.
  mutating func typeDigit(_ digit: Int) -> Effects {
    guard overlay == nil else { return [] }
    message = nil
    if typedNumber?.isUsed == true { typedNumber = nil }
    guard let typed = typedNumber else {
      guard Focus.allCases.indices.contains(digit - 1) else {
        typedNumber = digit > 0 ? TypedNumber(number: digit) : nil
        return []
      }
      let ticket = ticket { $0.typedNumber?.waiting }
      typedNumber = TypedNumber(number: digit, paneBefore: focus, waiting: ticket.token)
      focus = Focus.allCases[digit - 1]
      isPaneChosen = true
      return [WaitForCount(ticket: ticket)]
    }
    takeDigitAsCount()
    typedNumber = TypedNumber(number: min(typed.number * 10 + digit, TypedNumber.maximum))
    return []
  }

  /// Makes a digit that focused a pane a count, and moves the focus back.
  mutating func takeDigitAsCount() {
    guard let pane = typedNumber?.paneBefore else { return }
    focus = pane
    typedNumber?.paneBefore = nil
  }

  /// Returns the number for `g` or `G`, which the second `g` of `42gg` does not use again.
  mutating func takeEntryNumber() -> Int? {
    guard let number = typedCount else { return nil }
    typedNumber?.isUsed = true
    return number
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
