import LarderModel
@testable import LarderBrowser
import Testing

/// Undo and redo.
@Suite struct UndoTests {
  private static let capabilities: StoreCapabilities = [.writable, .creates, .ordered, .undo]

  private func bench(_ numbers: some Sequence<Int64> = 0..<10) -> Bench {
    .ready(numbers, capabilities: Self.capabilities)
  }

  /// Returns the replay that the last action started.
  private func replay(_ bench: Bench) throws -> ReplayChange { try bench.first(ReplayChange.self) }

  private func step(
    _ key: Int64, _ action: ChangeSummary.Action = .delete, count: Int = 1
  ) -> ChangeSummary {
    ChangeSummary(number: 1, action: action, count: count, key: .integer(key), isUndone: true)
  }

  @Test func `Undo and redo apply to the store on screen`() throws {
    for (command, isRedo) in [("undo", false), ("redo", true)] {
      var bench = bench()
      bench.command(command)
      let replay = try bench.only(ReplayChange.self)
      #expect(replay.store == Bench.reference && replay.request == ReplayRequest(isRedo: isRedo))
    }
  }

  @Test func `The palette changes nothing while a change is undone`() {
    var bench = bench()
    bench.command("undo")
    bench.command("palette")
    bench.type("import in.jsonl")
    bench.send(.submit)
    #expect(bench.effects.isEmpty && bench.state.work == nil)
  }

  @Test func `A restored entry is selected`() throws {
    var bench = bench(0..<10)
    bench.command("undo")
    bench.numbers = Array(0..<11)
    bench.run(try replay(bench), .init(.success(step(7))))
    #expect(bench.selected == .integer(7))
    #expect(bench.state.value?.key == .integer(7))
    #expect(bench.state.value?.entry.value != nil)
    #expect(bench.rows == Array(0..<11))
    #expect(bench.state.keys?.total == .exactly(11))
    #expect(bench.state.message == Message("undone: the deletion of 7; Ctrl-R redoes it"))
    #expect(bench.state.undo.replaying == nil)
  }

