import Foundation
import LarderBrowser

/// The user's own editor, which edits text in a file that only the user can read.
///
/// A file is removed once its text is in the store or on the screen. Otherwise it stays, and the
/// outcome has its path.
struct ExternalEditor: Sendable {
  /// The command, in shell syntax.
  let command: String
  /// The folder for scratch files.
  let directory: String
  private let waiting = WaitingFiles()

  /// Creates the editor named by the environment: `VISUAL`, or else `EDITOR`, or else `vi`.
  init(environment: [String: String]) {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }
    command = named.first { !$0.allSatisfy(\.isWhitespace) } ?? "vi"
    directory = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// The editor as an interface for the browser.
  var outside: ExternalEditorService {
    ExternalEditorService(
      edit: { await edit($0, $1) },
      left: { path in
        let scratch: ScratchFile
        do throws(ScratchFile.Unseen) {
          scratch = try ScratchFile(path: path)
        } catch {
          return error.isGone ? .gone : .unreadable
        }
        guard let bytes = try? scratch.bytes() else {
          return scratch.removeIfEmpty() ? .gone : .unreadable
        }
        guard let text = try? EditedText.text(bytes) else { return .unreadable }
        return .text(text, isAll: scratch.isAll)
      },
      discard: { path, text in
        _ = try? ScratchFile(path: path).remove(ifStill: Array(text.utf8))
      })
  }

  /// Removes unchanged files that editors may still have been using, and reports the others.
  func finish() -> [String] { waiting.finish() }

  /// Opens the text in the editor and returns when the editor has exited.
  ///
  /// The terminal must be available to the editor.
  private func edit(
    _ text: ExternalText, _ step: @Sendable (ExternalEditEvent) -> Void
  ) async -> ExternalEditOutcome {
    let scratch: ScratchFile
    do {
      scratch = try ScratchFile(text, in: directory)
    } catch {
      return ExternalEditOutcome(problem: "\(error)")
    }
    step(.given(path: scratch.path))
    let start = ContinuousClock.now
    let end = await withCheckedContinuation { continuation in
      // On its own thread, as the user may take hours.
      Thread.detachNewThread {
        continuation.resume(returning: ForegroundCommand(command, path: scratch.path).run())
      }
    }
    scratch.release()
    let isAtOnce = ContinuousClock.now - start < .seconds(1)
    do {
      let bytes = try scratch.bytes()
      return bytes == Array(text.text.utf8)
        ? unchanged(scratch, after: end, isAtOnce: isAtOnce, text)
        : changed(scratch, bytes, after: end, text, step)
    } catch {
      let isGone = scratch.removeIfEmpty()
      return ExternalEditOutcome(
        problem: Messages.unreadableEdit(
          scratch.path, error, left: isGone ? nil : scratch.folder),
        isLeft: !isGone)
    }
  }

  private func unchanged(
    _ scratch: ScratchFile, after end: ForegroundCommand.End, isAtOnce: Bool, _ text: ExternalText
  ) -> ExternalEditOutcome {
    let bytes = Array(text.text.utf8)
    guard let problem = end.problem else {
      let isInUse = scratch.isInUse
      // A background process of the editor that has released the lock may still write to the file.
      waiting.add(scratch, bytes)
      guard isAtOnce || isInUse else { return ExternalEditOutcome(text: text.text) }
      return ExternalEditOutcome(
        text: text.text, warning: Messages.editorReturned(scratch.path))
    }
    let isGone = scratch.remove(ifStill: bytes)
    return ExternalEditOutcome(
      problem: Messages.unchanged(
        Messages.editor(command, problem), isUnknown: end.isUnknownCommand,
        left: isGone ? nil : scratch.folder),
      isLeft: !isGone)
  }

  private func changed(
    _ scratch: ScratchFile, _ bytes: [UInt8], after end: ForegroundCommand.End,
    _ text: ExternalText, _ step: @Sendable (ExternalEditEvent) -> Void
  ) -> ExternalEditOutcome {
    let problem = end.problem.map { Messages.editor(command, $0) }
    let result: String
    do {
      result = try EditedText.text(bytes)
    } catch {
      return ExternalEditOutcome(
        problem: Messages.unusableText(
          problem, error, in: scratch.path, isStoredForm: text.isStoredForm),
        isLeft: true)
    }
    if let problem {
      return ExternalEditOutcome(
        text: result, problem: Messages.unsavedText(problem, in: scratch.folder))
    }
    step(.taken(result))
    if scratch.isInUse {
      waiting.add(scratch, bytes)
    } else {
      scratch.removeAll()
    }
    return ExternalEditOutcome(text: result)
  }
}

/// Decodes the text that an editor has written.
enum EditedText {
  /// The reason why the text cannot be used, to follow “the text is”.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func text(_ bytes: [UInt8]) throws(Failure) -> String {
    guard bytes.count <= EditorModel.maximumSize else {
      throw .tooLarge
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notUTF8
    }
    return text
  }
}
