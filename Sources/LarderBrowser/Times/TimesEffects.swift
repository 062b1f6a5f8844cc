import LarderModel
import Foundation
import Harmony

extension EffectSlot {
  static let times = EffectSlot("times", isOfTab: true)
}

/// Summarizes when the entries with a key prefix expire.
package struct SummarizeExpiries: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  package let ticket: Ticket?
  package var slot: EffectSlot? { .times }

  /// The maximum number of entries in the summary.
  private static let maximumSum = 1_000_000
  /// The maximum total size of values to read, as the user did not request the summary.
  private static let maximumSize = 256 << 20
  /// The pause between pages of a live process, as a multiple of the time it took to answer.
  ///
  /// The summary is not urgent, so it may use at most a fiftieth of the time of the process.
  private static let rest = 49

  private func totals(_ runner: EffectRunner) async throws -> TimesModel.Totals {
    let opened = try runner.opened(store)
    let environment = runner.environment
    var expiries: [Double] = []
    var never = 0
    var bytes: Int? = 0
    let isProgram = opened.store.capabilities.contains(.cache)
    let query = EntryPageQuery(prefix: prefix, limit: isProgram ? 500 : 2_000, detail: .summary)
    var isWhole = true
    var asked = environment.clock.now
    for try await page in EntryPages(of: opened.store.source, query) {
      guard expiries.count + never < Self.maximumSum, bytes ?? 0 < Self.maximumSize else {
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

  /// Returns the sum, or `nil` if it overflows.
  private static func sum(_ one: Int, _ other: Int) -> Int? {
    let (sum, isTooGreat) = one.addingReportingOverflow(other)
    return isTooGreat ? nil : sum
  }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await totals(runner) })
  }

  package func receive(
    _ reply: Answer<TimesModel.Totals>, in state: inout BrowserState
  ) -> Effects {
    state.timesSummed(reply)
  }
}
