import Foundation
import LarderCore

/// The person's own editor, which is given text in a file that nobody else can read.
struct ExternalEditor: Sendable {
  /// The command, as a shell takes it.
  let command: String
  /// Where the file is made.
  let directory: String

  /// The editor that an environment names: `VISUAL`, else `EDITOR`, else `vi`.
  init(environment: [String: String]) {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }
    command = named.first { !$0.allSatisfy(\.isWhitespace) } ?? "vi"
    directory = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// Has the text edited, and returns once the editor has ended.
  ///
  /// The terminal has to be free for it. The file stays where it is only if what is in it could not
  /// be taken in; then the problem says where that is.
  func edit(_ text: OutsideText) async -> OutsideOutcome {
    let scratch: ScratchFile
    do {
      scratch = try ScratchFile(text, in: directory)
    } catch {
      return OutsideOutcome(problem: "\(error)")
    }
    let end = await withCheckedContinuation { continuation in
      // A thread of its own: the person may take hours.
      Thread.detachNewThread {
        continuation.resume(returning: ForegroundCommand(command, path: scratch.path).run())
      }
    }
    if case .notStarted(let reason) = end {
      scratch.remove()
      return OutsideOutcome(problem: "the editor “\(command)” cannot be started: \(reason)")
    }
    return outcome(of: scratch, after: end, text)
  }

  private func outcome(
    of scratch: ScratchFile, after end: ForegroundCommand.End, _ text: OutsideText
  ) -> OutsideOutcome {
    let problem = end.problem.map { "the editor “\(command)” \($0)" }
    do {
      let result = try scratch.read(upTo: EditorModel.greatestSize)
      scratch.remove()
      guard let problem else { return OutsideOutcome(text: result) }
      // An editor that is told to give up leaves the file alone.
      return result.utf8.elementsEqual(text.text.utf8)
        ? OutsideOutcome(problem: "\(problem); nothing was changed")
        : OutsideOutcome(
          text: result, problem: "\(problem); what it wrote is here and not saved: Ctrl-S saves it")
    } catch {
      return OutsideOutcome(
        problem: [problem, "\(error)"].compactMap { $0 }.joined(separator: "; "))
    }
  }
}
