import Harmony
import LarderCore

/// Changes or new names, by a store that can also say what became of the bytes of its file, of rows
/// that nobody named, or of folders, and bring those back.
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
      switch self {
      case .changes(let query): query.scan
      case .renames(let query): query.scan
      }
    }

    /// The keys under which there are none afterwards.
    var leftKeys: [EntryKey] {
      switch self {
      case .changes(let query): query.changes.filter { $0.value == nil }.map(\.key)
      case .renames(let query): query.renames.map(\.entryKey)
      }
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

/// What travels with one request: what to bring back beside the entries, and what became of that.
final class RevisionSlip: Sendable {
  /// What the request is for.
  enum Purpose: Sendable {
    case change, undo, redo
  }

  private struct State {
    var revision: FileRevision?
    var changes: [UInt8]?
    var folders: MadeFolders?
    var isReportAwaited = false
    var isWriting = false
  }

  let purpose: Purpose
  /// The most bytes that are kept beside the entries of one step.
  let limit: Int
  /// The changes of rows of a database that an undo reverts, or a redo makes again.
  let wantedChanges: [UInt8]?
  /// The folders that the step and its undo have made so far.
  let wantedFolders: MadeFolders?
  /// The folders that other steps have made, which stayed as something was in them.
  let stayedFolders: MadeFolders.Marks
  private let wanted: FileRevision?
  private let keep: Keep
  private let state = Locked(State())

  /// Keeps what is done beside the entries, in the journal's form, before the store makes it last;
  /// blocks.
  typealias Keep = @Sendable ([UInt8]?) throws -> Void

  /// Asks for nothing but what the request says, and that it can be taken back by another one.
  convenience init(limit: Int, keep: @escaping Keep) {
    self.init(nil, changes: nil, .change, limit: limit, keep: keep)
  }

  /// Asks for the bytes of a revision, where the file is in the other state of it, for rows, and
  /// for folders to go.
  init(
    _ wanted: FileRevision?, changes: [UInt8]?, folders: MadeFolders? = nil,
    stayedFolders: MadeFolders.Marks = [:], _ purpose: Purpose, limit: Int = 0,
    keep: @escaping Keep
  ) {
    self.wanted = wanted
    self.purpose = purpose
    self.limit = limit
    self.keep = keep
    wantedChanges = changes
    wantedFolders = folders
    self.stayedFolders = stayedFolders
  }

  /// What the request made of the file, where that is known and not too much.
  var made: FileRevision? { state.withLock { $0.revision } }

  /// What became of the rows of a database, where that was recorded.
  var madeChanges: [UInt8]? { state.withLock { $0.changes } }

  /// The folders that the step and its undo have made, where that is known.
  var madeFolders: MadeFolders? { state.withLock { $0.folders } }

  /// Whether the store would have said that it changes its file, and has not come so far.
  var isUntouched: Bool { state.withLock { $0.isReportAwaited && !$0.isWriting } }

  /// Notes that the request goes to a store that says when it changes its file.
  func awaitReport() {
    state.withLock { $0.isReportAwaited = true }
  }

  /// Says that the file is changed from here on, or may be.
  func reportWriting() {
    state.withLock { $0.isWriting = true }
  }

  /// Says what became of the rows of a database.
  ///
  /// It is kept at once, so that a process that is killed after the store has ended its transaction
  /// has recorded them.
  ///
  /// - Throws: `StoreError` where they cannot be kept: then the change must not be made.
  func record(_ changes: [UInt8]) throws {
    try keep(changes)
    state.withLock { $0.changes = changes }
  }

  /// Says which folders are about to be made, at once, before any is.
  ///
  /// - Throws: `StoreError` where that cannot be kept.
  func recordBefore(_ folders: MadeFolders) throws {
    if folders != wantedFolders ?? MadeFolders() { try keep(folders.encoded) }
    record(folders)
  }

  /// Says which folders were made.
  func record(_ folders: MadeFolders) {
    state.withLock { $0.folders = folders }
  }

  /// The bytes that the request brings back, nil where the file is not as the revision left it.
  func restored(from bytes: [UInt8]) -> [UInt8]? {
    wanted?.restored(from: bytes, isUndo: purpose == .undo)
  }

  /// Says what the request is about to make of the file.
  ///
  /// It is kept at once, so that a process that is killed after the file has its new bytes has
  /// recorded how to make the old ones of them. Where that cannot be kept, values still come back.
  func report(from before: [UInt8], to after: [UInt8]) {
    reportWriting()
    // Of what is replayed, the revision is known already, or cannot be.
    guard purpose == .change else { return }
    let revision = FileRevision(from: before, to: after)
    state.withLock { $0.revision = revision }
    if let revision { try? keep(revision.encoded) }
  }
}

extension DocumentFile {
  /// How a request is carried out: by its bytes where these are known, else by its values.
  func make(
    _ query: RevisionQuery, _ reading: Reading
  ) throws -> DocumentPlan<Contents, [Entry]> {
    // With what is still recorded beside it, the file is not all that the document is.
    let slip = reading.isWhole ? query.slip : nil
    if slip == nil { query.slip.reportWriting() }
    if let bytes = slip?.restored(from: reading.bytes) {
      let keys = query.request.writtenKeys
      return DocumentPlan(changes: [], contents: bytes, slip: slip) { [self] document in
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
