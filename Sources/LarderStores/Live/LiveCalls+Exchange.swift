import Foundation
import Harmony
import HarmonyInspection
import LarderModel

extension LiveCalls {
  /// The version of the protocol that knows how to exchange what is cached.
  private static let firstVersion = 3

  /// Refuses what a program cannot do that does not put back what was cached.
  ///
  /// - Parameter asksCache: Whether the cache itself is asked, by having nothing take the place of
  ///   nothing.
  /// - Throws: ``StoreError/notSupported(_:)`` with the reason.
  func checkExchange(asksCache: Bool) async throws {
    try checkCache()
    guard try await source.version().getCancelling() >= Self.firstVersion else {
      throw StoreError.notSupported(
        "the program was made with an older HarmonyInspection, which puts nothing back"
          + (asksCache ? "" : "; nothing was changed"))
    }
    guard asksCache else { return }
    do {
      // A key that nothing has.
      let name = "larder " + UUID().uuidString
      _ = try await source.exchange(name, for: nil, expecting: .nothing).getCancelling()
    } catch let error as CoreError.NotImplemented {
      throw StoreError.notSupported(error.description)
    }
  }

  /// Replaces what is cached, one entry after the other, where it is as expected.
  ///
  /// - Returns: The entries that are cached then.
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

  /// What is cached, if it is as an exchange expects it.
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
    do {
      let entry = try await source.exchange(
        name, for: content, expecting: present.map { .value($0.value) } ?? .nothing,
        expiring: exchange.expected?.times == nil
          ? nil : present.map { Self.time($0.entry.expires) }
      ).getCancelling()
      return try entry?.entry(isWhole: true, type: facts.type, at: .now)
    } catch InspectionError.conflict {
      throw StoreError.conflict(current: try await self.present(exchange.entryKey)?.entry)
    } catch let error as CoreError.NotImplemented {
      throw StoreError.notSupported("\(error.description); nothing was changed")
    }
  }

  /// A date as the program is told it; nil is never.
  static func time(_ date: Date?) -> Double {
    date?.timeIntervalSince1970 ?? InspectedEntry.CachedState.never
  }
}
