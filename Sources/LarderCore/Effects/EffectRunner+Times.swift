import Foundation
import Harmony

extension EffectRunner {
  /// The greatest number of entries whose times are added up.
  private static let greatestSum = 1_000_000

  /// Finds out until when all entries count whose keys begin with a text.
  func sumTimes(
    below prefix: String, in opened: StoreRegistry.Opened
  ) async throws -> TimesModel.Totals {
    var expiries: [Double] = []
    var never = 0
    var bytes: Int? = 0
    var query = EntryPageQuery(prefix: prefix, limit: 2_000, detail: .summary)
    var isWhole = false
    while expiries.count + never < Self.greatestSum {
      try Task.checkCancellation()
      let page = try await opened.store.source.getAll(query).getCancelling()
      for entry in page {
        if let expires = entry.expires {
          expiries.append(expires.timeIntervalSinceReferenceDate)
        } else {
          never += 1
        }
        bytes = bytes.flatMap { sum in entry.size.flatMap { Self.sum(sum, $0) } }
      }
      guard page.count >= query.limit, let last = page.last else {
        isWhole = true
        break
      }
      query.after = last.key
    }
    var tally: CacheTally?
    if opened.store.capabilities.contains(.cache) {
      let answer = try await opened.store.source.get(CacheTallyQuery()).getCancelling()
      tally = CacheTally(answer)
    }
    return TimesModel.Totals(
      expiries: expiries, never: never, bytes: bytes, isWhole: isWhole, tally: tally)
  }

  /// A sum; nil where there is no such number.
  private static func sum(_ one: Int, _ other: Int) -> Int? {
    let (sum, isTooGreat) = one.addingReportingOverflow(other)
    return isTooGreat ? nil : sum
  }

  /// The expiries that entries get; those that are put off are read first.
  func expiries(
    of keys: [EntryKey], _ fingerprints: [EntryKey: Fingerprint], _ expiry: ExpiryText,
    in opened: StoreRegistry.Opened
  ) async throws -> [ExpiryQuery] {
    let now = environment.date()
    guard case .later = expiry else {
      let date = expiry.date(from: now)
      return keys.map { ExpiryQuery($0, expires: date, expecting: fingerprints[$0]) }
    }
    var expiries: [ExpiryQuery] = []
    for key in keys {
      let entry = try await opened.store.source.get(EntryQuery(key)).getCancelling()
      expiries.append(
        ExpiryQuery(
          key, expires: expiry.date(from: now, after: entry.expires),
          expecting: fingerprints[key] ?? entry.fingerprint))
    }
    return expiries
  }
}
