import LarderFiles
import Foundation
import LarderModel
import LarderDocuments

/// What a write does to a document that was read.
struct DocumentPlan<Contents: Document, Answer> {
  /// What changes, one after the other; nothing is written where nothing does.
  let changes: [DocumentChange]
  /// The words for the forms of values, by their paths.
  var forms: [[DocumentStep]: String] = [:]
  /// The whole contents, where they are known instead of what changes.
  var contents: [UInt8]?
  /// Who is told what became of the bytes of the file.
  var record: ChangeRecord?
  /// What the writer is told, from the document as it is afterwards.
  let answer: (Contents) throws -> Answer
}

extension DocumentFile {
  private static var attempts: Int { 20 }

  /// Changes the file, if it stays the one that was read.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for other writers of larder.
  ///   - scan: Who is asked, while it waits, whether anybody still wants it.
  ///   - plan: What to change; asked again where another program wrote meanwhile.
  /// - Returns: The answer of the plan that was carried out.
  /// - Throws: ``StoreError``; then nothing was written, unless it says otherwise.
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
      throw FileSentences(path).storeError(error, .writing)
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
        let bytes = try plan.contents ?? changed(reading, plan.changes, plan.forms)
        if bytes == reading.bytes { return try plan.answer(reading.document) }
        let document = try check(bytes)
        // A new file would take the place of one that is marked as not to be written, too.
        if reading.isThere, let number = WriteObstacle.number(writtenPath) {
          throw FileFailure(number)
        }
        leftovers.remove(in: place.directory)
        plan.record?.report(from: reading.bytes, to: bytes)
        let file = FileReplacement(directory: place.directory, name: place.name, key: place.key)
        // A new one is that of a user's defaults, which are nobody else's.
        guard
          let written = try reading.isThere
            ? file.replace(reading.file, with: bytes) : file.create(bytes, form: .ofOwnerAlone)
        else { continue }
        keep(document, written.file)
        let lost = written.losses.first.map { "could not be given \($0)" }
        if let doubt = written.doubt ?? lost {
          throw StoreError.failed("\(path) was written, but \(doubt)")
        }
        return try plan.answer(document)
      }
      throw StoreError.busy(
        "\(path) is written by another program all the time; nothing was written, try again")
    }
  }

  /// The entries as they would be after a change; nothing is written.
  ///
  /// - Throws: ``StoreError`` where the change cannot be made.
  func tryOut(_ change: StoreChange) throws(StoreError) -> [Entry] {
    do {
      let reading = try read()
      let plan =
        switch change {
        case .changes(let query): try make(query.changes, in: reading.document)
        case .renames(let query): try rename(query.renames, in: reading.document)
        }
      return try plan.answer(check(changed(reading, plan.changes, plan.forms)))
    } catch {
      throw FileSentences(path).storeError(error, .writing)
    }
  }

  private func readToWrite(at place: Place) throws -> Reading {
    do {
      return try readOrAbsent(at: place)
    } catch StoreError.corrupt(let sentence) {
      throw StoreError.corrupt("\(sentence); nothing was written")
    }
  }

  private func changed(
    _ reading: Reading, _ changes: [DocumentChange], _ forms: [[DocumentStep]: String]
  ) throws(StoreError) -> [UInt8] {
    if changes.isEmpty { return reading.bytes }
    if let reason = reading.document.readOnlyReason {
      throw .readOnly("\(path) cannot be written: \(reason); nothing was written")
    }
    do {
      return try reading.document.applying(changes, forms: forms)
    } catch {
      let place = refused(changes, forms, in: reading.document)
      let name = place.map { "\(EntryKey(path: $0.path).spoken) of " } ?? ""
      let reason = changes.count == 1 ? place.flatMap { obstacle($0, in: reading.document) } : nil
      throw .notSupported(
        "\(name)\(path) cannot be changed so: \(reason ?? error.description); nothing was written")
    }
  }

  /// Why a value cannot be put at a path inside others, where that is due to these.
  private func obstacle(_ change: DocumentChange, in document: Contents) -> String? {
    guard Contents.hasPaths, case .set(let path, _) = change,
      let reason = try? DocumentAddress(document: document).obstacle(toPut: path)
    else { return nil }
    guard path.count > 1 else { return reason }
    let name = JSONText.quote(EntryKey(path: path).notation(.typed))
    return "\(reason); a name in parentheses is written in quotes, \(name)"
  }

  /// The change, of those that are refused together, that is the one at fault.
  private func refused(
    _ changes: [DocumentChange], _ forms: [[DocumentStep]: String], in document: Contents
  ) -> DocumentChange? {
    guard changes.count > 1 else { return changes.first }
    // So many can be made, and so many cannot.
    var (low, high) = (0, changes.count)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      let isPossible = (try? document.applying(Array(changes[..<middle]), forms: forms)) != nil
      if isPossible { low = middle } else { high = middle }
    }
    return changes[high - 1]
  }

  /// Takes the new contents apart before anything is written: what cannot be read is not worth
  /// the loss of what can.
  private func check(_ bytes: [UInt8]) throws(StoreError) -> Contents {
    do {
      return try Contents(parsing: bytes)
    } catch {
      throw .failed(
        "\(path) could not be read after this change: \(error.description); nothing was written")
    }
  }
}
