import Harmony
import HarmonyRealm
import LarderModel
import LarderStoreBase

/// Realm files: every class is a collection of objects, which are read-only.
enum RealmKind: OpenableKind {
  static let kind = StoreKind(
    name: "realm", recognizedBy: "a file with a Realm header, whatever its name; read-only",
    collections: "classes", keys: "the primary key, else the object key", types: [])

  static let answersTrees = true

  /// The reason that Realm files are read-only.
  private static let reason = Messages.readOnlyRealm

  static var sample: Sample? { Sample("items.realm", PackageResources.items_realm) }

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file(let bytes, let size) = probe.target else { return nil }
    if RealmFile.isRealm(bytes) { return Messages.realm }
    // An encrypted file has no magic number, so its name must indicate a Realm.
    guard probe.location.path.lowercased().hasSuffix(".realm"),
      RealmFile.looksEncrypted(bytes, size: Int(size))
    else { return nil }
    return Messages.encryptedRealm
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let path = probe.location.path
    let file = RealmFile(path: path)
    let contents: Contents
    do {
      contents = try file.read { try Contents($0) }
    } catch {
      throw StoreError(realm: error, path)
    }
    let shown = contents.shown
    let reason = options.isReadOnly ? OpeningMessages.openedReadOnly : reason
    return OpenStore(
      kind: kind, location: probe.location, evidence: evidence, readOnlyReason: reason,
      collections: shown.map { found in
        StoreCollection(
          name: found.name, form: found.form, isWritable: false,
          keys: found.primaryKey?.name ?? "object key")
      },
      facts: contents.facts
    ) { name in
      let found = try choose(name, shown, contents, path)
      var capabilities: StoreCapabilities = [.ordered, .searchable, .types, .links]
      if found.primaryKey?.type == .string { capabilities.insert(.prefixes) }
      return Store(
        kind: kind, location: StoreLocation(path: path, collection: found.name),
        capabilities: capabilities, keyStyle: .typed,
        columns: found.properties.map(\.name).filter { $0 != found.primaryKey?.name },
        readOnlyReason: reason,
        source: AnyDataSource(RealmEntrySource(file, className: found.tableName)),
        // Programs write Realm files through memory mappings, which the kernel does not report.
        changeFeed: {
          FileChangeFeed([.file(file.path)], usesNotices: false) {
            (try? file.read { "\($0.version) \($0.isExported)" }) ?? "unreadable"
          }
        })
    }
  }

  /// The parts of a file that are read when it is opened.
  private struct Contents: Sendable {
    let classes: [RealmClass]
    let problems: [(name: String, error: RealmError)]
    let format: Int
    let version: UInt64
    let isExported: Bool

    init(_ reading: RealmReading) throws {
      classes = try reading.classes()
      problems = try reading.problems()
      format = reading.format
      version = reading.version
      isExported = reading.isExported
    }

    /// The classes of the app, without embedded objects, which are shown inside their parents.
    var shown: [RealmClass] { classes.filter { !$0.isInternal && $0.kind != .embedded } }

    var facts: [OpenStore.Fact] {
      let embedded = classes.filter { $0.kind == .embedded }.map(\.name)
      let lines = classes.filter { !$0.isInternal }.map(\.schema)
      var facts = [
        OpenStore.Fact("format", String(format)), OpenStore.Fact("version", String(version)),
        OpenStore.Fact("classes", String(shown.count)),
      ]
      if isExported { facts.append(.init("form", Messages.exportedRealm)) }
      if !embedded.isEmpty { facts.append(.init("embedded", embedded.joined(separator: ", "))) }
      if !lines.isEmpty {
        let text = lines.prefix(20).joined(separator: "; ")
        facts.append(
          .init(
            "schema", lines.count > 20 ? "\(text); and \(lines.count - 20) more" : text,
            lines: lines))
      }
      for problem in problems {
        facts.append(.init("damaged", "\(problem.name): \(problem.error.message)"))
      }
      return facts
    }
  }

  /// Returns the class with the given name, or the only one if the name is nil.
  private static func choose(
    _ name: String?, _ shown: [RealmClass], _ contents: Contents, _ path: String
  ) throws(StoreError) -> RealmClass {
    if name == nil, shown.count == 1, let only = shown.first { return only }
    if let name, let found = shown.first(where: { $0.name.hasBytes(of: name) }) { return found }
    // A name can also refer to a class that is not listed.
    if let name, let found = contents.classes.first(where: { $0.tableName.hasBytes(of: name) }) {
      return found
    }
    guard !shown.isEmpty else { throw .without("classes", in: path) }
    let names = shown.map(\.name)
    throw name.map { .missing("class", $0, in: path, of: names) }
      ?? .several("classes", in: path, names)
  }
}

extension RealmClass {
  fileprivate var form: String { kind == .asymmetric ? "asymmetric class" : "class" }

  /// The class as one line, such as `Dog (name string primary key, age int?)`.
  fileprivate var schema: String {
    let parts = properties.map { property in
      "\(property.name) \(property.typeName)" + (property == primaryKey ? " primary key" : "")
    }
    return "\(name) (\(parts.joined(separator: ", ")))"
  }
}

extension StoreError {
  /// Creates the error for a failure with a Realm file.
  init(realm error: any Error, _ path: String) {
    guard let error = error as? RealmError else {
      self.init(error)
      return
    }
    let text = "\(path) \(error.message)"
    switch error.code {
    case .busy: self = .busy(text)
    case .corrupt: self = .corrupt("\(path) is damaged: \(error.message)")
    case .tooLarge: self = .failed("\(path): \(error.message)")
    case .noSuchName: self = .notFound(text)
    case .cannotOpen, .notRealm, .encrypted, .unsupportedFormat: self = .cannotOpen(text)
    }
  }
}
