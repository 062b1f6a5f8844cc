/// The user's own editor and its temporary files.
package struct ExternalEditorService: Sendable {
  /// Opens a text in the editor and returns when the editor has ended.
  ///
  /// `step` is called before each action that moves the text. If larder is killed at any time, the
  /// text is in the file, in what was stored at a step, or in both.
  package var edit:
    @Sendable (ExternalText, _ step: @escaping @Sendable (ExternalEditEvent) -> Void) async
      -> ExternalEditOutcome
  /// Returns the content that the editor of an earlier session left at a path.
  package var left: @Sendable (_ path: String) -> EditorLeftovers
  /// Removes such a file if it contains `text`, which is saved elsewhere, and is all that was left.
  package var discard: @Sendable (_ path: String, _ text: String) -> Void

  /// Creates an editor that by default knows nothing about the files of earlier sessions.
  package init(
    edit:
      @escaping @Sendable (ExternalText, _ step: @escaping @Sendable (ExternalEditEvent) -> Void)
      async
      -> ExternalEditOutcome,
    left: @escaping @Sendable (_ path: String) -> EditorLeftovers = { _ in .unreadable },
    discard: @escaping @Sendable (_ path: String, _ text: String) -> Void = { _, _ in }
  ) {
    self.edit = edit
    self.left = left
    self.discard = discard
  }

  /// An editor for environments without a terminal.
  package static let none = ExternalEditorService { _, _ in
    ExternalEditOutcome(problem: Messages.noTerminal)
  }
}

/// A step of an external edit, at which the draft is updated.
package enum ExternalEditEvent: Sendable, Equatable {
  /// The text was written to a file, and the editor is about to start.
  case given(path: String)
  /// The editor has changed the text, and its file is about to be removed.
  case taken(String)
}

/// The state of an external editor's file from an earlier session.
package enum EditorLeftovers: Sendable, Equatable {
  /// The file does not exist.
  case gone
  /// The text of the file, and whether nothing else was left and no editor has it open.
  case text(String, isAll: Bool)
  /// The file cannot be read as text.
  case unreadable
}
