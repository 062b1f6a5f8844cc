import Foundation
import LarderCore

/// A file with text for another program, in a directory of its own that only this user can enter.
struct ScratchFile: Sendable {
  /// Where the file is.
  let path: String
  private let directory: String

  /// Why text cannot be given or taken.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Makes the file.
  ///
  /// - Throws: ``Failure`` where the system refuses; nothing is left behind then.
  init(_ text: OutsideText, in place: String) throws(Failure) {
    var template = Array("\(place)/larder-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Failure(description: "no file for the editor can be made in \(place): \(Self.reason)")
    }
    directory = String(cString: made)
    path = "\(directory)/\(text.name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw refused() }
    var isWritten = true
    Array(text.text.utf8).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, isWritten {
        let count = write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else {
          isWritten = count < 0 && errno == EINTR
        }
      }
    }
    let failure = isWritten ? nil : refused()
    close(descriptor)
    if let failure { throw failure }
  }

  /// What is in the file now.
  ///
  /// - Throws: ``Failure`` where it cannot be taken in; it says where the file is.
  func read(upTo limit: Int) throws(Failure) -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      remove()
      throw Failure(description: "\(path) cannot be read any more: nothing was changed")
    }
    guard data.count <= limit else {
      throw Failure(
        description: "the text is too large to be saved from here; it is kept in \(path), "
          + "and larder put --file can write it")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure(
        description: "the text is not UTF-8 any more; it is kept in \(path), "
          + "and larder put --file can write it")
    }
    return text
  }

  /// Removes the file, and what an editor has left beside it.
  func remove() {
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func refused() -> Failure {
    let reason = Self.reason
    remove()
    return Failure(description: "no file for the editor can be written in \(directory): \(reason)")
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
