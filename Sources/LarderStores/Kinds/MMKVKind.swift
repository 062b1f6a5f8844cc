import Harmony
import LarderModel
import LarderStoreBase

/// MMKV files of Android and iOS apps, which are read-only.
enum MMKVKind: OpenableKind {
  static let kind = StoreKind(
    name: "mmkv", recognizedBy: "an MMKV file with its .crc file beside it; read-only",
    collections: "–", keys: "names", types: [])

  /// The reason that MMKV files are read-only.
  private static let reason = Messages.readOnlyMMKV

  static var sample: Sample? {
    Sample(
      "settings.mmkv",
      [
        "settings.mmkv.crc": PackageResources.settings_mmkv_crc,
        "settings.mmkv": PackageResources.settings_mmkv,
      ])
  }

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file = probe.target, MMKVFile(path: probe.location.path).isRecognized else {
      return nil
    }
    return Messages.mmkv(MMKVFile.suffix)
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let path = probe.location.path
    let file = MMKVFile(path: path)
    let contents = try file.read()
    let reason = options.isReadOnly ? OpeningMessages.openedReadOnly : reason
    var capabilities: StoreCapabilities = [.ordered, .searchable, .prefixes, .types]
    if contents.header.hasExpiry { capabilities.insert(.expiry) }
    let store = Store(
      kind: kind, location: probe.location, capabilities: capabilities, keyStyle: .text,
      readOnlyReason: reason, source: AnyDataSource(MMKVEntrySource(file, contents)),
      // Programs write MMKV files through memory mappings, which the kernel does not report.
      changeFeed: {
        FileChangeFeed([.file(path), .file(path + MMKVFile.suffix)], usesNotices: false) {
          file.header.map { "\($0.checksum) \($0.size)" }
        }
      })
    return OpenStore(
      store, evidence: evidence,
      facts: [
        OpenStore.Fact("entries", String(contents.entries.count)),
        OpenStore.Fact("format", String(contents.header.version)),
      ])
  }
}
