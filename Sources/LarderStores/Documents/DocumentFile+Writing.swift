import LarderFiles
import Foundation
import LarderModel
import LarderDocuments
import LarderStoreBase

/// The effect of a write on a document.
struct DocumentPlan<Contents: Document, Answer> {
  /// The changes, in order; if empty, nothing is written.
  let changes: [DocumentChange]
  /// The forms of values, by path.
  var forms: [[DocumentStep]: String] = [:]
  /// The complete new contents, if known; they replace the changes.
  var contents: [UInt8]?
  /// The record to report the bytes before and after the write to.
  var record: ChangeRecord?
  /// A closure that returns the result of the write, given the new document.
  let answer: (Contents) throws -> Answer
}

extension DocumentFile {
  private static var attempts: Int { 20 }

  /// Changes the file, provided that it is unchanged since it was read.
  ///
  /// - Parameters:
  ///   - patience: The maximum time to wait for other processes of larder that write.
  ///   - scan: The scan that can cancel the wait.
  ///   - plan: A closure that returns the changes; called again if another program wrote the file.
  /// - Returns: The result of the plan that was carried out.
  /// - Throws: ``StoreError``; nothing was written unless the error says so.
  func write<Answer>(
    patience: Duration, scan: Scan? = nil,
    _ plan: (Reading) throws -> DocumentPlan<Contents, Answer>
  ) throws(StoreError) -> Answer {
    do {
      guard let companion else { return try writeLocked(patience: patience, scan, plan) }
      try companion.makeFolder()
      return try companion.whileLocked(patience: patience, scan: scan) {
        try writeLocked(patience: patience, scan, plan)
      }
    } catch {
      throw FileMessages(path).storeError(error, .writing)
    }
  }

  private func writeLocked<Answer>(
    patience: Duration, _ scan: Scan?, _ plan: (Reading) throws -> DocumentPlan<Contents, Answer>
  ) throws -> Answer {
    let place = try place()
    return try FolderLock.whileLocked([place.directory], patience: patience, path: path, scan: scan)
    {
      for _ in 0..<Self.attempts {
        let reading = try readToWrite(at: place)
        let plan = try plan(reading)
        let bytes = try plan.contents ?? changed(reading, plan.changes, plan.forms, scan)
        if bytes == reading.bytes { return try plan.answer(reading.document) }
        let document = try check(bytes)
        // Replacing the file would also succeed for one that is marked as read-only.
        if reading.isThere, let number = WriteObstacle.number(writtenPath) {
          throw FileFailure(number)
        }
        leftovers.remove(in: place.directory)
        plan.record?.report(from: reading.bytes, to: bytes)
        let file = FileReplacement(directory: place.directory, name: place.name, key: place.key)
        // Only the user's defaults can be new files, and these are private.
        guard
          let written = try reading.isThere
            ? file.replace(reading.file, with: bytes) : file.create(bytes, form: .ofOwnerAlone)
        else { continue }
        keep(document, written.file)
        let lost = written.losses.first.map { Messages.without([$0]) }
        if let doubt = written.doubt ?? lost {
          throw StoreError.failed(Messages.done(path, "written", but: doubt))
        }
        return try plan.answer(document)
      }
      throw StoreError.keepsChanging(path)
    }
  }

  /// Returns the entries as they would be after a change, without writing.
  ///
  /// - Throws: ``StoreError`` if the change is not possible.
  func tryOut(_ change: StoreChange) throws(StoreError) -> [Entry] {
    do {
      let reading = try read()
      let plan =
        switch change {
        case .changes(let query): try make(query, in: reading.document)
        case .renames(let query): try rename(query.renames, in: reading.document)
        }
      return try plan.answer(check(changed(reading, plan.changes, plan.forms, change.scan)))
    } catch {
      throw FileMessages(path).storeError(error, .writing)
    }
  }

  private func readToWrite(at place: Place) throws -> Reading {
    do {
      return try readOrAbsent(at: place)
    } catch StoreError.corrupt(let sentence) {
      throw StoreError.corrupt("\(sentence); \(Messages.nothingWritten)")
    }
  }

  private func changed(
    _ reading: Reading, _ changes: [DocumentChange], _ forms: [[DocumentStep]: String],
    _ scan: Scan?
  ) throws(StoreError) -> [UInt8] {
    if changes.isEmpty { return reading.bytes }
    if let reason = reading.document.readOnlyReason {
      throw .notWritten(path, reason)
    }
    do {
      return try reading.document.applying(changes, forms: forms)
    } catch {
      let place = refused(changes, forms, in: reading.document)
      let key = place.map { EntryKey(path: $0.path) }
      if let key { scan?.report(fault: key) }
      let reason = changes.count == 1 ? place.flatMap { obstacle($0, in: reading.document) } : nil
      throw .notChanged(key, of: path, reason ?? error.description)
    }
  }

  /// Returns the reason that a value cannot be put at a path, if the cause is one of its ancestors.
  private func obstacle(_ change: DocumentChange, in document: Contents) -> String? {
    guard Contents.hasPaths, case .set(let path, _) = change,
      let reason = try? DocumentAddress(document: document).obstacle(toPut: path)
    else { return nil }
    guard path.count > 1 else { return reason }
    return "\(reason); " + Messages.quotedName(EntryKey(path: path).notation(.typed))
  }

  /// Returns the first change that makes the sequence of changes invalid.
  private func refused(
    _ changes: [DocumentChange], _ forms: [[DocumentStep]: String], in document: Contents
  ) -> DocumentChange? {
    guard let last = changes.indices.last else { return nil }
    return changes[
      (0..<last).bisect { (try? document.applying(Array(changes[...$0]), forms: forms)) == nil }]
  }

  /// Parses the new contents before they are written: a readable file must not be replaced by one
  /// that cannot be read.
  private func check(_ bytes: [UInt8]) throws(StoreError) -> Contents {
    do {
      return try Contents(parsing: bytes)
    } catch {
      throw .wouldBeUnreadable(path, error)
    }
  }
}
