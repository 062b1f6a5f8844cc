import Foundation
import Harmony
import LarderModel
import LarderDocuments
import LarderStoreBase

/// The `UserDefaults` of the current user, by the name of a suite or a program.
///
/// The property list is at the location that Foundation uses.
enum DefaultsKind: OpenableKind {
  static let kind = StoreKind(
    name: "defaults", recognizedBy: "defaults:DOMAIN as the location: this user's UserDefaults",
    collections: "–", keys: "the keys of the defaults; for nested members, (window,frame)",
    keysArePaths: true,
    types: [.text, .integer, .real, .bool, .date, .data, .array, .dictionary],
    requiresUTF8: true)

  static let schemes = ["defaults"]

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .scheme("defaults", _) = probe.target else { return nil }
    return OpeningMessages.scheme("defaults")
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    guard case .scheme(_, let name) = probe.target else { throw probe.refusal }
    let domain: DefaultsDomain
    do {
      domain = try DefaultsDomain(named: name)
    } catch {
      throw .notDomain(probe.location.path)
    }
    let file = DocumentFile<PropertyListDocument>(
      path: domain.list, format: PropertyListKind.format,
      companion: DefaultsCompanion(domain: domain))
    let reading = try file.read()
    let facts = [
      OpenStore.Fact("file", reading.isThere ? domain.list : Messages.notThere(domain.list)),
      OpenStore.Fact("members", String(reading.document.members.count)),
      OpenStore.Fact("form", reading.document.form.rawValue),
    ]
    let folder = URL(fileURLWithPath: domain.list).deletingLastPathComponent().path
    let obstacle =
      reading.isThere
      ? WriteObstacle.ofDocument(domain.list)
      // A missing folder is created.
      : WriteObstacle.number(folder) == ENOENT ? nil : WriteObstacle.ofFolder(folder)
    let open = OpenStore(
      kind: kind, probe, evidence: evidence, file, options: options,
      obstacle: obstacle ?? reading.document.readOnlyReason, facts: facts)
    return try open.timed(
      by: domain.times, isReadOnly: options.isReadOnly || open.readOnlyReason != nil)
  }

  /// Returns a domain that no program uses; it is created only when the user writes to it.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    "defaults:larder-demo"
  }
}
