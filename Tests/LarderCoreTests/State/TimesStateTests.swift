import Foundation
import LarderCore
import Testing

/// The list of until when entries count, and stores that go away.
@Suite struct TimesStateTests {
  private let now = Date(timeIntervalSinceReferenceDate: 1_000)

  @Test func theTimeStaysOnceNothingRunsDownAndIsAskedForBeforeItChooses() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .expiry])
    bench.run(.command("cache"))
    let token = try #require(bench.state.keys?.times?.counting)
    bench.send(.timeTold(now, isWaited: false))
    let totals = TimesModel.Totals(expiries: [900], never: 0, bytes: nil, isWhole: true)
    bench.send(.timesSummed(token: token, .success(totals)))
    #expect(bench.effects.isEmpty)
    #expect(bench.state.time == now)
    bench.command("show", "fresh")
    #expect(bench.effects == [.askTime])
    #expect(bench.state.keys?.times?.only == nil)
    let later = now.addingTimeInterval(500)
    bench.send(.timeTold(later, isWaited: false))
    let only = bench.state.keys?.times?.only
    #expect(only?.state == .fresh)
    #expect(only?.span == ExpirySpan(after: later.addingTimeInterval(60), upTo: .distantFuture))
    #expect(bench.state.time == later)
  }

  @Test(arguments: [-700.0, 0, 1, 60, 61, 700, 100_000])
  func entriesAreListedAsTheStateThatStandsBesideThem(_ left: Double) {
    let entry = Entry(
      key: .text("a"), modified: now.addingTimeInterval(-10_000),
      expires: now.addingTimeInterval(left))
    let state = EntryTime(entry).state(at: now)
    for other in EntryTime.State.allCases {
      #expect((other.span(at: now)?.contains(entry.expires) == true) == (other == state))
    }
  }

  @Test func aTabWhoseStoreHasGoneOpensItAgainOnceItIsShown() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .departs])
    bench.send(.storeLeft(token: try #require(bench.state.keys?.attending), "gone"))
    bench.command("new-tab")
    let store = try #require(bench.state.keys?.store)
    for _ in 1...2 {
      #expect(
        bench.effects.contains { effect in
          if case .attend(Bench.reference, _, isAway: true, _) = effect { true } else { false }
        })
      #expect(bench.state.keys?.isAway == true)
      let token = try #require(bench.state.keys?.attending)
      bench.send(.storeReturned(token: token, Bench.summary("numbers.db"), store))
      #expect(bench.state.keys?.isAway == false)
      bench.command("next-tab")
    }
  }
}
