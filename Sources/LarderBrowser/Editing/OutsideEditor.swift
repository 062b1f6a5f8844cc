/// The user's own editor, and the files that it works on.
package struct OutsideEditor: Sendable {
  /// Has a text edited, and returns once the editor has ended.
  ///
  /// Tells each step before it has consequences: a run that is ended at any moment leaves the text
  /// in the file, in what was kept at a step, or in both.
  package var edit:
    @Sendable (OutsideText, _ step: @escaping @Sendable (OutsideStep) -> Void) async
      -> OutsideOutcome
  /// What is left at the path of a file that the editor of an earlier run was given.
  package var left: @Sendable (_ path: String) -> OutsideRest
  /// Removes such a file if it holds a text, which is kept elsewhere, and is all that is left.
  package var discard: @Sendable (_ path: String, _ text: String) -> Void

  /// An editor; of earlier runs there is nothing known unless more is given.
  package init(
    edit:
      @escaping @Sendable (OutsideText, _ step: @escaping @Sendable (OutsideStep) -> Void) async
      -> OutsideOutcome,
    left: @escaping @Sendable (_ path: String) -> OutsideRest = { _ in .unreadable },
    discard: @escaping @Sendable (_ path: String, _ text: String) -> Void = { _, _ in }
  ) {
    self.edit = edit
    self.left = left
    self.discard = discard
  }

  /// For where there is no terminal that an editor could have.
  package static let none = OutsideEditor { _, _ in
    OutsideOutcome(problem: "there is no terminal for an editor; e edits here")
  }
}

/// A moment in the work of an editor, at which the text has to be kept.
package enum OutsideStep: Sendable, Equatable {
  /// The text is in a file, and the editor is about to be started.
  case given(path: String)
  /// The editor has left another text, and its file is about to be removed.
  case taken(String)
}

/// What an editor has left of a text when larder was ended.
package enum OutsideRest: Sendable, Equatable {
  /// Nothing.
  case gone
  /// A file with text, and whether that is all and nobody works on it.
  case text(String, isAll: Bool)
  /// Something that cannot be taken in.
  case unreadable
}
