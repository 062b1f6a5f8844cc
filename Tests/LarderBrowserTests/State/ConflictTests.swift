import LarderModel
import LarderBrowser
import Testing

/// Writes and deletions that conflict with changes by another program.
@Suite struct ConflictTests {
  private static func row(_ name: String, _ born: Int64) -> StoredValue {
    .record([.init("name", .text(name)), .init("born", .integer(born))])
  }

  private let theirs = Entry(key: .integer(0), value: row("Ada", 1816))

  /// Returns a browser whose change to a name was refused; nil means that the row was deleted.
  private func refused(_ theirs: Entry?) throws -> Bench {
    var bench = Bench.ready(value: Self.row("Ada", 1815))
    bench.command("open")
    bench.command("edit")
    bench.type("!")
    bench.send(.submit)
    bench.answer(try bench.first(WriteEntry.self), .failure(.conflict(current: theirs)))
    return bench
  }

  private func conflict(_ bench: Bench) throws -> ConflictModel {
    guard case .conflict(let conflict) = bench.state.overlay else {
      throw StoreError.failed("there is no conflict")
    }
    return conflict
  }

  private func written(_ bench: Bench) throws -> (value: StoredValue?, expecting: Fingerprint?) {
    let save = try bench.first(WriteEntry.self)
    return (save.entry.value, save.query.expecting)
  }

  @Test func `Both values are shown`() throws {
    let conflict = try self.conflict(refused(theirs))
    #expect(conflict.mine == Self.row("Ada!", 1816))
    #expect(conflict.theirs?.value == Self.row("Ada", 1816))
    #expect(conflict.base == Self.row("Ada", 1815))
    #expect(conflict.title == "0")
  }

  @Test func `Keeping mine preserves their changes to other columns`() throws {
    var bench = try refused(theirs)
    bench.command("keep-mine")
    #expect(try written(bench).value == Self.row("Ada!", 1816))
    #expect(try written(bench).expecting == theirs.fingerprint)
  }

  @Test func `A second conflict is shown again`() throws {
    var bench = try refused(theirs)
    bench.command("keep-mine")
    let newer = Entry(key: .integer(0), value: Self.row("Ada", 1817))
    bench.answer(try bench.first(WriteEntry.self), .failure(.conflict(current: newer)))
    #expect(try conflict(bench).mine == Self.row("Ada!", 1817))
  }

  @Test func `Keeping theirs leaves the store unchanged`() throws {
    var bench = try refused(theirs)
    bench.command("keep-theirs")
    #expect(bench.state.overlay == nil)
    #expect(bench.pages.count == 1, "what others did beside it is read, too")
    bench.settle()
    #expect(bench.selected == .integer(0))
    #expect(bench.state.value?.entry.value?.value == .text("value"))
    #expect(bench.state.message == Message("kept their version; nothing was written"))
  }

  @Test func `Escape discards no text`() throws {
    var bench = try refused(theirs)
    bench.send(.cancel)
    guard case .editor(let editor) = bench.state.overlay else {
      Issue.record("the text is gone")
      return
    }
    #expect(editor.buffer.text == "Ada!")
  }

  @Test func `Editing again keeps the text and overwrites theirs`() throws {
    var bench = try refused(theirs)
    bench.command("edit-again")
    guard case .editor(let editor) = bench.state.overlay else {
      Issue.record("no editor is open")
      return
    }
    #expect(editor.buffer.text == "Ada!")
    #expect(editor.saving == nil)
    bench.type("?")
    bench.send(.submit)
    #expect(try written(bench).value == Self.row("Ada!?", 1816))
    #expect(try written(bench).expecting == theirs.fingerprint)
  }

  @Test func `The original value can be written over theirs`() throws {
    var bench = try refused(theirs)
    bench.command("edit-again")
    bench.send(.edit(.deleteBackward))
    bench.send(.submit)
    #expect(try written(bench).value == Self.row("Ada", 1816))
  }

  @Test func `Keeping mine over a deleted row writes the whole row again`() throws {
    var bench = try refused(nil)
    #expect(try conflict(bench).mine == Self.row("Ada!", 1815))
    bench.command("keep-mine")
    #expect(try written(bench).value == Self.row("Ada!", 1815))
    #expect(try written(bench).expecting == nil)
  }

  @Test func `Editing a deleted row again writes it again`() throws {
    var bench = try refused(nil)
    bench.command("edit-again")
    bench.send(.submit)
    #expect(try written(bench).value == Self.row("Ada!", 1815))
    #expect(try written(bench).expecting == nil)
  }

  @Test func `A new key that exists meanwhile is a conflict`() throws {
    var bench = Bench.ready()
    bench.run(.command("add", argument: "42"))
    bench.type("mine")
    bench.send(.submit)
    let other = Entry(key: .integer(42), value: .text("theirs"))
    bench.answer(try bench.first(WriteEntry.self), .failure(.conflict(current: other)))
    #expect(try conflict(bench).base == nil)
    #expect(try conflict(bench).mine == .text("mine"))
    bench.command("keep-mine")
    #expect(try written(bench).value == .text("mine"))
    #expect(try written(bench).expecting == other.fingerprint)
  }

  @Test func `A refused deletion asks again`() throws {
    var bench = Bench.ready()
    bench.command("delete")
    bench.command("yes")
    let other = Entry(key: .integer(0), value: .text("changed"))
    bench.answer(try bench.first(DeleteEntry.self), .failure(.conflict(current: other)))
    #expect(try conflict(bench).mine == nil)
    #expect(try conflict(bench).theirs == other)
    bench.command("edit-again")
    #expect(bench.state.message == Message("edit again: there is no text to go back to", .warning))
    bench.command("keep-mine")
    let delete = try bench.first(DeleteEntry.self)
    #expect(delete.query == EntryQuery(.integer(0), expecting: other.fingerprint))
  }

  @Test func `Text for a column that was dropped is shown and kept`() throws {
    let other = Entry(key: .integer(0), value: .record([.init("born", .integer(1816))]))
    var bench = try refused(other)
    #expect(try conflict(bench).mine == Self.row("Ada!", 1815))
    #expect(try conflict(bench).theirs?.value == other.value)
    bench.command("keep-mine")
    #expect(bench.effects.isEmpty)
    guard case .editor(let editor) = bench.state.overlay else {
      Issue.record("the text is gone")
      return
    }
    #expect(editor.buffer.text == "Ada!")
    #expect(editor.problem?.contains("no longer has a column") == true)
  }
}
