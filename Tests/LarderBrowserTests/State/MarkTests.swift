import LarderModel
@testable import LarderBrowser
import Testing

/// Marking entries, and deleting marked entries.
@Suite struct MarkTests {
  private func marked(_ bench: Bench) -> [EntryKey] { bench.state.keys?.marked.sorted() ?? [] }

  @Test func `Marking a key selects the next one`() {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    #expect(marked(bench) == [.integer(0)])
    #expect(bench.selected == .integer(1))
    bench.run(.command("up"))
    bench.run(.command("mark"))
    #expect(marked(bench).isEmpty)
  }

  @Test func `A range is marked from either end`() {
    for keys in [["down", "down"], ["up", "up"]] {
      var bench = Bench.ready()
      for _ in 0..<4 { bench.run(.command("down")) }
      bench.run(.command("mark-range"))
      for key in keys { bench.run(.command(key)) }
      bench.run(.command("mark-range"))
      #expect(marked(bench).count == 3)
      #expect(bench.state.keys?.rangeStart == nil)
    }
  }

  @Test func `A command on an invalid range does not use other marks`() {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.run(.command("mark-range"))
    // The start of the range is no longer in the list.
    bench.run(.command("filter"))
    bench.type("9")
    bench.settle()
    bench.run(.submit)
    #expect(bench.state.keys?.rangeStart != nil)
    bench.run(.command("delete"))
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message?.text.hasSuffix("nothing was marked") == true)
    #expect(bench.state.keys?.rangeStart == nil)
    #expect(marked(bench) == [.integer(0)])
  }

  @Test func `A command on a range marks it first`() {
    var bench = Bench.ready()
    bench.run(.command("mark-range"))
    bench.run(.command("down"))
    bench.run(.command("down"))
    bench.run(.command("delete"))
    guard case .confirm(let confirm)? = bench.state.overlay else {
      Issue.record("nothing is asked")
      return
    }
    #expect(confirm.marked == [.integer(0), .integer(1), .integer(2)])
  }

  @Test func `A range whose start is not listed is refused`() {
    var bench = Bench.ready()
    bench.run(.command("mark-range"))
    bench.run(.command("filter", argument: "5"))
    bench.run(.command("delete"))
    #expect(bench.state.overlay == nil)
    #expect(
      bench.state.message
        == Message(
          "0, the start of the range, is no longer in the list; nothing was marked", .warning))
  }

  @Test func `Escape cancels a range`() {
    var bench = Bench.ready()
    bench.run(.command("mark-range"))
    bench.run(.command("down"))
    #expect(bench.state.keys?.range == 0...1)
    bench.send(.cancel)
    #expect(bench.state.keys?.range == nil)
    #expect(bench.state.message == Message("range canceled"))
  }

  @Test func `Escape clears the marks before the filter`() {
    var bench = Bench.ready()
    bench.run(.command("filter", argument: "1"))
    bench.run(.command("mark"))
    bench.run(.command("mark-range"))
    bench.send(.cancel)
    #expect(marked(bench).isEmpty)
    #expect(bench.state.keys?.rangeStart == nil)
    #expect(bench.state.keys?.filterText == "1")
    bench.send(.cancel)
    #expect(bench.state.keys?.filterText.isEmpty == true)
  }

  @Test func `A filter keeps the marks`() {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.run(.command("filter", argument: "5"))
    bench.run(.command("mark"))
    #expect(marked(bench) == [.integer(0), .integer(5)])
  }

  @Test func `The dialog is about the marked entries`() {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.run(.command("mark"))
    bench.command("delete")
    guard case .confirm(let confirm) = bench.state.overlay else {
      Issue.record("nothing is asked")
      return
    }
    #expect(confirm.title == "2 marked entries")
    bench.command("no")
    #expect(bench.state.message == Message("nothing was deleted"))
    #expect(marked(bench).count == 2)
  }

  @Test func `The list is reloaded and the marks are cleared`() throws {
    var (bench, delete) = try Bench.deleting()
    #expect(bench.effects.count == 1)
    #expect(delete.store == Bench.reference)
    #expect(delete.changes == Bench.deletions([.integer(0), .integer(1)]).changes)
    bench.numbers = Array(2..<10)
    bench.run(delete, .success(2))
    #expect(bench.rows == Array(2..<10))
    #expect(bench.selected == .integer(2))
    #expect(marked(bench).isEmpty)
    #expect(bench.state.keys?.total == .exactly(8))
    #expect(bench.state.message == Message("deleted 2 entries; u undoes the store's last change"))
  }

  @Test func `A conflict is reported and clears the marks`() throws {
    var (bench, delete) = try Bench.deleting()
    let theirs = Entry(key: .integer(1), value: .text("other"))
    bench.run(delete, .failure(Bench.failure(.conflict(current: theirs))))
    #expect(bench.state.overlay == nil)
    #expect(marked(bench).isEmpty)
    #expect(bench.state.message?.kind == .error)
  }

  @Test func `An entry changed since it was marked is not deleted`() {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.run(.command("delete"), value: .text("other"))
    #expect(bench.state.overlay == nil)
    #expect(marked(bench).isEmpty)
    #expect(
      bench.state.message
        == Message(
          "0 was changed by another program since it was marked; nothing was deleted", .error))
  }

  @Test func `Entries marked in a range are read immediately`() {
    var bench = Bench.ready()
    bench.run(.command("mark-range"))
    bench.run(.command("down"))
    bench.run(.command("mark-range"))
    #expect(bench.state.keys?.fingerprints.count == 2)
    bench.run(.command("delete"), value: .text("other"))
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message?.text.hasPrefix("0 was changed by another program") == true)
  }

  @Test func `A deletion cannot be confirmed before the marked entries are read`() throws {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.command("delete")
    let yes = try #require(Command.named("yes"))
    #expect(bench.state.isTooEarly(for: yes))
    bench.command("yes")
    #expect(bench.effects.isEmpty)
    bench.send(.cancel)
    #expect(bench.onlyEnds(.marked))
  }

  @Test func `Reloading the list clears the marks`() {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.run(.command("reload"))
    #expect(marked(bench).isEmpty)
  }

  @Test(arguments: [true, false])
  func `Marks survive an undo if their entries exist`(isThere: Bool) throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.run(.command("mark"))
    bench.command("undo")
    let undo = try bench.first(ReplayChange.self)
    let step = ChangeSummary(number: 1, action: .delete, count: 1, key: .integer(5), isUndone: true)
    bench.answer(undo, .init(.success(step)))
    #expect(marked(bench) == [.integer(0)])
    let read = try bench.effect(ReadMarks.self)
    #expect(read.keys == [.integer(0)])
    bench.answer(read, .success(isThere ? Bench.deletions(read.keys) : EntriesToDelete()))
    #expect(marked(bench).isEmpty == !isThere)
    #expect(bench.state.keys?.fingerprints.isEmpty == !isThere)
  }
}
