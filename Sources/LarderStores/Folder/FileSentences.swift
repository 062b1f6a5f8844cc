import LarderFiles
import Foundation
import LarderModel

/// What goes wrong at a file, or at those in a folder, in sentences.
struct FileSentences {
  /// What somebody was about to do.
  enum Attempt {
    case opening, reading, writing
  }

  private let path: String
  private let isFolder: Bool

  init(_ path: String, isFolder: Bool = false) {
    self.path = path
    self.isFolder = isFolder
  }

  /// What an error means to a user.
  func storeError(_ error: any Error, _ attempt: Attempt) -> StoreError {
    (error as? FileFailure).map { storeError($0, attempt) } ?? StoreError(error)
  }

  /// What a failed call of the system means to a user.
  func storeError(_ failure: FileFailure, _ attempt: Attempt) -> StoreError {
    let nothing = attempt == .writing ? "; nothing was written" : ""
    switch (failure.number, attempt) {
    case (ENOENT, .opening), (ENOTDIR, .opening):
      return .cannotOpen("\(path.isEmpty ? "an empty path" : path) does not exist")
    case (ENOENT, _), (ENOTDIR, _), (ELOOP, .reading), (ELOOP, .writing):
      return isFolder
        ? .failed(
          "a folder inside \(path) was removed by someone else meanwhile\(nothing); try again")
        : .cannotOpen("\(path) is not there any more\(nothing)")
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
  /// What keeps somebody from writing, as a clause.
  var obstacle: String {
    switch number {
    case EROFS: "the file system that holds it is read-only"
    case EPERM: "it is marked as one that must not be changed"
    default: "its permissions do not allow writing"
    }
  }

  /// What it means for a change that was made when its directory cannot be brought to the disk.
  var doubt: String {
    "the disk failed then (\(message)): what was written before it may not survive a loss of power"
  }
}

extension StoreError {
  /// The same error where others of several changes were made before it.
  ///
  /// - Parameter others: What became of those, as a clause; nil where that is said elsewhere.
  /// - Returns: The error, which does not claim any more that nothing was written.
  func after(_ others: String?) -> StoreError {
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
    case .notFound, .conflict, .cancelled, .journal, .notDurable: self
    }
  }
}
