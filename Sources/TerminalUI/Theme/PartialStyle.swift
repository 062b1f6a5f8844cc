/// The style that a theme gives a role; nil parts are inherited from other roles.
struct PartialStyle: Hashable, Sendable {
  /// The text color.
  var foreground: Color?
  /// The background color.
  var background: Color?
  /// The attributes of the text.
  var attributes: Attributes?
}
