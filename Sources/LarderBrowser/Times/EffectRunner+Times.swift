import LarderModel
import LarderOperations
import LarderFormats
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
  /// - Returns: What there is to say of entries that were left out.
  func setExpiries(
    of chosen: ChosenEntries, _ fingerprints: [EntryKey: Fingerprint], _ expiry: ExpiryText,
    in opened: StoreRegistry.Opened, _ scan: Scan
  ) async throws -> String? {
    let update = ExpiryUpdate(expiry, in: opened.store, at: environment.date())
    let plan =
      switch chosen {
      case .keys(let keys): try await update.plan(keys, seen: fingerprints, scan)
      case .prefix(let prefix):
        try update.plan(
          try await ExpiryUpdate.entries(prefix, in: opened.store) { count in
            try scan.reportRead(scan.examined + count)
          })
      }
    defer { opened.cache.evictAll() }
    _ = try await update.run(plan, scan)
    return plan.note
  }
}
