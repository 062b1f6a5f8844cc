/// Effects, in the order in which they begin.
package typealias Effects = [any BrowserEffect]

/// A side effect, and how its replies change the state.
///
/// Each feature declares its effects beside the code that asks for them. The state runs none of
/// them: `BrowserState.update(_:)` returns them, and the program has them run.
package protocol BrowserEffect: Sendable {
  /// What the effect replies, as often as it has something to tell.
  associatedtype Reply: Sendable = Never

  /// The slot that the effect takes; nil where it runs beside all others.
  var slot: EffectSlot? { get }

  /// The store that the effect changes; nil where it changes none.
  var writtenStore: StoreReference? { get }

  /// Whether the program waits for the effect before it ends, as it writes something.
  var isWrite: Bool { get }

  /// The question that a reply answers; nil where every reply is taken.
  var ticket: Ticket? { get }

  /// Does the work. It ends early when its task is cancelled.
  func run(by runner: EffectRunner, reply: Replies<Self>) async

  /// Takes a reply into the state, and returns the effects that follow from it.
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

/// A place for one effect at a time: a new effect ends the one that has the slot.
package struct EffectSlot: Sendable, Hashable {
  /// The name, which no other slot has.
  package let name: String
  /// Whether leaving the tab cancels its effects.
  package let isOfTab: Bool
  /// Whether the program counts as idle while they run.
  package let isInBackground: Bool

  init(_ name: String, isOfTab: Bool = false, isInBackground: Bool = false) {
    self.name = name
    self.isOfTab = isOfTab
    self.isInBackground = isInBackground
  }
}

/// Ends the effects that have some slots.
package struct Cancel: BrowserEffect {
  private let ended: EffectSlot?

  /// Ends the effect that has a slot.
  init(_ slot: EffectSlot) {
    ended = slot
  }

  private init() {
    ended = nil
  }

  /// Ends all effects that read for the tab on screen: what they would reply is for no other.
  static let ofTab = Cancel()

  /// Whether the effect that has a slot is to end.
  package func ends(_ slot: EffectSlot) -> Bool {
    ended.map { $0 == slot } ?? slot.isOfTab
  }

  /// Does nothing: the program ends the tasks.
  package func run(by runner: EffectRunner, reply: Replies<Self>) async {}
}

/// An order to the program and its terminal.
package enum TerminalOrder: BrowserEffect, Equatable {
  /// Loads a theme and shows it.
  case useTheme(String)
  /// Puts text on the clipboard; a secret is taken off again after a while.
  case copy(String, isSecret: Bool)
  /// Empties the clipboard.
  case forgetCopy
  /// Leaves the screen to the shell.
  case suspend
  /// Draws the whole screen.
  case redraw
  /// Ends the program.
  case quit

  /// Does nothing: the program does.
  package func run(by runner: EffectRunner, reply: Replies<Self>) async {}
}
