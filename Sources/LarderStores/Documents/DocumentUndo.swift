import Harmony
import LarderModel

/// Undo for documents: restores the bytes of the file if only larder has written it since.
struct DocumentUndo: UndoSupport {
  var recordsChanges: Bool { true }
  var reportsWriting: Bool { true }
}

extension ChangeRecord {
  /// Returns the bytes that an undo or redo restores, or nil if the file is not as the change left
  /// it.
  func restored(from bytes: [UInt8]) -> [UInt8]? {
    guard isWhole else { return nil }
    return recorded.flatMap(FileRevision.init(encoded:))?
      .restored(from: bytes, isUndo: purpose == .undo)
  }

  /// Reports that the file is about to be written, and records the bytes before and after.
  ///
  /// If they cannot be recorded, an undo still restores the values.
  func report(from before: [UInt8], to after: [UInt8]) {
    reportWriting()
    // An undo or redo replays a change that was recorded when it was made.
    guard purpose == .change, let revision = FileRevision(from: before, to: after) else { return }
    try? record(revision.encoded, isSpare: true)
  }
}

extension DocumentFile {
  /// Returns the plan for a request: restores the recorded bytes if possible, or else the values.
  func make(
    _ query: RecordedChangeQuery, _ reading: Reading
  ) throws -> DocumentPlan<Contents, [Entry]> {
    let record = query.record
    if let bytes = record.restored(from: reading.bytes) {
      let keys = query.change.writtenKeys
      return DocumentPlan(changes: [], contents: bytes, record: record) { [self] document in
        try keys.compactMap { try entry($0, in: document) }
      }
    }
    var plan =
      switch query.change {
      case .changes(let query): try make(query, in: reading.document)
      case .renames(let query): try rename(query.renames, in: reading.document)
      }
    plan.record = record
    return plan
  }
}
