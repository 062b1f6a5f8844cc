import Foundation
import Harmony
import LarderModel
import LarderOperations
import Synchronization

/// What a command that may take long owes to whoever waits for it: how far it is, and an end in order
/// at Ctrl-C, which says what was done.
///
/// ```swift
/// let task = LongTask("exported", arguments)
/// defer { task.end() }
/// try await task.reading { … task.progress.add(page.count) … }
/// ```
///
/// What only reads ends at once. What writes asks its store to stop, as some can take back what was
/// made by then, and others have to end what they are at.
final class LongTask: Sendable {
  /// How far it is.
  let progress: Progress
  private let verb: String
  private let interruption: Interruption?

  /// Begins a task.
  ///
  /// - Parameters:
  ///   - verb: What is done with entries, in the past: `exported`.
  ///   - unit: What is counted.
  ///   - arguments: The words, which may say that nothing is to be shown.
  ///   - isPrinting: Whether the entries are printed, so that a line about them would be between
  ///     them where both go to a terminal: it is shown until the first of them is printed.
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

  /// Takes what was shown off the screen, and leaves signals to the system again.
  func end() {
    progress.clear()
    interruption?.stopListening()
  }

  /// Takes what was shown off the screen, as what was looked for is changed next.
  ///
  /// A signal between the two is heard by the change; but a question before it, or a list instead of
  /// it, is ended by the system.
  func endBeforeChange(_ arguments: Arguments) {
    guard arguments.has(.yes), !arguments.has(.dryRun) else { return end() }
    progress.clear()
    interruption?.react(nil)
  }

  /// Says what is to be done when a signal comes: the process ends, after a sentence.
  ///
  /// - Parameter outcome: What became of the entries until then, as a clause; nil for how many were
  ///   read.
  func endsAtOnce(saying outcome: (@Sendable () -> String)? = nil) {
    let (progress, verb) = (progress, verb)
    interruption?.react { signal in
      Output.close(patience: 0.3)
      let count = progress.count
      let done = "\(Thousands.text(count)) \(count == 1 ? "entry was" : "entries were") \(verb)"
      progress.clear()
      Output.complain("interrupted; " + (outcome?() ?? done))
      exit(Interruption.code(of: signal).rawValue)
    }
  }

  /// Says what is to be done when a signal comes, in the place of what was to be done before.
  func stops(_ stop: @escaping @Sendable () -> Void) {
    interruption?.react { _ in stop() }
  }

  /// The code that a signal which has come ends the process with; nil where none has.
  var interruptionCode: ExitCode? { interruption?.signal.map(Interruption.code) }

  /// Finds out beside the task how many entries there are, where the store knows that at once.
  func expectCount(of store: Store, prefix: String = "") {
    // Nobody looks.
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

  /// Makes a change that a signal asks to stop.
  ///
  /// - Parameters:
  ///   - outcome: What became of the entries where the store has stopped after so many, as a clause; an
  ///     operation says so itself.
  ///   - body: Makes the change with the scan that it is given.
  /// - Returns: What the body returns; a change that was not stopped any more is made.
  /// - Throws: `Failure` where it was stopped, and what the body throws.
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
        Interruption.code(of: signal), "interrupted; \(failure?.outcome ?? outcome(scan))")
    }
  }
}

extension Failure {
  /// Whether a signal was the reason.
  var isInterruption: Bool { code == .interrupted || code == .terminated }
}

extension Error {
  /// Whether it says that work was stopped, or still waited for others when it was.
  fileprivate var isEndOfWork: Bool {
    switch StoreError(self) {
    case .cancelled, .busy: true
    default: false
    }
  }
}

extension Store {
  /// Hands out entries as text, as the store writes them, while it reads what comes next.
  ///
  /// - Throws: What the store throws, which is `QueryNotSupported` before anything was handed out
  ///   where it has no quicker way than pages of entries.
  func forEachText(
    _ query: EntryTextQuery, _ take: (EntryTextQuery.Page) throws -> Void
  ) async throws {
    var query = query
    var coming = source.get(query)
    while true {
      guard let page = EntryTextQuery.Page(try await coming.getCancelling()) else {
        throw CoreError.DataSerialization()
      }
      let next = query.next(page)
      if let next {
        query = next
        coming = source.get(next)
      }
      try take(page)
      if next == nil { return }
    }
  }
}
