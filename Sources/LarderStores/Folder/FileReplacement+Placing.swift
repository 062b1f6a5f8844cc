import Foundation

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
  /// - Throws: ``FileFailure``; ``Unreturned``.
  func place(
    _ temporary: [UInt8], _ file: FolderDescriptor, inPlaceOf old: FolderReader.File
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
    let isExpected: Bool
    do {
      // Where there is nothing, another larder has taken it for what a killed one left.
      isExpected = try FolderReader.holds(temporary, in: directory, old) ?? true
    } catch {
      try giveBack(temporary, file)
      throw error
    }
    if !isExpected { try giveBack(temporary, file) }
    return isExpected
  }

  /// Gives what another program wrote its name back, and what it may have written since too.
  ///
  /// - Throws: ``Unreturned`` where that fails.
  private func giveBack(
    _ temporary: [UInt8], _ file: FolderDescriptor
  ) throws(Unreturned) {
    do throws(FileFailure) {
      try exchangeBack(temporary, file)
    } catch {
      throw Unreturned(failure: error)
    }
  }

  private func exchangeBack(
    _ temporary: [UInt8], _ file: FolderDescriptor
  ) throws(FileFailure) {
    var placed = file.status
    for _ in 0..<Self.attempts {
      guard let other = try directory.status(of: temporary) else { return }
      do throws(FileFailure) {
        _ = try directory.exchange(temporary, name)
      } catch {
        guard error.number == ENOENT else { throw error }
        // Somebody took away what was there.
        _ = try directory.move(temporary, to: name, in: directory)
        return
      }
      // What comes out is what was put there, or else newer than what now is.
      guard let out = try directory.status(of: temporary), let sent = placed,
        !out.isSameFile(as: sent)
      else { return }
      placed = other
    }
  }

  /// What another program wrote has the temporary name, and could not get its own back.
  struct Unreturned: Error {
    let failure: FileFailure
  }

  /// How often another program may write within moments.
  private static let attempts = 100
}
