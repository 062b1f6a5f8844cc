import LarderModel
import LarderBrowser
import Testing

/// Deleting an entry, with confirmation.
@Suite struct DeletionTests {
  /// Returns a browser that is deleting its selected entry, and the effect that deletes it.
  private func deleting(
    _ numbers: Range<Int64> = 0..<3, row: Int = 0
  ) throws -> (Bench, DeleteEntry) {
    var bench = Bench.ready(numbers)
    for _ in 0..<row { bench.run(.command("down")) }
    bench.command("delete")
    bench.command("yes")
    return (bench, try bench.first(DeleteEntry.self))
  }

  @Test func `The dialog names the key and the store`() {
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

  @Test func `No and Escape change nothing`() {
    for action in [BrowserAction.command("no"), .cancel] {
      var bench = Bench.ready()
      bench.command("delete")
      bench.send(action)
      #expect(bench.effects.isEmpty)
      #expect(bench.state.overlay == nil)
      #expect(bench.state.message == Message("0 was not deleted"))
    }
  }

  @Test func `A deletion is started only once`() throws {
    var (bench, delete) = try deleting()
    #expect(bench.effects.count == 1)
    #expect(delete.store == Bench.reference)
    #expect(delete.query == EntryQuery(.integer(0), expecting: Fingerprint(of: .text("value"))))
    bench.command("yes")
    #expect(bench.effects.isEmpty)
    bench.send(.cancel)
    #expect(bench.state.overlay != nil, "it is on its way")
  }

  @Test func `The next key is selected and the total decremented`() throws {
    var (bench, delete) = try deleting()
    bench.run(delete, .success(()))
    #expect(bench.rows == [1, 2])
    #expect(bench.selected == .integer(1))
    #expect(bench.state.value?.key == .integer(1))
    #expect(bench.state.keys?.total == .exactly(2))
    #expect(bench.state.message == Message("deleted 0"))
  }

  @Test func `After the last key, the previous one is selected and read once`() throws {
    var (bench, delete) = try deleting(row: 2)
    bench.answer(delete, .success(()))
    #expect(bench.reads == [.integer(1)])
    #expect(bench.selected == .integer(1))
  }

  @Test func `Deleting the only key leaves no selection`() throws {
    var (bench, delete) = try deleting(0..<1)
    bench.run(delete, .success(()))
    #expect(bench.rows.isEmpty)
    #expect(bench.selected == nil)
    #expect(bench.state.value == nil)
    #expect(bench.state.keys?.total == .exactly(0))
  }

  @Test func `An entry that was already deleted is removed from the list`() throws {
    var (bench, delete) = try deleting()
    bench.numbers = [1, 2]
    bench.run(delete, .failure(.conflict(current: nil)))
    #expect(bench.rows == [1, 2])
    #expect(bench.state.keys?.total == .exactly(2))
    #expect(bench.state.message == Message("0 was already deleted"))
  }

  @Test func `A failure is reported and keeps the key`() throws {
    var (bench, delete) = try deleting()
    bench.answer(delete, .failure(.busy("the database is locked")))
    #expect(bench.state.overlay == nil)
    #expect(bench.rows == [0, 1, 2])
    #expect(bench.state.message == Message("the database is locked", .error))
  }
}
