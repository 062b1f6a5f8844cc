import Foundation
import LarderCore
import Testing

/// Lists of running programs, which do not tell what they change.
@Suite struct FollowingTests {
  private let capabilities: StoreCapabilities = [.writable, .creates, .ordered, .departs, .types]

  private func entries(_ numbers: some Sequence<Int64>) -> [Entry] {
    numbers.map { Entry(key: .integer($0), size: 1) }
  }

  /// The look that is asked for once it is due.
  private func look(_ bench: inout Bench) throws -> (EntryPageQuery?, EntryKey?) {
    bench.send(.followDue(token: try #require(bench.state.keys?.following)))
    for effect in bench.effects {
      if case .lookAgain(_, let query, let key, _) = effect { return (query, key) }
    }
    return (nil, nil)
  }

  private func answer(_ bench: inout Bench, _ entries: [Entry]?, _ entry: Entry? = nil) throws {
    bench.send(
      .followed(
        FollowingLook(
          token: try #require(bench.state.keys?.following), entries: entries, entry: entry,
          duration: .milliseconds(1))))
  }

  @Test func rowsThatCameOrWentAreBroughtUpToDateAndTheSelectionStays() throws {
    var bench = Bench.ready(capabilities: capabilities)
    for _ in 0..<3 { bench.command("down") }
    bench.settle(value: .text("value"))
    let (query, key) = try look(&bench)
    #expect(query?.after == nil)
    #expect(query?.limit == 11)
    #expect(key == .integer(3))
    try answer(&bench, entries([0, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
    #expect(
      bench.state.keys?.window.entries.map(\.key)
        == [0, 2, 3, 4, 5, 6, 7, 8, 9, 10].map { .integer($0) })
    #expect(bench.state.keys?.selected?.key == .integer(3))
    #expect(bench.state.keys?.following != nil)
    #expect(bench.effects.contains { if case .waitToFollow = $0 { true } else { false } })
  }

  @Test func theValueIsAnotherOnceTheProgramHasWrittenIt() throws {
    var bench = Bench.ready(capabilities: capabilities)
    let (_, key) = try look(&bench)
    #expect(key == .integer(0))
    let same = try #require(bench.state.value?.entry.value)
    let token = bench.state.value?.token
    try answer(&bench, nil, same)
    #expect(bench.state.value?.token == token)
    try answer(&bench, nil, Entry(key: .integer(0), value: .text("new")))
    #expect(bench.state.value?.entry.value?.value == .text("new"))
  }

  @Test func nothingIsAskedWhileSomebodyTypesOrTheProgramIsAway() throws {
    var bench = Bench.ready(capabilities: capabilities)
    bench.command("help")
    let (query, key) = try look(&bench)
    #expect(query == nil && key == nil)
    #expect(bench.effects.contains { if case .waitToFollow = $0 { true } else { false } })
    bench.send(.followed(FollowingLook(token: -1, entries: [], entry: nil, duration: .zero)))
    #expect(bench.state.keys?.window.entries.count == 10)
  }

  @Test func aSlowProgramIsAskedLessOften() throws {
    var bench = Bench.ready(capabilities: capabilities)
    _ = try look(&bench)
    bench.send(
      .followed(
        FollowingLook(
          token: try #require(bench.state.keys?.following), entries: nil, entry: nil,
          duration: .seconds(1))))
    #expect(
      bench.effects.contains { effect in
        if case .waitToFollow(.seconds(20), _) = effect { true } else { false }
      })
  }

  @Test func otherStoresAreNotFollowed() {
    let bench = Bench.ready()
    #expect(bench.state.keys?.following == nil)
  }
}
