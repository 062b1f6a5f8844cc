import Foundation
import Harmony
import HarmonyInspection
import LarderModel

extension LiveCalls {
  /// The first version of the protocol that can exchange cached entries.
  private static let firstVersion = 3

  /// Throws an error if the program cannot restore cached entries.
  ///
  /// - Parameter asksCache: Whether to ask the cache itself, with an exchange that has no effect.
  /// - Throws: ``StoreError/notSupported(_:)`` with the reason.
  func checkExchange(asksCache: Bool) async throws {
    try checkCache()
    guard try await source.version().getCancelling() >= Self.firstVersion else {
      throw StoreError.oldInspection(asksCache ? nil : Messages.nothingChanged)
    }
    guard asksCache else { return }
    do {
      // A key that does not exist.
      let name = "larder " + UUID().uuidString
      _ = try await source.exchange(name, for: nil, expecting: .nothing).getCancelling()
    } catch let error as CoreError.NotImplemented {
      throw StoreError.notSupported(error.description)
    }
  }

  /// Replaces cached entries one by one, if they are as expected.
  ///
  /// - Returns: The new cached entries.
  func exchange(
    _ exchanges: [CacheExchange], told: (EntryKey) -> Void
  ) async throws -> [Entry] {
    try await checkExchange(asksCache: false)
    var cached: [Entry] = []
    var count = 0
    var refusal: StoreError?
    for exchange in exchanges {
      do {
        try await afterOthers(count) {
          if let entry = try await self.exchange(exchange) { cached.append(entry) }
        }
        count += 1
        told(exchange.entryKey)
      } catch StoreError.conflict(let current) {
        refusal = refusal ?? .conflict(current: current)
      }
    }
    if count == 0, let refusal { throw refusal }
    return cached
  }

  /// Returns the cached entry, or throws a conflict if it is not as the exchange expects.
  private func checked(_ exchange: CacheExchange) async throws -> Sent? {
    let present = try await present(exchange.entryKey)
    let found = present.flatMap { CachedValue($0.entry) }
    guard exchange.expected.map({ $0.isMet(by: found) }) ?? (present == nil) else {
      throw StoreError.conflict(current: present?.entry)
    }
    return present
  }

  private func exchange(_ exchange: CacheExchange) async throws -> Entry? {
    guard let name = exchange.entryKey.liveKey else { throw StoreError.conflict(current: nil) }
    let present = try await checked(exchange)
    let content = try exchange.new.map { new in
      RemoteDataSource.CachedContent(
        try LiveValue.sent(new.value, form: new.form, type: facts.type),
        stored: new.times?.stored?.timeIntervalSince1970,
        expires: new.times.map { Self.time($0.expires) })
    }
    return try await comparing(exchange.entryKey, "changed") {
      try await source.exchange(
        name, for: content, expecting: present.map { .value($0.value) } ?? .nothing,
        expiring: exchange.expected?.times == nil
          ? nil : present.map { Self.time($0.entry.expires) }
      ).getCancelling()?.entry(isWhole: true, type: facts.type, at: .now)
    }
  }

  /// Returns a date as it is sent to the program; nil means never.
  static func time(_ date: Date?) -> Double {
    date?.timeIntervalSince1970 ?? InspectedEntry.CachedState.never
  }
}
