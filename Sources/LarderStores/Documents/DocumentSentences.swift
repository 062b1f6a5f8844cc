import Foundation
import Harmony
import LarderCore

/// What goes wrong at the file of a document, in sentences.
struct DocumentSentences {
  let path: String

  /// What an error means to a person.
  func storeError(_ error: any Error, isWriting: Bool) -> StoreError {
    switch error {
    case let failure as FileFailure: storeError(failure, isWriting: isWriting)
    default: StoreError(error)
    }
  }

  private func storeError(_ failure: FileFailure, isWriting: Bool) -> StoreError {
    let nothing = isWriting ? "; nothing was written" : ""
    switch failure.number {
    case ENOENT, ENOTDIR, ELOOP: return .cannotOpen("\(path) is not there any more\(nothing)")
    case EROFS: return .readOnly("the file system that holds \(path) is read-only\(nothing)")
    case EACCES, EPERM:
      return isWriting
        ? .readOnly("the permissions of \(path) or of its folder do not allow writing\(nothing)")
        : .cannotOpen("\(path) cannot be read: its permissions do not allow it")
    case ENOSPC, EDQUOT: return .failed("the disk that holds \(path) is full\(nothing)")
    case EFBIG: return .failed("\(path) would become too large for its disk\(nothing)")
    default:
      let verb = isWriting ? "written" : "read"
      return .failed("\(path) could not be \(verb): \(failure.message)\(nothing)")
    }
  }
}
