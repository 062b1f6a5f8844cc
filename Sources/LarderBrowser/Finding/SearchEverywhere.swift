package import LarderModel
import LarderFormats
import Harmony

extension EffectSlot {
  static let findings = EffectSlot("findings", isOfTab: true)
}

/// An entry whose key or value contains the text that is searched for.
package struct Finding: Sendable, Equatable {
  /// The store of the entry.
  package let store: StoreReference
  /// The name of the store.
  package let storeName: String
  /// The key.
  package let key: EntryKey
  /// The notation of the store's keys.
  package let keyStyle: KeyStyle
  /// The part of the value with the text; nil if the text is in the key.
  package let excerpt: String?
}

/// Finds the entries of several stores whose key or value contains a text.
///
/// Keys come first for each store. Values of secrets are not read.
package struct SearchEverywhere: BrowserEffect {
  package let text: String
  /// The stores, with their names.
  package let stores: [NamedStore]
  package let ticket: Ticket?
  package var slot: EffectSlot? { .findings }

  package enum Reply: Sendable {
    /// The findings of a store, and whether there may be more.
    case found([Finding], isWhole: Bool)
    /// A store that cannot be searched.
    case failed(String, StoreError)
    /// All stores were searched.
    case ended
  }

  /// The maximum number of findings in the keys of a store, and in its values.
  package static let limit = 100

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    for target in stores {
      do {
        _ = try await runner.open(target.store).get()
        let store = try runner.opened(target.store).store
        var known: Set<EntryKey> = []
        for field in store.hidesValues ? [EntryFilter.Field.keys] : [.keys, .values] {
          let (findings, isWhole) = try await find(in: field, of: store, target, except: &known)
          await reply(.found(findings, isWhole: isWhole))
        }
      } catch {
        if Task.isCancelled { return }
        await reply(.failed(target.name, StoreError(error)))
      }
    }
    await reply(.ended)
  }

  private func find(
    in field: EntryFilter.Field, of store: Store, _ target: NamedStore,
    except known: inout Set<EntryKey>
  ) async throws -> ([Finding], isWhole: Bool) {
    let scan = Scan()
    let query = EntryPageQuery(
      filter: EntryFilter(EntryFilter.Pattern(phrase: text), in: field), limit: Self.limit,
      detail: field == .keys ? .keys : .values, scan: scan)
    var findings: [Finding] = []
    for try await page in EntryPages(of: store.source, query) {
      try Task.checkCancellation()
      for entry in page where known.insert(entry.key).inserted {
        guard findings.count < Self.limit else { return (findings, false) }
        let excerpt = field == .keys ? nil : entry.value.map(excerpt) ?? ""
        findings.append(
          Finding(
            store: target.store, storeName: target.name, key: entry.key, keyStyle: store.keyStyle,
            excerpt: excerpt))
      }
    }
    return (findings, scan.unreadable.isEmpty)
  }

  /// Returns the text of a value around the first match.
  private func excerpt(_ value: StoredValue) -> String {
    let value = readable(value)
    let text = if case .text(let text) = value { text } else { JSONText.encode(value) }
    let bytes = Array(text.utf8)
    return excerpt(bytes, around: place(in: bytes) ?? 0)
  }

  private func excerpt(_ bytes: [UInt8], around place: Int) -> String {
    guard place > 24 else { return String(decoding: bytes.prefix(400), as: UTF8.self) }
    // The excerpt begins with a whole character.
    let rest = bytes.dropFirst(place - 16).drop { $0 & 0xC0 == 0x80 }
    return "…" + String(decoding: rest.prefix(400), as: UTF8.self)
  }

  /// Returns the offset of the first match.
  private func place(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { ValueSearch(text)?.first(in: $0, from: 0) }
  }

  /// Returns a value in which bytes are replaced by their text, by the text around the match, or
  /// by their size.
  private func readable(_ value: StoredValue) -> StoredValue {
    switch value {
    case .data(let bytes), .malformedText(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
      return .text(
        place(in: bytes).map { excerpt(bytes, around: $0) } ?? ByteCount.text(bytes.count))
    case .array(let values): return .array(values.map(readable))
    case .dictionary(let fields):
      return .dictionary(fields.map { .init($0.name, readable($0.value)) })
    case .record(let fields): return .record(fields.map { .init($0.name, readable($0.value)) })
    default: return value
    }
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    switch reply {
    case .found(let findings, let isWhole): state.findings?.add(findings, isWhole: isWhole)
    case .failed(let name, let error):
      state.findings?.failureCount += 1
      state.say("\(name): \(error.message)", .warning)
    case .ended: state.findings?.searching = nil
    }
    return []
  }
}
