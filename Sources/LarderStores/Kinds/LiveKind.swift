import LarderFiles
import Foundation
import Harmony
import HarmonyInspection
import LarderModel
import LarderStoreBase

/// The live sources of a process that exposes them on a socket with `HarmonyInspection`.
///
/// Each source is a collection with its name.
enum LiveKind: OpenableKind {
  static let kind = StoreKind(
    name: "unix",
    recognizedBy: "unix:PATH as the location: the socket of a live process",
    collections: "the sources of the process", keys: "those of the process", isAtomic: false,
    types: [.text, .integer, .real, .bool, .null, .data, .array, .dictionary])

  static let schemes = ["unix"]

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .scheme("unix", _) = probe.target else { return nil }
    return OpeningMessages.scheme("unix")
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    guard case .scheme(_, let path) = probe.target else { throw probe.refusal }
    let place = StoreLocation(path: self.place(path))
    guard !path.isEmpty else {
      throw .missingSocket
    }
    let client = InspectionClient(socket: path, timeLimit: options.busyTimeout.inSeconds)
    return try await open(
      client, at: place, named: probe.location, evidence: evidence, options: options)
  }

  private static let unwritable = Messages.unwritableSource

  /// Opens the sources that a program exposes, on a socket or in this process.
  static func open(
    _ client: InspectionClient, at place: StoreLocation, named location: StoreLocation,
    evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let process: InspectedProcess
    let sources: [InspectedSource]
    do {
      process = try await client.process().getCancelling()
      sources = try await client.sources().getCancelling()
    } catch {
      throw StoreError(live: error, at: place)
    }
    let reason =
      options.isReadOnly
      ? OpeningMessages.openedReadOnly : sources.contains(where: \.isWritable) ? nil : unwritable
    return OpenStore(
      kind: kind, location: location, evidence: evidence, readOnlyReason: reason,
      collections: sources.map { source in
        StoreCollection(
          name: source.name, form: form(of: source),
          isWritable: source.isWritable && !options.isReadOnly,
          keys: source.listsKeys ? "text" : "text, not listed",
          readOnlyReason: source.isWritable ? nil : unwritable)
      },
      facts: facts(process, sources)
    ) { name in
      store(try choose(name, sources, place), client, at: place, options: options)
    }
  }

  /// Creates the store for a source.
  private static func store(
    _ source: InspectedSource, _ client: InspectionClient, at place: StoreLocation,
    options: OpenOptions
  ) -> Store {
    let location = StoreLocation(path: place.path, collection: source.name)
    let reason =
      options.isReadOnly ? OpeningMessages.openedReadOnly : source.isWritable ? nil : unwritable
    let entries = LiveEntrySource(client, source, at: location, options: options)
    return Store(
      kind: kind, location: location,
      capabilities: capabilities(source, isWritable: reason == nil), keyStyle: .text,
      readOnlyReason: reason, source: AnyDataSource(entries),
      cache: source.isCache ? LiveCache(source: entries) : nil,
      expiry: source.isCache ? entries : nil,
      changeFeed: source.listsKeys ? LiveFeed.init : nil,
      departure: { try await entries.departure() }, undoSupport: LiveUndo())
  }

  static func resolved(_ location: StoreLocation) -> StoreLocation? {
    let path = String(location.path.dropFirst("unix:".count))
    return StoreLocation(path: place(path), collection: location.collection)
  }

  /// Returns the location of a socket with an absolute path without links.
  static func place(_ path: String) -> String {
    "unix:" + (path.isEmpty ? "" : ResolvedPath.evenIfMissing(path))
  }

  private static func form(of source: InspectedSource) -> String {
    Messages.form(source.type, isCache: source.isCache)
  }

  private static func capabilities(
    _ source: InspectedSource, isWritable: Bool
  ) -> StoreCapabilities {
    var capabilities = known(of: source)
    if source.listsKeys {
      capabilities.formUnion([.ordered, .searchable, .prefixes])
    }
    if isWritable { capabilities.formUnion([.writable, .creates]) }
    return capabilities
  }

  /// Returns the capabilities that depend on the metadata of a source's entries.
  static func known(of source: InspectedSource) -> StoreCapabilities {
    source.isCache ? [.types, .expiry, .ages, .uses] : .types
  }

  private static func facts(
    _ process: InspectedProcess, _ sources: [InspectedSource]
  ) -> [OpenStore.Fact] {
    [
      process.program.map { OpenStore.Fact("program", $0) },
      process.id > 0 ? OpenStore.Fact("process", String(process.id)) : nil,
      OpenStore.Fact("sources", String(sources.count)),
    ].compactMap(\.self)
  }

  /// Returns the source with the given name, or the only one if the name is nil.
  private static func choose(
    _ name: String?, _ sources: [InspectedSource], _ place: StoreLocation
  ) throws(StoreError) -> InspectedSource {
    if name == nil, sources.count == 1, let only = sources.first { return only }
    if let name, let source = sources.first(where: { $0.name.hasBytes(of: name) }) {
      return source
    }
    guard !sources.isEmpty else {
      throw .without("sources", in: place.path)
    }
    let names = sources.map(\.name)
    throw name.map { .missing("source", $0, in: place.path, of: names) }
      ?? .several("sources", in: place.path, names)
  }
}
