import LarderFiles
import Foundation
import LarderModel

extension FileReplacement {
  /// Gives a finished file the name of the one that was read, if that still has it.
  ///
  /// Somebody may write at the last moment: the names are exchanged, and exchanged back if what
  /// came out is not what was read. On file systems that cannot do that, what is written between
  /// the last look and the rename is lost.
  ///
  /// - Parameters:
  ///   - temporary: The name of the finished file.
  ///   - file: The finished file.
  ///   - old: The file as it was read.
  /// - Returns: Whether the name is that of the finished file now.
  /// - Throws: ``FileFailure``; ``KeptAside``; ``StoreError`` where somebody took the old file away.
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
      // Deleted meanwhile.
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

  /// Gives what another program wrote its name back, and what it may have written since too.
  ///
  /// - Throws: ``KeptAside`` where that fails.
  private func giveBack(
    _ temporary: [UInt8], _ file: FolderReader.File, isForeign: Bool
  ) throws(KeptAside) {
    var reason: String?
    do throws(FileFailure) {
      reason = try exchangeBack(temporary, file)
    } catch {
      throw KeptAside(temporary, in: directory, isForeign: isForeign, because: error.message)
    }
    if let reason { throw KeptAside(temporary, in: directory, because: reason) }
  }

  /// Exchanges the names until the newest of what others wrote has the name.
  ///
  /// - Returns: Why what then has the temporary name must not go, as a clause; nil where it may.
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
        // Somebody took away what was there.
        return try directory.giveBack(temporary, to: name)
      }
      guard let out = try directory.status(of: temporary) else { return nil }
      if out.isSameFile(as: sent) {
        // Somebody may have written into it while it had the name. What was made here is known whole.
        var isSame = out.isUnchanged(since: sent)
        if let placed, isSame {
          isSame = try FolderReader.holds(temporary, in: directory, placed) ?? true
        }
        return isSame ? nil : "as what was written before it is there again"
      }
      // What came out is newer than what now is there.
      (placed, sent) = (nil, other)
    }
    return "as another program writes there all the time"
  }

  /// How often another program may write within moments.
  private static let attempts = 100
}
