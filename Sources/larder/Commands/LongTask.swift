import Foundation
import Harmony
import LarderModel
import LarderOperations
import Synchronization

/// Progress and interruption of a command that may take long.
///
/// ```swift
/// let task = LongTask("exported", arguments)
/// defer { task.end() }
/// task.endsAtOnce()
/// … task.progress.add(page.count) …
/// ```
///
/// On Ctrl-C, a command that only reads ends immediately. A command that writes asks its store to
/// stop: some stores roll back, and others have to finish the current entry.
final class LongTask: Sendable {
  /// The progress.
  let progress: Progress
  private let verb: String
  private let interruption: Interruption?

  /// Starts a task.
  ///
  /// - Parameters:
  ///   - verb: The past participle for the operation on entries, such as `exported`.
  ///   - unit: The unit of the progress.
  ///   - arguments: The arguments, which may disable progress.
  ///   - isPrinting: Whether the task prints entries. If standard output is a terminal, the
  ///     progress is hidden when the first of them is printed.
  init(
    _ verb: String, counting unit: Progress.Unit = .entries, _ arguments: Arguments,
    isPrinting: Bool = false
  ) {
    self.verb = verb
    let progress = Progress(verb, unit, isQuiet: arguments.has(.quiet))
    if isPrinting, isatty(STDOUT_FILENO) == 1 { Output.beforeFirstPiece { progress.clear() } }
    self.progress = progress
    interruption = Interruption()
  }

  /// Hides the progress and restores the default action for signals.
  func end() {
    progress.clear()
    interruption?.stopListening()
  }

  /// Hides the progress between searching and changing.
  ///
  /// The change handles a signal that arrives in between. A question before the change, or the list
  /// printed by a dry run, is ended by the default action.
  func endBeforeChange(_ arguments: Arguments) {
    guard arguments.has(.yes), !arguments.has(.dryRun) else { return end() }
    progress.clear()
    interruption?.react(nil)
  }

  /// Makes a signal end the process after a message.
  ///
  /// - Parameter outcome: Returns the state of the entries, as a clause; nil for the number of
  ///   entries read.
  func endsAtOnce(saying outcome: (@Sendable () -> String)? = nil) {
    let (progress, verb) = (progress, verb)
    interruption?.react { signal in
      Output.close(patience: 0.3)
      let outcome = outcome?() ?? Messages.processed(progress.count, verb)
      progress.clear()
      Output.complain(Messages.interrupted(outcome))
      exit(Interruption.code(of: signal).rawValue)
    }
  }

  /// Makes a signal call a closure, replacing the previous reaction.
  func stops(_ stop: @escaping @Sendable () -> Void) {
    interruption?.react { _ in stop() }
  }

  /// The exit code for the signal that has arrived; nil for none.
  var interruptionCode: ExitCode? { interruption?.signal.map(Interruption.code) }

  /// Obtains the total number of entries in the background, if the store has an estimate.
  func expectCount(of store: Store, prefix: String = "") {
    guard progress.isShown, prefix.isEmpty else { return }
    let progress = progress
    Task {
      let query = CountQuery(precision: .estimate)
      guard let entry = try? await store.source.get(query).getCancelling(),
        case .integer(let count)? = entry.value
      else { return }
      progress.expect(Int(count))
    }
  }

  /// Performs a change that a signal can stop.
  ///
  /// - Parameters:
  ///   - outcome: Returns the state of the entries after the store has stopped, as a clause. The
  ///     outcome of an ``OperationFailure`` takes precedence.
  ///   - body: Performs the change with the given scan.
  /// - Returns: The result of `body`. A signal that arrives too late does not undo the change.
  /// - Throws: `Failure` if the change was stopped, or the error of `body`.
  func changing<Value>(
    outcome: (Scan) -> String = { _ in OperationFailure.nothingWritten },
    _ body: (Scan) async throws -> Value
  ) async throws -> Value {
    let (progress, interruption) = (progress, interruption)
    let verb = verb
    let scan = Scan { scan in
      if scan.changed > 0 || scan.examined == 0 {
        progress.set(scan.changed, as: verb)
      } else {
        progress.set(scan.examined, as: "read")
      }
      progress.set(share: scan.changed > 0 ? nil : scan.share)
      if interruption?.signal != nil { scan.stop() }
    }
    interruption?.react { _ in scan.stop() }
    defer { interruption?.react(nil) }
    do {
      return try await body(scan)
    } catch {
      let failure = error as? OperationFailure
      guard let signal = interruption?.signal, (failure?.reason ?? error).isEndOfWork
      else { throw error }
      throw Failure(
        Interruption.code(of: signal),
        Messages.interrupted(failure?.outcome ?? outcome(scan)))
    }
  }
}

extension Failure {
  /// Whether a signal caused the failure.
  var isInterruption: Bool { code == .interrupted || code == .terminated }
}

extension Error {
  /// Whether work was stopped, possibly while waiting for a lock.
  fileprivate var isEndOfWork: Bool {
    switch StoreError(self) {
    case .cancelled, .busy: true
    default: false
    }
  }
}
