package import LarderFiles
import Foundation
package import LarderModel

/// Error messages for failures with a file, or with the files in a folder.
package struct FileMessages {
  /// The operation that failed.
  package enum Attempt {
    case opening, reading, writing
  }

  private let path: String
  private let isFolder: Bool

  package init(_ path: String, isFolder: Bool = false) {
    self.path = path
    self.isFolder = isFolder
  }

  /// Converts an error to one with a message for the user.
  package func storeError(_ error: any Error, _ attempt: Attempt) -> StoreError {
    (error as? FileFailure).map { storeError($0, attempt) } ?? StoreError(error)
  }

  /// Converts a failed system call to an error with a message for the user.
  package func storeError(_ failure: FileFailure, _ attempt: Attempt) -> StoreError {
    let nothing = attempt == .writing ? "; nothing was written" : ""
    switch (failure.number, attempt) {
    case (ENOENT, .opening), (ENOTDIR, .opening):
      return .cannotOpen("\(path.isEmpty ? "an empty path" : path) does not exist")
    case (ENOENT, _), (ENOTDIR, _), (ELOOP, .reading), (ELOOP, .writing):
      return isFolder
        ? .failed(
          "another program removed a folder inside \(path)\(nothing); try again")
        : .cannotOpen("\(path) no longer exists\(nothing)")
    case (EROFS, .writing):
      return .readOnly("the file system that holds \(path) is read-only\(nothing)")
    case (EACCES, .writing), (EPERM, .writing):
      let place = isFolder ? "inside \(path)" : "of \(path) or of its folder"
      return .readOnly(
        "the permissions \(place) do not allow writing: \(failure.message)\(nothing)")
    case (EACCES, .reading) where isFolder, (EPERM, .reading) where isFolder:
      return .failed("the permissions inside \(path) do not allow reading: \(failure.message)")
    case (EACCES, _), (EPERM, _):
      return .cannotOpen("\(path) cannot be read: its permissions do not allow it")
    case (ENOSPC, .writing), (EDQUOT, .writing):
      return .failed("the disk that holds \(path) is full\(nothing)")
    case (EFBIG, .writing):
      return .failed("\(path) would become too large for its disk\(nothing)")
    case (_, .opening): return .cannotOpen("\(path) cannot be opened: \(failure.message)")
    default:
      let verb = attempt == .writing ? "written" : "read"
      return .failed("\(path) could not be \(verb): \(failure.message)\(nothing)")
    }
  }
}

extension FileFailure {
  /// The reason that a file cannot be written, as a clause.
  package var obstacle: String {
    switch number {
    case EROFS: "the file system that holds it is read-only"
    case EPERM: "it is marked immutable"
    default: "its permissions do not allow writing"
    }
  }

  /// A clause that warns that a change was made, but its directory could not be flushed to the
  /// disk.
  package var doubt: String {
    "flushing it to disk failed (\(message)), so it may not survive a power failure"
  }
}

extension StoreError {
  /// Returns the same error for the case that other changes were made before it.
  ///
  /// - Parameter others: The outcome of the other changes, as a clause, or nil if it is reported
  ///   elsewhere.
  /// - Returns: The error, without the claim that nothing was written.
  package func after(_ others: String?) -> StoreError {
    func sentence(_ text: String) -> String {
      text.replacing("; nothing was written", with: "") + (others.map { "; \($0)" } ?? "")
    }
    return switch self {
    case .failed(let text): .failed(sentence(text))
    case .readOnly(let text): .readOnly(sentence(text))
    case .cannotOpen(let text): .cannotOpen(sentence(text))
    case .notSupported(let text): .notSupported(sentence(text))
    case .busy(let text): .busy(sentence(text))
    case .corrupt(let text): .corrupt(sentence(text))
    case .changedSince(let text): .changedSince(sentence(text))
    case .notFound, .passwordRequired, .conflict, .cancelled, .journal, .notDurable,
      .unknownOutcome:
      self
    }
  }
}
