import Harmony
import LarderModel
import LarderDocuments
import LarderFormats
import LarderStoreBase

/// Property lists in binary and XML format, and read-only in the old ASCII format.
///
/// An archive of `NSKeyedArchiver` has two collections: the decoded objects, and the property list
/// as it is in the file.
enum PropertyListKind: DocumentKind {
  typealias Contents = PropertyListDocument

  static let kind = StoreKind(
    name: "plist", recognizedBy: "a property list (binary, XML or OpenStep), whatever its name",
    collections: "– (objects and list, of an archive of NSKeyedArchiver)",
    keys: "names or numbers; for nested members, (users,0,name) or /users/0/name",
    keysArePaths: true,
    types: [.text, .integer, .real, .bool, .date, .data, .array, .dictionary],
    requiresUTF8: true)

  static let format = Messages.propertyList

  static var sample: Sample? { Sample("defaults.plist", PackageResources.defaults_plist) }

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file(let bytes, _) = probe.target else { return nil }
    switch PropertyListDocument.form(of: bytes) {
    case .binary: return Messages.binaryList
    case .xml where PropertyListDocument.beginsXML(bytes):
      return Messages.xmlList
    case .xml: return nil
    case .openStep:
      return PropertyListDocument.beginsOpenStep(bytes)
        ? Messages.openStepList : nil
    }
  }

  static func facts(_ document: PropertyListDocument) -> [OpenStore.Fact] {
    let form = OpenStore.Fact("form", document.form.rawValue)
    guard let value = document.onlyValue else { return [form] }
    let text = ValueText.text(of: value)
    let shown = text.count > 200 ? text.prefix(200) + "…" : text
    return [
      form,
      OpenStore.Fact("value", Messages.scalar(value.type, String(shown))),
    ]
  }

  /// The names of the collections of an archive.
  enum Archive {
    static let objects = "objects"
    static let list = "list"
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let plain = try openDocument(probe, evidence: evidence, options: options)
    let path = probe.location.path
    let file = DocumentFile<KeyedArchiveDocument>(
      path: path, format: Messages.archiveFormat)
    guard isArchive(path), let archive = try? file.read().document else {
      return plain.alsoCalled(Archive.list)
    }
    let objects = OpenStore(
      kind: kind, probe, evidence: evidence, file, options: options,
      obstacle: archive.readOnlyReason, facts: [])
    return OpenStore(
      kind: kind, location: probe.location, evidence: evidence,
      readOnlyReason: plain.readOnlyReason,
      collections: [
        StoreCollection(
          name: Archive.objects, form: "decoded archive", isWritable: false,
          keys: "names or numbers", readOnlyReason: archive.readOnlyReason),
        StoreCollection(
          name: Archive.list, form: "property list", isWritable: plain.readOnlyReason == nil,
          keys: "names"),
      ],
      facts: plain.facts + [
        OpenStore.Fact("archive", Messages.archive)
      ]
    ) { collection in
      switch collection {
      case nil, Archive.objects: try await objects.store(nil).named(Archive.objects)
      case Archive.list: try await plain.store(nil).named(Archive.list)
      case let name?:
        throw StoreError.missing("collection", name, in: path, of: [Archive.objects, Archive.list])
      }
    }
  }

  private static func isArchive(_ path: String) -> Bool {
    let file = DocumentFile<PropertyListDocument>(path: path, format: format)
    guard let document = try? file.read().document,
      case .text(let archiver) = try? document.value(at: [.name("$archiver")])
    else { return false }
    return archiver.hasSuffix("KeyedArchiver")
  }
}

extension OpenStore {
  /// Returns the same store, which can also be opened by a collection name: a change may turn an
  /// archive into an ordinary list, and the undo uses the collection name from before.
  fileprivate func alsoCalled(_ name: String) -> OpenStore {
    var open = self
    let original = opening
    open.opening = { collection, key in
      collection == name
        ? try await original(nil, key).named(name) : try await original(collection, key)
    }
    return open
  }
}

extension Store {
  /// Returns the same store as a named collection of its location.
  fileprivate func named(_ collection: String) -> Store {
    var store = self
    store.location.collection = collection
    return store
  }
}
