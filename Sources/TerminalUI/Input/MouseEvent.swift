/// What the mouse did, and where.
public struct MouseEvent: Hashable, Sendable {
  /// A button.
  public enum Button: Hashable, Sendable {
    /// One of the three buttons.
    case left, middle, right
  }

  /// What happened.
  public enum Action: Hashable, Sendable {
    /// A button went down.
    case press(Button)
    /// A button came up.
    case release(Button)
    /// The mouse moved while a button was down.
    case drag(Button)
    /// The wheel turned away from the user.
    case wheelUp
    /// The wheel turned towards the user.
    case wheelDown
  }

  /// What happened.
  public var action: Action
  /// The cell it happened over.
  public var position: Point
  /// The keys that were held down.
  public var modifiers: Modifiers

  /// Makes an event.
  public init(_ action: Action, at position: Point, modifiers: Modifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}
