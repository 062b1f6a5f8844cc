import LarderModel
import LarderOperations

/// The exit status of the process.
enum ExitCode: Int32, Sendable {
  /// Success.
  case done = 0
  /// No entry was found; for `diff`, there is a difference, and for `doctor`, a finding.
  case nothing = 1
  /// The command line is invalid, or there is no terminal to draw on.
  case usage = 2
  /// The store cannot be opened, read or written, or the output is incomplete.
  case store = 3
  /// The entry changed since it was read, or already exists.
  case conflict = 4
  /// The store is read-only, or does not support the operation.
  case refused = 5
  /// Ended by Ctrl-C.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143

  /// The kind of error where no store says a closer one, as `--json` prints it.
  var name: String {
    switch self {
    case .done, .nothing: "notFound"
    case .usage: "usage"
    case .store: "failed"
    case .conflict: "conflict"
    case .refused: "refused"
    case .interrupted, .terminated: "cancelled"
    }
  }

  /// The code that an error ends the process with.
  init(_ error: StoreError) {
    switch error {
    case .notFound: self = .nothing
    case .notSupported, .readOnly: self = .refused
    case .busy, .corrupt, .cannotOpen, .passwordRequired, .journal, .notDurable, .unknownOutcome,
      .failed, .cancelled:
      self = .store
    case .conflict, .changedSince: self = .conflict
    }
  }
}

/// An error that ends the process with an exit code and a message on standard error.
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

  /// Returns the failure for an invalid command line.
  static func usage(_ message: String) -> Failure {
    Failure(.usage, message)
  }
}
