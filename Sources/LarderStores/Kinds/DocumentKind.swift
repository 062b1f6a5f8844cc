import Harmony
import LarderModel
import LarderDocuments
import LarderStoreBase

/// A kind of store that consists of one file, which a ``Document`` parses.
///
/// A conforming type provides a description, a way to recognize the file, and a sample; this
/// protocol's extension provides the rest.
protocol DocumentKind: OpenableKind {
  /// The type that parses the file.
  associatedtype Contents: Document

  /// The expected format, for error messages such as "x is not JSON".
  static var format: String { get }

  /// The suffix of a backup file that, if present, the program restores as the file itself when it
  /// next starts, or nil if there are no such backups.
  static var backupEnding: String? { get }

  /// Returns the facts that `larder info` shows in addition to the number of members.
  static func facts(_ document: Contents) -> [OpenStore.Fact]
}

extension DocumentKind {
  static var backupEnding: String? { nil }

  static func facts(_ document: Contents) -> [OpenStore.Fact] { [] }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    try openDocument(probe, evidence: evidence, options: options)
  }

  /// Opens the file as a document.
  static func openDocument(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) throws(StoreError) -> OpenStore {
    let path = probe.location.path
    let file = DocumentFile<Contents>(
      path: path, format: format, backupEnding: backupEnding)
    let document = try file.read().document
    return OpenStore(
      kind: kind, probe, evidence: evidence, file, options: options,
      obstacle: WriteObstacle.ofDocument(file.writtenPath) ?? document.readOnlyReason,
      isOneValue: document.isOneValue,
      facts: [.init("members", String(document.members.count))] + facts(document))
  }
}

extension OpenStore {
  /// Creates a store for a document, which has no collections.
  ///
  /// - Parameters:
  ///   - kind: The kind of the store.
  ///   - probe: The probe of the location.
  ///   - evidence: The evidence for the kind.
  ///   - file: The document.
  ///   - options: The options, such as whether writing is allowed.
  ///   - obstacle: The reason that the store cannot be written even if opened for writing, or nil.
  ///   - isOneValue: Whether the document is a single value, so that no members can be added.
  ///   - facts: The facts that `larder info` shows.
  init<Contents: Document>(
    kind: StoreKind, _ probe: StoreProbe, evidence: String, _ file: DocumentFile<Contents>,
    options: OpenOptions, obstacle: String?, isOneValue: Bool = false, facts: [Fact]
  ) {
    let reason = options.isReadOnly ? OpeningMessages.openedReadOnly : obstacle
    var capabilities: StoreCapabilities = [
      .ordered, .searchable, .prefixes, .types,
    ]
    if reason == nil { capabilities.insert(.writable) }
    if reason == nil, !isOneValue { capabilities.insert(.creates) }
    let source = DocumentEntrySource(file, options: options)
    let store = Store(
      kind: kind, location: probe.location, capabilities: capabilities, keyStyle: .typed,
      readOnlyReason: reason, source: AnyDataSource(source), dryRun: source,
      changeFeed: { FileChangeFeed(file.watchedPaths) }, undoSupport: DocumentUndo())
    self.init(store, evidence: evidence, facts: facts)
  }
}
