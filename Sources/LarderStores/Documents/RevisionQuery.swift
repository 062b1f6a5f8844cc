import Harmony
import LarderCore

/// Changes or new names, by a store that can also say what became of the bytes of its file, and
/// bring bytes back.
///
/// Answered by `putAll` as ``ChangesQuery`` and ``RenamesQuery`` are.
struct RevisionQuery: Query {
  /// What is asked for.
  enum Request: Sendable {
    case changes(ChangesQuery)
    case renames(RenamesQuery)

    /// The query that asks the same of any store.
    var query: any Query {
      switch self {
      case .changes(let query): query
      case .renames(let query): query
      }
    }

    /// Where it is reported how far the source is.
    var scan: Scan? {
      if case .changes(let query) = self { query.scan } else { nil }
    }

    /// The keys under which there are values afterwards.
    var writtenKeys: [EntryKey] {
      switch self {
      case .changes(let query): query.changes.filter { $0.value != nil }.map(\.key)
      case .renames(let query): query.renames.map(\.newKey)
      }
    }
  }

  let request: Request
  let slip: RevisionSlip
}

/// What travels with one request: what bytes to bring back, and what became of the file.
final class RevisionSlip: Sendable {
  private let wanted: FileRevision?
  private let isUndo: Bool
  private let state = Locked<FileRevision?>(nil)

  /// Asks for nothing but what the request says.
  convenience init() {
    self.init(nil, isUndo: false)
  }

  /// Asks for the bytes of a revision, where the file is in the other state of it.
  init(_ wanted: FileRevision?, isUndo: Bool) {
    self.wanted = wanted
    self.isUndo = isUndo
  }

  /// What the request made of the file, where that is known and not too much.
  var made: FileRevision? { state.withLock { $0 } }

  /// The bytes that the request brings back, nil where the file is not as the revision left it.
  func restored(from bytes: [UInt8]) -> [UInt8]? {
    wanted?.restored(from: bytes, isUndo: isUndo)
  }

  /// Says what the request made of the file.
  func report(from before: [UInt8], to after: [UInt8]) {
    // Of what is taken back, the revision is known already.
    guard wanted == nil else { return }
    state.withLock { $0 = FileRevision(from: before, to: after) }
  }
}

extension DocumentFile {
  /// How a request is carried out: by its bytes where these are known, else by its values.
  func make(
    _ query: RevisionQuery, _ reading: Reading
  ) throws -> DocumentPlan<Contents, [Entry]> {
    // Beside a companion, the file is not all that the document is.
    let slip = companion == nil ? query.slip : nil
    if let bytes = slip?.restored(from: reading.bytes) {
      let keys = query.request.writtenKeys
      return DocumentPlan(changes: [], contents: bytes) { [self] document in
        try keys.compactMap { try entry($0, in: document) }
      }
    }
    var plan =
      switch query.request {
      case .changes(let query): try make(query.changes, in: reading.document)
      case .renames(let query): try rename(query.renames, in: reading.document)
      }
    plan.slip = slip
    return plan
  }
}
