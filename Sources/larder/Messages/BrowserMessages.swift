import LarderBrowser
import LarderModel

// The sentences of the browser's start and end, and of the external editor. Each starts in lower
// case and has no final full stop.

// MARK: The session

extension Failure {
  static func noTerminal(_ reason: any Error) -> Self { Failure(.usage, "\(reason)") }

  static func theme(_ problem: String) -> Self { usage(problem) }
}

extension Messages {
  static let noSession = "there is no earlier session to reopen"

  static func sessionNotSaved(_ problem: StoreError) -> String {
    "the session was not saved for --resume: \(problem.message)"
  }

  /// Returns the sentence about a signal that ended the browser, with the title of unsaved text and
  /// the reason why that was not stored.
  static func ended(by signal: Int32, unsaved title: String?, _ problem: String?) -> String {
    let start = "ended by signal \(signal)"
    guard let title else { return start }
    return start
      + (problem.map { "; the unsaved text for \(title) is lost: \($0)" }
        ?? "; the unsaved text for \(title) is kept: open its store again, and Ctrl-E restores it")
  }
}

// MARK: The editor

extension ForegroundCommand.End {
  /// The failure, as a clause that follows the name of the command; nil for success.
  var problem: String? {
    switch self {
    case .exited(0): nil
    case .exited(Self.notFound): "ended with status \(Self.notFound): there is no such command"
    case .exited(Self.notRunnable): "ended with status \(Self.notRunnable): it is not a program"
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .notStarted(let reason): "cannot be started: \(reason)"
    case .lost(let reason): "cannot be waited for: \(reason)"
    }
  }
}

extension EditedText.Failure {
  static let tooLarge = Self(description: "too large to be saved from here")
  static let notUTF8 = Self(description: "no longer UTF-8")
}

extension ScratchFile.Failure {
  static func notCreated(in folder: String, _ reason: String) -> Self {
    Self(description: "the file for the editor cannot be created in \(folder): \(reason)")
  }

  static let notRegular = Self(description: Messages.notRegularFile)
}

extension Messages {
  static func editorKilled(_ path: String) -> String { "the text in your editor is in \(path)" }

  static func keptText(_ path: String) -> String { "your editor's text is kept in \(path)" }

  /// Returns the problem of a file that is gone, or whose folder still has other files.
  static func unreadableEdit(_ path: String, _ reason: any Error, left folder: String?) -> String {
    "\(path) can no longer be read (\(reason)); nothing was changed"
      + (folder.map { "; the rest is in \($0)" } ?? "")
  }

  static func editorReturned(_ path: String) -> String {
    "the editor returned at once; make it wait, for example with --wait. Until larder quits, its "
      + "file is \(path)"
  }

  static func editor(_ command: String, _ problem: String) -> String {
    "the editor “\(command)” \(problem)"
  }

  /// Returns the problem of an editor that has failed, and whose folder may still have files.
  static func unchanged(_ editor: String, isUnknown: Bool, left folder: String?) -> String {
    editor + (isUnknown ? "; set VISUAL or EDITOR to one" : "") + "; nothing was changed"
      + (folder.map { "; its files are in \($0)" } ?? "")
  }

  static func unusableText(
    _ editor: String?, _ reason: EditedText.Failure, in path: String, isStoredForm: Bool
  ) -> String {
    (editor.map { "\($0); " } ?? "") + "the text is \(reason); it is kept in \(path)"
      + (isStoredForm ? "; larder put --file can write it" : "")
  }

  static func unsavedText(_ editor: String, in folder: String) -> String {
    "\(editor); its text is here but not saved yet: Ctrl-S saves it. A copy is in \(folder)"
  }
}
