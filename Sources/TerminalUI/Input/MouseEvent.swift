/// A mouse event with its position.
public struct MouseEvent: Hashable, Sendable {
  /// A mouse button.
  public enum Button: Hashable, Sendable {
    /// The left, middle or right button.
    case left, middle, right
  }

  /// The kinds of mouse events.
  public enum Action: Hashable, Sendable {
    /// A button was pressed.
    case press(Button)
    /// A button was released.
    case release(Button)
    /// The mouse moved while a button was pressed.
    case drag(Button)
    /// The wheel was scrolled up, away from the user.
    case wheelUp
    /// The wheel was scrolled down, towards the user.
    case wheelDown
  }

  /// The kind of event.
  public var action: Action
  /// The cell under the pointer.
  public var position: Point
  /// The modifier keys.
  public var modifiers: Modifiers

  /// Creates an event.
  public init(_ action: Action, at position: Point, modifiers: Modifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}
