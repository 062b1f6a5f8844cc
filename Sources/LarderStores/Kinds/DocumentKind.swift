import Harmony
import LarderModel
import LarderDocuments

/// A kind of store that is one file, which a ``Document`` takes apart.
///
/// Such a kind says what it is, how it is recognised and what a sample of it looks like; all else
/// is here.
protocol DocumentKind: OpenableKind {
  /// What takes the file apart.
  associatedtype Contents: Document

  /// What the file has to be, in a sentence such as "x is not JSON".
  static var format: String { get }

  /// What the name of a file ends in that its program takes for the file itself when it is started
  /// next; nil where there is no such habit.
  static var backupEnding: String? { get }

  /// What `larder info` says of a file besides the number of its members.
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

  /// Opens the file as the document that it is.
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
  /// A store that is one document, without collections.
  ///
  /// - Parameters:
  ///   - kind: What was recognised.
  ///   - probe: Where.
  ///   - evidence: What it was recognised by.
  ///   - file: The document.
  ///   - options: Whether anything may be written.
  ///   - obstacle: Why nothing can be, however it is opened; nil where something can.
  ///   - isOneValue: Whether the file is one value, beside which nothing can be added.
  ///   - facts: What `larder info` says.
  init<Contents: Document>(
    kind: StoreKind, _ probe: StoreProbe, evidence: String, _ file: DocumentFile<Contents>,
    options: OpenOptions, obstacle: String?, isOneValue: Bool = false, facts: [Fact]
  ) {
    let reason = options.isReadOnly ? WriteObstacle.asked : obstacle
    var capabilities: StoreCapabilities = [
      .ordered, .searchable, .prefixes, .types,
    ]
    if reason == nil { capabilities.insert(.writable) }
    if reason == nil, !isOneValue { capabilities.insert(.creates) }
    let source = DocumentEntrySource(file, options: options)
    let store = Store(
      kind: kind, location: probe.location, capabilities: capabilities, keyStyle: .typed,
      readOnlyReason: reason, source: AnyDataSource(source), dryRun: source,
      changeFeed: { PlaceFeed(file.watchedPlaces) }, undoSupport: DocumentUndo())
    let path = probe.location.path
    self.init(
      kind: kind, location: probe.location, evidence: evidence, readOnlyReason: reason,
      facts: facts
    ) { collection in
      if let collection {
        throw StoreError.cannotOpen(
          "\(path) is a store of the kind \(kind.name), which has no collection \"\(collection)\"")
      }
      return store
    }
  }
}
