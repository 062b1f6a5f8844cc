import Foundation
import LarderModel
import LarderFormats
@testable import LarderBrowser
import Testing

/// The list of expiries, and stores that end.
@Suite struct TimesStateTests {
  private let now = Date(timeIntervalSinceReferenceDate: 1_000)

  @Test func `The time is requested again before a state is listed`() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .expiry])
    // The expiries are shown as soon as the store is; hiding and showing them requests them again.
    #expect(bench.state.keys?.times != nil)
    bench.run(.command("cache"))
    #expect(bench.state.keys?.times == nil)
    bench.run(.command("cache"))
    try bench.answer(ReportDate.self, now)
    let totals = TimesModel.Totals(expiries: [900], never: 0, bytes: nil, isWhole: true)
    try bench.answer(SummarizeExpiries.self, .success(totals))
    #expect(bench.effects.isEmpty)
    #expect(bench.state.clock.time == now)
    bench.command("show", "fresh")
    let ask = try bench.only(ReportDate.self)
    #expect(bench.state.keys?.times?.only == nil)
    let later = now.addingTimeInterval(500)
    bench.answer(ask, later)
    let only = bench.state.keys?.times?.only
    #expect(only?.state == .fresh)
    #expect(only?.span == ExpiryRange(after: later.addingTimeInterval(60), upTo: .distantFuture))
    #expect(bench.state.clock.time == later)
  }

  @Test func `A state can be listed without showing the expiries first`() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .expiry])
    bench.command("show", "expired")
    let ask = try bench.effect(ReportDate.self)
    #expect(bench.state.keys?.times?.asked == .expired)
    let all = try #require(Command.named("mark-all"))
    #expect(bench.state.isTooEarly(for: all), "the list is still that of all entries")
    bench.answer(ask, now)
    #expect(bench.state.keys?.times?.only?.state == .expired)
    bench.settle()
    #expect(!bench.state.isTooEarly(for: all))
    bench.send(.cancel)
    #expect(bench.state.keys?.times?.only == nil, "Esc lists all again")
    #expect(!bench.pages.isEmpty)
  }

  @Test(arguments: ["expired", "all", "tomorrow"])
  func `Without an expiry, no state is listed`(_ state: String) {
    var bench = Bench.ready()
    bench.command("show", state)
    #expect(bench.effects.isEmpty)
    #expect(bench.state.refusalCount == 1)
    #expect(bench.state.keys?.times == nil)
  }

  @Test(arguments: [-700.0, 0, 1, 60, 61, 700, 100_000])
  func `Entries are listed by the state shown beside them`(_ left: Double) {
    let entry = Entry(
      key: .text("a"), modified: now.addingTimeInterval(-10_000),
      expires: now.addingTimeInterval(left))
    let state = ExpiryStatus(entry).state(at: now)
    for other in ExpiryStatus.State.allCases {
      #expect(other.span(at: now).contains(entry.expires) == (other == state))
      #expect(other.span(at: now).contains(nil) == (other == .never))
    }
  }

  @Test func `The totals agree with the states of the entries`() {
    let start = now.timeIntervalSinceReferenceDate
    let totals = TimesModel.Totals(
      expiries: [-1, 0, 0.5, 60, 60.5, 900].map { start + $0 }, never: 2, bytes: 12, isWhole: true,
      tally: CacheTally(hits: 2, misses: 1, evictions: 0))
    #expect(
      totals.summaries(at: now).first == "2 fresh, 2 soon, 2 expired, 2 never, 12 B, 66% hits")
    #expect(
      totals.summaries(at: now.addingTimeInterval(2_000)).first
        == "0 fresh, 6 expired, 2 never, 12 B, 66% hits")
  }

  @Test func `The cache of a live process changes the marked or selected entries`() throws {
    var bench = Bench.ready(
      capabilities: [.writable, .creates, .ordered, .expiry, .cache, .ages, .uses, .undo])
    bench.command("evict")
    let evict = try bench.effect(ChangeCache.self)
    #expect(evict.store == Bench.reference && evict.change == .evict)
    #expect(evict.chosen == .keys([.integer(0)]))
    bench.answer(evict, .success(.init(done: 1)))
    #expect(
      bench.state.message?.text
        == "0: evicted; the backing store is unchanged; u undoes the store's last change"
    )
    bench.command("evict")
    try bench.answer(ChangeCache.self, .success(.init(done: 1, canBeUndone: false)))
    #expect(bench.state.message?.text.contains("undoes") == false)
    bench.settle(value: .text("value"))
    bench.run(.command("mark"))
    bench.run(.command("mark"))
    bench.command("refresh")
    let refresh = try bench.effect(ChangeCache.self)
    #expect(refresh.change == .refresh && refresh.chosen == .keys([.integer(0), .integer(1)]))
    bench.answer(refresh, .success(.init(done: 1, missing: 1)))
    #expect(bench.state.message?.text.contains("1 entry") == true)
    for name in ["age", "left", "state", "used", "hits", "size"] {
      bench.command("sort", "\(name) down")
      #expect(bench.state.keys?.order.isDescending == true, "\(name)")
    }
  }

  @Test func `Escape stops a cache change, which reports its progress`() throws {
    var bench = Bench.ready(
      capabilities: [.writable, .creates, .ordered, .expiry, .cache, .ages, .uses, .undo])
    bench.command("refresh")
    let refresh = try bench.effect(ChangeCache.self)
    let token = refresh.token
    bench.send(.worked(BulkChangeProgress(token: token, read: 1, changed: 0)))
    // No second change can start meanwhile.
    bench.command("evict")
    #expect(bench.state.message?.text == Messages.otherChange)
    #expect(bench.state.keys?.changingCache?.token == token)
    bench.send(.cancel)
    #expect(try bench.effect(CancelBulkChange.self).token == token)
    var last = BulkChangeProgress(token: token, read: 9, changed: 3)
    last.isLast = true
    bench.send(.worked(last))
    var outcome = CacheChange.Outcome(done: 3)
    outcome.isStopped = true
    bench.answer(refresh, .success(outcome))
    #expect(
      bench.state.message?.text
        == "stopped: 3 entries were refreshed; u undoes the store's last change")
    #expect(bench.state.work == nil && bench.state.keys?.changingCache == nil)
    bench.command("evict")
    // An older program cannot undo evictions.
    outcome.canBeUndone = false
    bench.answer(try bench.effect(ChangeCache.self), .success(outcome))
    #expect(bench.state.message?.text == "stopped: 3 entries were evicted")
    // Deletions wait for a change that is under way, and Esc in their question does not stop it.
    bench.command("refresh")
    let third = try #require(bench.state.work?.report.token)
    bench.run(.command("mark"))
    bench.command("delete")
    bench.settle()
    bench.command("yes")
    #expect(bench.state.work?.report.token == third)
    #expect(!bench.has(DeleteMarked.self))
    bench.send(.cancel)
    #expect(bench.state.work?.isStopping == false)
  }

  @Test func `A tab whose store has ended reopens it when shown`() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .departs])
    try bench.answer(MonitorStore.self, .left("gone"))
    bench.command("new-tab")
    let store = try #require(bench.state.keys?.store)
    for _ in 1...2 {
      let attend = try bench.effect(MonitorStore.self)
      #expect(attend.store == Bench.reference && attend.isAway)
      #expect(bench.state.keys?.isAway == true)
      bench.answer(attend, .returned(Bench.summary("numbers.db"), store))
      #expect(bench.state.keys?.isAway == false)
      bench.command("next-tab")
    }
  }
}