  @Test func `Warnings of the store follow the message`() throws {
    var bench = bench(0..<10)
    bench.command("undo")
    bench.run(try replay(bench), .init(.success(step(7))))
    bench.run(.warned("ts of 7 is not as wanted"))
    #expect(
      bench.state.message
        == Message(
          "undone: the deletion of 7; Ctrl-R redoes it; ts of 7 is not as wanted", .warning))
  }

  @Test(arguments: [(0, 1), (4, 5), (9, 8)])
  func `The key after a deleted one is selected`(_ gone: Int64, _ selected: Int64) throws {
    var bench = bench()
    bench.command("redo")
    let replay = try replay(bench)
    bench.numbers.removeAll { $0 == gone }
    bench.run(replay, .init(.success(step(gone))))
    #expect(bench.selected == .integer(selected))
    #expect(bench.state.value?.key == .integer(selected))
    #expect(bench.rows == Array(0..<10).filter { $0 != gone })
    #expect(
      bench.state.message
        == Message("redone: the deletion of \(gone); u undoes the store's last change"))
  }

  @Test func `An empty store has no selection`() throws {
    var bench = bench(3..<4)
    bench.command("undo")
    let replay = try replay(bench)
    bench.numbers = []
    bench.run(replay, .init(.success(step(3, .write))))
    #expect(bench.selected == nil)
    #expect(bench.state.value == nil)
    #expect(bench.state.keys?.seeking == nil)
  }

  @Test func `The selection stays on its screen row`() throws {
    var bench = bench(0..<1_000)
    for _ in 0..<5 { bench.run(.command("down")) }
    bench.command("undo")
    bench.run(try replay(bench), .init(.success(step(700))))
    #expect(bench.selected == .integer(700))
    let cursor = try #require(bench.state.keys?.cursor)
    #expect(cursor.index - cursor.top == 5)
    bench.run(.command("up"))
    #expect(bench.selected == .integer(699))
  }

  @Test func `A filter is kept`() throws {
    var bench = bench(0..<100)
    bench.run(.command("filter", argument: "5"))
    bench.command("undo")
    bench.run(try replay(bench), .init(.success(step(42))))
    #expect(bench.rows.allSatisfy { String($0).contains("5") })
    #expect(bench.selected == .integer(45))
  }

  @Test func `Several entries are counted`() throws {
    var bench = bench()
    bench.command("undo")
    bench.run(try replay(bench), .init(.success(step(2, count: 12))))
    #expect(bench.state.message?.text == "undone: the deletion of 2 and 11 more; Ctrl-R redoes it")
  }

  @Test func `A conflict names its entry and keeps the list`() throws {
    var bench = bench()
    bench.command("undo")
    let theirs = Entry(key: .integer(4), value: .text("other"))
    bench.answer(try replay(bench), .init(.failure(.conflict(current: theirs))))
    #expect(bench.pages.isEmpty)
    #expect(bench.rows == Array(0..<10))
    #expect(
      bench.state.message
        == Message(
          "nothing was undone: 4 was changed by another program since then; :undo followed by a "
            + "space lists them",
          .error))
  }

  @Test func `A refusal names the change and the next one that can be undone`() throws {
    var bench = bench()
    bench.command("undo")
    let theirs = Entry(key: .integer(4), value: .text("other"))
    bench.answer(
      try replay(bench),
      .init(
        .failure(.conflict(current: theirs)), refused: RefusedChange(number: 12, next: 11)))
    #expect(
      bench.state.message?.text
        == "nothing was undone: 4 was changed by another program since then (change 12); change 11 "
        + "can be undone (:undo 11); :undo followed by a space lists them")
  }

  @Test func `A conflict dialog is shown only if undo would change something`() throws {
    let (old, new) = (StoredValue.text("old"), StoredValue.text("new"))
    let key = EntryKey.integer(4)
    func replayed(_ theirs: StoredValue?, to value: StoredValue?) throws -> Bench {
      var bench = self.bench()
      bench.command("undo")
      let to = value.map { Entry(key: key, value: $0) } ?? Entry(key: key)
      bench.answer(
        try replay(bench),
        .init(
          .failure(.conflict(current: theirs.map { Entry(key: key, value: $0) })),
          refused: RefusedChange(
            number: 12, next: nil,
            conflict: UndoConflict(
              expected: Entry(key: key, value: new), found: Entry(key: key), outcome: to))))
      return bench
    }
    var bench = try replayed(.text("theirs"), to: old)
    guard case .conflict(let box) = bench.state.overlay else {
      Issue.record("there is no box")
      return
    }
    #expect(box.base == new && box.mine == old && box.theirs?.value == .text("theirs"))
    let names = box.comparison.names
    #expect(
      [names.before, names.left, names.right] == ["as you left it", "now", "as undo makes it"])
    #expect([names.beforeMark, names.leftMark, names.rightMark] == ["l", "n", "u"])
    bench.command("keep-mine")
    let effect = try #require(bench.effects.first)
    #expect(effect.isWrite && effect.writtenStore == Bench.reference)
    // Another program made the same change already: it deleted the added entry or restored the old
    // one.
    for (theirs, value) in [(nil, nil), (old, old)] as [(StoredValue?, StoredValue?)] {
      let other = try replayed(theirs, to: value)
      #expect(other.state.overlay == nil)
      #expect(other.state.message?.text.hasPrefix("nothing was undone: ") == true)
    }
  }

  @Test func `A change is chosen by number`() throws {
    var bench = bench()
    bench.command("undo", "11")
    #expect(try replay(bench).request == ReplayRequest(step: 11))
    var other = self.bench()
    other.command("redo", "last")
    #expect(other.effects.isEmpty)
    #expect(
      other.state.message
        == Message(
          "“last” is not the number of a change; :redo followed by a space lists them", .error))
  }

  @Test func `Nothing to undo is reported`() throws {
    var bench = bench()
    bench.command("undo")
    bench.answer(try replay(bench), .init(.failure(.notFound("nothing to undo in this store"))))
    #expect(bench.effects.isEmpty)
    #expect(bench.state.message == Message("nothing to undo in this store", .warning))
  }

  @Test func `Undo needs a journal and a writable store`() {
    var bench = Bench.ready()
    bench.command("undo")
    #expect(bench.effects.isEmpty)
    #expect(bench.state.message?.kind == .warning)
    #expect(bench.state.refusalCount == 1)
    bench = Bench.ready(isReadOnly: true, capabilities: Self.capabilities)
    bench.command("redo")
    #expect(bench.effects.isEmpty)
    #expect(bench.state.message?.text.contains("--read-only") == true)
  }

  @Test func `Commands typed ahead wait for the list`() throws {
    var bench = bench()
    let delete = try #require(Command.named("delete"))
    bench.command("undo")
    #expect(bench.state.isTooEarly(for: delete))
    bench.answer(try replay(bench), .init(.success(step(7))))
    #expect(bench.state.isTooEarly(for: delete))
    bench.settle()
    #expect(!bench.state.isTooEarly(for: delete))
  }

  @Test func `Another store opened meanwhile is not affected`() throws {
    var bench = bench()
    bench.command("undo")
    let other = StoreReference(location: Bench.location, collection: "others")
    let replay = try replay(bench)
    let elsewhere = ReplayChange(store: other, request: replay.request, ticket: replay.ticket)
    bench.answer(elsewhere, .init(.success(step(7))))
    #expect(bench.effects.isEmpty)
    #expect(bench.state.message?.text.hasPrefix("undone in numbers.db: the deletion of 7") == true)
    #expect(bench.state.message?.text.contains("redoes it") == false, "not here")
  }

  @Test func `A list that cannot be read ends the search for the entry`() throws {
    var bench = bench()
    bench.command("undo")
    bench.answer(try replay(bench), .init(.success(step(7))))
    bench.answer(try bench.effect(LoadPage.self), .failed(.busy("locked")))
    #expect(bench.state.keys?.seeking == nil)
    #expect(bench.state.message == Message("locked", .error))
  }
}
