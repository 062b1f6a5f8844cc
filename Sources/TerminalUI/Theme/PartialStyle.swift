/// What a theme says about one role; nil is for what it leaves to other roles.
struct PartialStyle: Hashable, Sendable {
  /// The colour of the text.
  var foreground: Color?
  /// The colour behind the text.
  var background: Color?
  /// What else the text looks like.
  var attributes: Attributes?
}
