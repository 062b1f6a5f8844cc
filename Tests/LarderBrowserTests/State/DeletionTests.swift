import LarderModel
import LarderBrowser
import Testing

/// Deleting entries, after asking.
@Suite struct DeletionTests {
  /// A browser that is deleting its selected entry, and the token of that.
  private func deleting(_ numbers: Range<Int64> = 0..<3, row: Int = 0) -> (Bench, Int) {
    var bench = Bench.ready(numbers)
    for _ in 0..<row { bench.run(.command("down")) }
    bench.command("delete")
    bench.command("yes")
    guard case .delete(_, _, let token) = bench.effects.first else { return (bench, -1) }
    return (bench, token)
  }

  @Test func theQuestionNamesTheKeyAndTheStore() {
    var bench = Bench.ready()
    bench.command("delete")
    #expect(bench.effects.isEmpty)
    guard case .confirm(let confirm) = bench.state.overlay else {
      Issue.record("nothing is asked")
      return
    }
    #expect(confirm.title == "0")
    #expect(confirm.place == "numbers.db#numbers")
    #expect(
      confirm.query == EntryQuery(.integer(0), expecting: Fingerprint(of: .text("value"))))
  }

  @Test func noAndEscapeLeaveEverythingAsItIs() {
    for action in [BrowserAction.command("no"), .cancel] {
      var bench = Bench.ready()
      bench.command("delete")
      bench.send(action)
      #expect(bench.effects.isEmpty)
      #expect(bench.state.overlay == nil)
      #expect(bench.state.message == Message("0 was not deleted"))
    }
  }

  @Test func aDeletionIsAskedForOnce() {
    var (bench, token) = deleting()
    #expect(
      bench.effects == [
        .delete(
          Bench.reference,
          EntryQuery(.integer(0), expecting: Fingerprint(of: .text("value"))), token: token)
      ])
    bench.command("yes")
    #expect(bench.effects.isEmpty)
    bench.send(.cancel)
    #expect(bench.state.overlay != nil, "it is on its way")
  }

  @Test func theNextKeyIsSelectedAndCountedDown() {
    var (bench, token) = deleting()
    bench.run(.deleted(token: token, .integer(0), nil))
    #expect(bench.rows == [1, 2])
    #expect(bench.selected == .integer(1))
    #expect(bench.state.value?.key == .integer(1))
    #expect(bench.state.keys?.total == .exactly(2))
    #expect(bench.state.message == Message("deleted 0"))
  }

  @Test func afterTheLastKeyTheOneBeforeIsSelectedAndReadOnce() {
    var (bench, token) = deleting(row: 2)
    bench.send(.deleted(token: token, .integer(2), nil))
    #expect(bench.reads == [.integer(1)])
    #expect(bench.selected == .integer(1))
  }

  @Test func theOnlyKeyLeavesNothing() {
    var (bench, token) = deleting(0..<1)
    bench.run(.deleted(token: token, .integer(0), nil))
    #expect(bench.rows.isEmpty)
    #expect(bench.selected == nil)
    #expect(bench.state.value == nil)
    #expect(bench.state.keys?.total == .exactly(0))
  }

  @Test func whatIsGoneAlreadyIsTakenOutOfTheList() {
    var (bench, token) = deleting()
    bench.numbers = [1, 2]
    bench.run(.deleted(token: token, .integer(0), .conflict(current: nil)))
    #expect(bench.rows == [1, 2])
    #expect(bench.state.keys?.total == .exactly(2))
    #expect(bench.state.message == Message("0 was already gone"))
  }

  @Test func aFailureSaysWhyAndKeepsTheKey() {
    var (bench, token) = deleting()
    bench.send(.deleted(token: token, .integer(0), .busy("the database is locked")))
    #expect(bench.state.overlay == nil)
    #expect(bench.rows == [0, 1, 2])
    #expect(bench.state.message == Message("the database is locked", .error))
  }
}
