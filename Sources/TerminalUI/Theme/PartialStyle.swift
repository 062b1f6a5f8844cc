/// The style that a theme gives a role; nil parts are inherited from other roles.
struct PartialStyle: Hashable, Sendable {
  /// The text colour.
  var foreground: Color?
  /// The background colour.
  var background: Color?
  /// The attributes of the text.
  var attributes: Attributes?
}
