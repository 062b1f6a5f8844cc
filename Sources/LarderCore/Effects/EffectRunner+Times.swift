import Foundation
import Harmony

extension EffectRunner {
  /// The greatest number of entries whose times are added up.
  private static let greatestSum = 1_000_000
  /// How much longer a program that is looked into is left alone than it takes to answer a page.
  ///
  /// Nobody waits for a sum, and the program has work of its own: it may lose a fiftieth of its time.
  private static let rest = 49

  /// Finds out until when all entries count whose keys begin with a text.
  func sumTimes(
    below prefix: String, in opened: StoreRegistry.Opened
  ) async throws -> TimesModel.Totals {
    var expiries: [Double] = []
    var never = 0
    var bytes: Int? = 0
    let isProgram = opened.store.capabilities.contains(.cache)
    let query = EntryPageQuery(prefix: prefix, limit: isProgram ? 500 : 2_000, detail: .summary)
    var isWhole = true
    var asked = environment.clock.now
    for try await page in EntryPages(of: opened.store.source, query) {
      guard expiries.count + never < Self.greatestSum else {
        isWhole = false
        break
      }
      let taken = environment.clock.now - asked
      for entry in page {
        if let expires = entry.expires {
          expiries.append(expires.timeIntervalSinceReferenceDate)
        } else {
          never += 1
        }
        bytes = bytes.flatMap { sum in entry.size.flatMap { Self.sum(sum, $0) } }
      }
      if isProgram, page.count >= query.limit { try await environment.sleep(taken * Self.rest) }
      asked = environment.clock.now
    }
    let tally = try await opened.store.cache?.tally()
    return TimesModel.Totals(
      expiries: expiries, never: never, bytes: bytes, isWhole: isWhole, tally: tally)
  }

  /// A sum; nil where there is no such number.
  private static func sum(_ one: Int, _ other: Int) -> Int? {
    let (sum, isTooGreat) = one.addingReportingOverflow(other)
    return isTooGreat ? nil : sum
  }

  /// Changes when entries expire.
  ///
  /// - Returns: How many there were.
  func setExpiries(
    of keys: [EntryKey], _ fingerprints: [EntryKey: Fingerprint], _ expiry: ExpiryText,
    in opened: StoreRegistry.Opened
  ) async throws -> Int {
    let changes = try await expiries(of: keys, fingerprints, expiry, in: opened)
    defer { opened.cache.evictAll() }
    return try await opened.store.setExpiries(changes).count
  }

  /// The expiries that entries get; those that are put off are read first.
  private func expiries(
    of keys: [EntryKey], _ fingerprints: [EntryKey: Fingerprint], _ expiry: ExpiryText,
    in opened: StoreRegistry.Opened
  ) async throws -> [ExpiryChange] {
    let now = environment.date()
    guard case .later = expiry else {
      let date = expiry.date(from: now)
      return keys.map { ExpiryChange($0, expires: date, expecting: fingerprints[$0]) }
    }
    var expiries: [ExpiryChange] = []
    for key in keys {
      let entry = try await opened.store.source.get(EntryQuery(key)).getCancelling()
      expiries.append(
        ExpiryChange(
          key, expires: expiry.date(from: now, after: entry.expires),
          expecting: fingerprints[key] ?? entry.fingerprint))
    }
    return expiries
  }
}
