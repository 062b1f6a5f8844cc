import LarderFormats
import LarderModel
import LarderBrowser
import Testing

/// The state of cached entries and their TTLs.
@Suite struct CacheModelTests {
  private let status = CacheStatus(
    key: .text("a"), fetchedAt: .seconds(10), timeToLive: .seconds(100), hits: 2)

  @Test(
    arguments: [
      (.seconds(10), .fresh), (.seconds(100) - .nanoseconds(1), .fresh), (.seconds(100), .soon),
      (.seconds(110) - .nanoseconds(1), .soon), (.seconds(110), .expired),
      (.seconds(1_000), .expired),
    ] as [(Duration, CacheStatus.State)])
  func `An entry expires exactly after its TTL`(_ now: Duration, _ state: CacheStatus.State) {
    #expect(status.state(at: now) == state)
  }

  @Test func `Age and remaining time use the same clock`() {
    #expect(status.age(at: .seconds(40)) == .seconds(30))
    #expect(status.remaining(at: .seconds(40)) == .seconds(70))
    #expect(status.remaining(at: .seconds(120)) == .seconds(-10))
  }

  @Test func `The clock runs while any entry is fresh`() {
    var model = CacheModel()
    #expect(model.summary == "nothing cached")
    #expect(!model.isCounting)
    let old = CacheStatus(key: .text("b"), fetchedAt: .zero, timeToLive: .seconds(1), hits: 0)
    model.update([status, old], now: .seconds(20))
    #expect(model.summary == "2 cached: 1 fresh, 1 expired")
    #expect(model.isCounting)
    model.now = .seconds(110)
    #expect(model.summary == "2 cached: 0 fresh, 2 expired")
    #expect(!model.isCounting)
    model.update([], now: .seconds(111))
    #expect(model.statuses.isEmpty)
  }

  @Test(
    arguments: [
      (.zero, "0s"), (.seconds(-5), "0s"), (.milliseconds(1_999), "1s"), (.seconds(59), "59s"),
      (.seconds(60), "1m 00s"), (.seconds(249), "4m 09s"), (.seconds(3_599), "59m 59s"),
      (.seconds(3_600), "1h 00m"), (.seconds(86_399), "23h 59m"), (.seconds(86_400), "1d 00h"),
      (.seconds(90 * 86_400 + 3_600), "90d 01h"),
    ] as [(Duration, String)])
  func `Durations are shown in their two largest units`(_ duration: Duration, _ text: String) {
    #expect(duration.clockText == text)
  }
}
