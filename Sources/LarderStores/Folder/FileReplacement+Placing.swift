import LarderFiles
import Foundation
import LarderModel

extension FileReplacement {
  /// Renames a finished file to the name of the original, if the original is unchanged.
  ///
  /// Another program may write at the last moment, so the names are exchanged, and exchanged back
  /// if the file under the temporary name is not as it was read. On file systems that cannot
  /// exchange names, changes made between the last check and the rename are lost.
  ///
  /// - Parameters:
  ///   - temporary: The name of the finished file.
  ///   - file: The finished file.
  ///   - old: The original file as it was read.
  /// - Returns: Whether the finished file now has the name.
  /// - Throws: ``FileFailure``, ``OrphanedFile``, or ``StoreError`` if another program removed the
  ///   original.
  func place(
    _ temporary: [UInt8], _ file: FolderReader.File, inPlaceOf old: FolderReader.File
  ) throws -> Bool {
    do throws(FileFailure) {
      guard try directory.exchange(temporary, name) else {
        guard try FolderReader.holds(name, in: directory, old) == true else { return false }
        try directory.rename(temporary, to: name)
        return true
      }
    } catch {
      guard error.number == ENOENT else { throw error }
      // Another program deleted the file.
      return false
    }
    let isExpected: Bool?
    do {
      isExpected = try FolderReader.holds(temporary, in: directory, old)
    } catch {
      try giveBack(temporary, file, isForeign: false)
      throw error
    }
    guard let isExpected else {
      throw StoreError.failed(
        "\(key.spoken) was written, but what it held before was taken away by another program, "
          + "before larder could tell whether it still was what larder had read")
    }
    if !isExpected { try giveBack(temporary, file, isForeign: true) }
    return isExpected
  }

  /// Restores another program's file to its name, including changes it may have made since.
  ///
  /// - Throws: ``OrphanedFile`` if that fails.
  private func giveBack(
    _ temporary: [UInt8], _ file: FolderReader.File, isForeign: Bool
  ) throws(OrphanedFile) {
    var reason: String?
    do throws(FileFailure) {
      reason = try exchangeBack(temporary, file)
    } catch {
      throw OrphanedFile(temporary, in: directory, isForeign: isForeign, because: error.message)
    }
    if let reason { throw OrphanedFile(temporary, in: directory, because: reason) }
  }

  /// Exchanges the names until the newest file of other programs has the original name.
  ///
  /// - Returns: The reason, as a clause, that the file under the temporary name must not be
  ///   deleted, or nil if it may be.
  private func exchangeBack(
    _ temporary: [UInt8], _ file: FolderReader.File
  ) throws(FileFailure) -> String? {
    var placed: FolderReader.File? = file
    var sent = file.status
    for _ in 0..<Self.attempts {
      guard let other = try directory.status(of: temporary) else { return nil }
      do throws(FileFailure) {
        _ = try directory.exchange(temporary, name)
      } catch {
        guard error.number == ENOENT else { throw error }
        // Another program removed the file in the meantime.
        return try directory.giveBack(temporary, to: name)
      }
      guard let out = try directory.status(of: temporary) else { return nil }
      if out.isSameFile(as: sent) {
        // Another program may have written to the file while it had the name. The finished file can
        // be compared completely.
        var isSame = out.isUnchanged(since: sent)
        if let placed, isSame {
          isSame = try FolderReader.holds(temporary, in: directory, placed) ?? true
        }
        return isSame ? nil : "as what was written before it is there again"
      }
      // The file just exchanged out is newer than the one now at the name.
      (placed, sent) = (nil, other)
    }
    return "as another program writes there all the time"
  }

  /// The maximum number of exchanges while another program keeps writing.
  private static let attempts = 100
}
