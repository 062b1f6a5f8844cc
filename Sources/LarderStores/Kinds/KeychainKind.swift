import Foundation
import Harmony
import LarderModel
import LarderStoreBase

#if Keychain
import HarmonyKeychain
#endif

/// The secrets of a program in the desktop's keychain, the Secret Service.
enum KeychainKind: OpenableKind {
  static let kind = StoreKind(
    name: "keychain",
    recognizedBy: "keychain:SERVICE as the location: the secrets of that service in the desktop's "
      + "keychain",
    collections: "–", keys: "the attribute \"account\" or \"username\" of each item",
    isAtomic: false,
    types: [.text, .data])

  static func resolved(_ location: StoreLocation) -> StoreLocation? { location }

  static let schemes = ["keychain"]

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .scheme("keychain", _) = probe.target else { return nil }
    return OpeningMessages.scheme("keychain")
  }

  #if Keychain
  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    guard case .scheme(_, let service) = probe.target else { throw probe.refusal }
    guard !service.isEmpty else {
      throw .missingService
    }
    let keychain = KeychainService(service, timeLimit: options.busyTimeout)
    let items: [KeychainItem]
    do {
      if options.asksToUnlock { try await keychain.unlock().getCancelling() }
      items = try await keychain.items().getCancelling()
    } catch {
      throw StoreError(keychain: error, at: probe.location)
    }
    let reason = options.isReadOnly ? OpeningMessages.openedReadOnly : nil
    var capabilities: StoreCapabilities = [.ordered, .prefixes, .modified, .hidesValues]
    if reason == nil { capabilities.formUnion([.writable, .creates]) }
    let location = StoreLocation(path: probe.location.path)
    let store = Store(
      kind: kind, location: location, capabilities: capabilities, keyStyle: .text,
      readOnlyReason: reason,
      source: AnyDataSource(
        KeychainEntrySource(keychain, at: location, isReadOnly: options.isReadOnly)))
    return OpenStore(
      store, evidence: evidence,
      facts: [
        OpenStore.Fact("keys", String(items.count)),
        OpenStore.Fact("attributes", "service \(service), account KEY"),
      ])
  }
  #else
  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    throw .builtWithoutKeychain(probe.location.path)
  }
  #endif
}
