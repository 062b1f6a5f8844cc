import LarderModel
import LarderOperations

/// What the process tells the shell.
enum ExitCode: Int32, Sendable {
  /// Done.
  case done = 0
  /// No such entry, or nothing matched; of `diff` a difference, of `doctor` something to do.
  case nothing = 1
  /// The words of the command line are wrong, or there is no terminal to draw on.
  case usage = 2
  /// The store cannot be opened, read or written, or a list, copy, export or comparison is not whole.
  case store = 3
  /// The entry changed since it was read, or exists already.
  case conflict = 4
  /// The store is read-only, or cannot do it.
  case refused = 5
  /// Ctrl-C ended it.
  case interrupted = 130
  /// The system, or somebody, asked it to end.
  case terminated = 143

  /// What each code says to a script.
  static let meanings: [(code: ExitCode, meaning: String)] = [
    (.done, "done; of diff, no difference; of doctor, nothing to do"),
    (
      .nothing,
      "no such entry, or nothing matched; of diff, a difference; of doctor, something to do"
    ),
    (.usage, "the words of the command line are wrong, or there is no terminal to draw on"),
    (.store, "the store cannot be opened, read or written, or the answer is not whole"),
    (.conflict, "the entry changed since it was read, or exists already"),
    (.refused, "the store is read-only, or cannot do it"),
    (.interrupted, "ended by Ctrl-C"), (.terminated, "ended by SIGTERM"),
  ]

  /// The kind of error where no store says a closer one, as `--json` prints it.
  var name: String {
    switch self {
    case .done, .nothing: "notFound"
    case .usage: "usage"
    case .store: "failed"
    case .conflict: "conflict"
    case .refused: "notSupported"
    case .interrupted, .terminated: "cancelled"
    }
  }

  /// The code that an error ends the process with.
  init(_ error: StoreError) {
    switch error {
    case .notFound: self = .nothing
    case .notSupported, .readOnly: self = .refused
    case .busy, .corrupt, .cannotOpen, .journal, .notDurable, .failed, .cancelled: self = .store
    case .conflict, .changedSince: self = .conflict
    }
  }
}

/// A reason to end with a code and a sentence on standard error.
struct Failure: Error, Sendable {
  let code: ExitCode
  let message: String
  /// The kind of error, as `--json` prints it.
  let name: String

  init(_ code: ExitCode, _ message: String, name: String? = nil) {
    self.code = code
    self.message = message
    self.name = name ?? code.name
  }

  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let failure as OperationFailure:
      self.init(ExitCode(failure.reason), failure.message, name: failure.reason.code)
    default:
      let error = StoreError(error)
      self.init(ExitCode(error), error.message, name: error.code)
    }
  }

  /// A mistake in the words of the command line.
  static func usage(_ message: String) -> Failure {
    Failure(.usage, message)
  }
}
