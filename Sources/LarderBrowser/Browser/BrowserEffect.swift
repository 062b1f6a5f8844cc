/// A list of effects, in the order in which they begin.
package typealias Effects = [any BrowserEffect]

/// A side effect, and the way its replies change the state.
///
/// Each feature declares its effects next to the code that requests them. The state does not run
/// effects: `BrowserState.update(_:)` returns them, and the program runs them.
package protocol BrowserEffect: Sendable {
  /// The type of the replies, which an effect may send any number of times.
  associatedtype Reply: Sendable = Never

  /// The slot of the effect, or `nil` if it runs independently of all others.
  var slot: EffectSlot? { get }

  /// The store that the effect changes, or `nil` if there is none.
  var writtenStore: StoreReference? { get }

  /// Whether the program waits for the effect before it exits, because it writes something.
  var isWrite: Bool { get }

  /// The ticket that a reply must match, or `nil` to accept every reply.
  var ticket: Ticket? { get }

  /// Runs the effect, which ends early when its task is canceled.
  func run(by runner: EffectRunner, reply: Replies<Self>) async

  /// Applies a reply to the state and returns the effects that follow.
  func receive(_ reply: Reply, in state: inout BrowserState) -> Effects
}

extension BrowserEffect {
  package var slot: EffectSlot? { nil }
  package var writtenStore: StoreReference? { nil }
  package var isWrite: Bool { writtenStore != nil }
  package var ticket: Ticket? { nil }
}

extension BrowserEffect where Reply == Never {
  package func receive(_ reply: Never, in state: inout BrowserState) -> Effects {}
}

/// A slot for one effect at a time: a new effect cancels the previous one.
package struct EffectSlot: Sendable, Hashable {
  /// The unique name.
  package let name: String
  /// Whether leaving the tab cancels its effects.
  package let isOfTab: Bool
  /// Whether the program is considered idle while they run.
  package let isInBackground: Bool

  init(_ name: String, isOfTab: Bool = false, isInBackground: Bool = false) {
    self.name = name
    self.isOfTab = isOfTab
    self.isInBackground = isInBackground
  }
}

/// Cancels the effects in one slot or all slots of the tab.
package struct Cancel: BrowserEffect {
  private let ended: EffectSlot?

  /// Cancels the effect in a slot.
  init(_ slot: EffectSlot) {
    ended = slot
  }

  private init() {
    ended = nil
  }

  /// Cancels all effects that read for the current tab, because their replies are of no use to
  /// another one.
  static let ofTab = Cancel()

  /// Returns whether the effect in a slot is canceled.
  package func ends(_ slot: EffectSlot) -> Bool {
    ended.map { $0 == slot } ?? slot.isOfTab
  }

  /// Does nothing: the program cancels the tasks.
  package func run(by runner: EffectRunner, reply: Replies<Self>) async {}
}

/// An instruction for the program and its terminal.
package enum TerminalOrder: BrowserEffect, Equatable {
  /// Loads a theme and shows it.
  case useTheme(String)
  /// Copies text to the clipboard, from which a secret is cleared after a while.
  case copy(String, isSecret: Bool)
  /// Clears the clipboard.
  case forgetCopy
  /// Suspends the program and returns to the shell.
  case suspend
  /// Redraws the whole screen.
  case redraw
  /// Quits the program.
  case quit

  /// Does nothing: the program handles the instruction.
  package func run(by runner: EffectRunner, reply: Replies<Self>) async {}
}
