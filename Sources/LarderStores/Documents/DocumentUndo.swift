import Harmony
import LarderModel

/// Undo in documents: the bytes of the file come back, where only larder wrote it since.
struct DocumentUndo: UndoSupport {
  var recordsChanges: Bool { true }
  var reportsWriting: Bool { true }
}

extension ChangeRecord {
  /// The bytes that an undo or a redo gives the file; nil where it is not as the change left it.
  func restored(from bytes: [UInt8]) -> [UInt8]? {
    guard isWhole else { return nil }
    return recorded.flatMap(FileRevision.init(encoded:))?
      .restored(from: bytes, isUndo: purpose == .undo)
  }

  /// Reports what is about to become of the file, and records it.
  ///
  /// Where that cannot be kept, the values still come back.
  func report(from before: [UInt8], to after: [UInt8]) {
    reportWriting()
    // What is replayed was recorded when it was made.
    guard purpose == .change, let revision = FileRevision(from: before, to: after) else { return }
    try? record(revision.encoded, isSpare: true)
  }
}

extension DocumentFile {
  /// How a request is carried out: by its bytes where these are known, else by its values.
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
      case .changes(let query): try make(query.changes, in: reading.document)
      case .renames(let query): try rename(query.renames, in: reading.document)
      }
    plan.record = record
    return plan
  }
}
