import LarderModel
import LarderFormats
import LarderBrowser
import Testing

/// Editing and writing values.
@Suite struct EditingTests {
  private let row = StoredValue.record([.init("name", .text("Ada")), .init("born", .integer(1815))])

  private func editor(_ bench: Bench) throws -> EditorModel {
    guard case .editor(let editor) = bench.state.overlay else {
      throw StoreError.failed("no editor is open")
    }
    return editor
  }

  private func written(_ bench: Bench) throws -> (entry: Entry, query: ReplaceQuery) {
    let save = try bench.first(WriteEntry.self)
    return (save.entry, save.query)
  }

  private func clear(_ bench: inout Bench) throws {
    for _ in try editor(bench).buffer.characters { bench.send(.edit(.deleteBackward)) }
  }

  @Test func `A value is replaced only if it is unchanged in the store`() throws {
    var bench = Bench.ready()
    bench.command("edit")
    #expect(bench.effects.isEmpty)
    bench.type("!")
    bench.send(.submit)
    let save = try bench.only(WriteEntry.self)
    #expect(save.store == Bench.reference)
    #expect(save.entry == Entry(key: .integer(0), value: .text("value!")))
    #expect(save.query == ReplaceQuery(.integer(0), expecting: Fingerprint(of: .text("value"))))
    bench.send(.submit)
    #expect(bench.effects.isEmpty, "it is being written already")
    bench.type("x")
    #expect(try editor(bench).buffer.text == "value!", "what is being written is not changed")
    bench.send(.cancel)
    #expect(bench.state.message == Message("still writing 0", .warning))
    bench.answer(save, .success(Entry(key: .integer(0), value: .text("value!"))))
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Message("saved 0"))
    #expect(bench.reads == [.integer(0)])
  }

  @Test func `A column is edited in its row`() throws {
    var bench = Bench.ready(value: row)
    bench.command("open")
    bench.command("down")
    bench.command("edit")
    #expect(try editor(bench).part == ValuePart(column: "born"))
    #expect(try editor(bench).type == .integer)
    bench.type("x")
    #expect(try editor(bench).problem == "not a whole number")
    bench.send(.submit)
    #expect(bench.effects.isEmpty)
    bench.send(.edit(.deleteBackward))
    #expect(try editor(bench).problem == nil)
    bench.type("0")
    bench.send(.submit)
    #expect(
      try written(bench).entry.value
        == .record([.init("name", .text("Ada")), .init("born", .integer(18_150))]))
    #expect(try written(bench).query.expecting == Fingerprint(of: row))
  }

  @Test func `A number of another type names the key that changes the type`() throws {
    var bench = Bench.ready(value: .integer(3))
    bench.command("edit")
    bench.type(".70")
    #expect(try editor(bench).problem == "not a whole number; Ctrl-T changes the type")
    bench.type("x")
    #expect(try editor(bench).problem == "not a whole number")
  }

  @Test(arguments: [("value", "Enter"), ("two\nlines", "Ctrl-S")])
  func `Leaving names the key that saves`(_ text: String, _ key: String) {
    var bench = Bench.ready(value: .text(text))
    bench.command("edit")
    bench.type("!")
    bench.send(.cancel)
    #expect(
      bench.state.message?.text
        == "not saved: Esc again discards it, \(key) saves it")
  }

  @Test func `A row in another format is edited as a whole`() throws {
    var bench = Bench.ready(value: row)
    bench.command("format")
    bench.command("edit")
    #expect(try editor(bench).part.isWhole)
    #expect(try editor(bench).type == .record)
    #expect(try editor(bench).buffer.text == "{\n  \"name\": \"Ada\",\n  \"born\": 1815\n}")
  }

  @Test(arguments: [StoredValue.text("a"), .null, .real(0.1), .data([1, 2])])
  func `An unchanged value is not written`(_ value: StoredValue) {
    var bench = Bench.ready(value: value)
    bench.command("edit")
    bench.send(.submit)
    #expect(bench.effects.isEmpty)
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Message("0 is unchanged; nothing was written"))
  }

  @Test func `Null becomes an empty text only on request`() throws {
    var bench = Bench.ready(value: .null)
    bench.command("edit")
    for _ in 0..<5 { bench.send(.changeType) }
    #expect(try editor(bench).type == .text)
    bench.send(.submit)
    #expect(try written(bench).entry.value == .text(""))
  }

  @Test(arguments: ["false", "", "two\nlines\t\r\n", "é"])
  func `Bytes that are valid text are edited as text and stay bytes`(_ text: String) throws {
    var bench = Bench.ready(value: .data(Array(text.utf8)))
    bench.command("edit")
    #expect(try editor(bench).buffer.text == text)
    #expect(try editor(bench).type == .data)
    #expect(try !editor(bench).isHex)
    bench.type("!")
    bench.send(.submit)
    #expect(
      try written(bench).entry.value == .data(Array("!\(text)".utf8))
        || written(bench).entry.value == .data(Array("\(text)!".utf8)))
  }

  @Test(arguments: [[0xFF], [0x00], [0x1B, 0x41], [0x7F], [0xC2, 0x85]] as [[UInt8]])
  func `Other bytes are edited as hex`(_ bytes: [UInt8]) throws {
    var bench = Bench.ready(value: .data(bytes))
    bench.command("edit")
    #expect(try editor(bench).isHex)
    bench.type("41 ")
    bench.send(.submit)
    let value = try written(bench).entry.value
    #expect(value == .data([0x41] + bytes) || value == .data(bytes + [0x41]))
  }

  @Test func `Changing the type of bytes converts their text and not their hex digits`() throws {
    var bench = Bench.ready(value: .data(Array("false".utf8)))
    bench.command("edit")
    bench.send(.changeType)
    bench.send(.changeType)
    bench.send(.submit)
    #expect(try written(bench).entry.value == .text("false"))

    // This also works from the hex view, which undo does not turn back into text.
    bench = Bench.ready(value: .data(Array("12".utf8)))
    bench.command("format", "hex")
    bench.command("edit")
    #expect(try editor(bench).buffer.text == "31 32")
    while try editor(bench).type != .integer { bench.send(.changeType) }
    for _ in 0..<3 { bench.send(.edit(.undo)) }
    bench.send(.submit)
    #expect(try written(bench).entry.value == .integer(12))
  }

  @Test func `Bytes that are not text can only become null`() throws {
    var bench = Bench.ready(value: .data([0, 0xFF]))
    bench.command("edit")
    bench.send(.changeType)
    #expect(try editor(bench).type == .null)
    #expect(try editor(bench).buffer.text.isEmpty)
    bench.send(.changeType)
    #expect(try editor(bench).type == .data)
    #expect(try editor(bench).buffer.text == "00 ff")
    bench.type("01 ")
    bench.send(.submit)
    #expect(try written(bench).entry.value?.type == .data)
  }

  @Test func `Null is written immediately whatever was typed`() throws {
    var bench = Bench.ready(value: .text("old"))
    bench.command("edit")
    bench.type("more")
    bench.send(.makeNull)
    #expect(try written(bench).entry.value == .null)
    // The text returns with any other type.
    bench = Bench.ready(value: .text("old"))
    bench.command("edit")
    while try editor(bench).type != .null { bench.send(.changeType) }
    while try editor(bench).type != .data { bench.send(.changeType) }
    bench.send(.submit)
    #expect(try written(bench).entry.value == .data(Array("old".utf8)))
  }

  @Test func `A column that is not nullable cannot be null`() throws {
    let row = StoredValue.record([.init("a", .text("x")), .init("b", .text("y"))])
    let columns = ["a", "b"].map { name in
      NewColumn(name: name, type: "TEXT", form: .text, isNullable: name == "b")
    }
    var bench = Bench.ready(value: row, newColumns: columns)
    bench.command("open")
    bench.command("edit")
    #expect(try !editor(bench).isNullable)
    for _ in 0..<6 {
      bench.send(.changeType)
      #expect(try editor(bench).type != .null)
    }
    bench.send(.cancel)
    bench.send(.cancel)
    bench.command("down")
    bench.command("edit")
    #expect(try editor(bench).isNullable)
    bench.send(.makeNull)
    #expect(
      try written(bench).entry.value
        == .record([.init("a", .text("x")), .init("b", .null)]))
  }

  @Test func `New bytes are typed as text or hex`() throws {
    var bench = Bench.ready()
    bench.run(.command("add", argument: "77"))
    bench.type("41")
    while try editor(bench).type != .data { bench.send(.changeType) }
    #expect(try editor(bench).buffer.text == "41")
    bench.send(.changeType)
    #expect(try editor(bench).isHex)
    #expect(try editor(bench).buffer.text == "34 31")
    bench.send(.submit)
    #expect(try written(bench).entry.value == .data([0x34, 0x31]))
  }

  @Test func `Changing the type cycles through all types`() throws {
    var bench = Bench.ready()
    bench.command("edit")
    var types: [StoredType] = []
    for _ in 0..<5 {
      bench.send(.changeType)
      types.append(try editor(bench).type)
    }
    #expect(types == [.integer, .real, .data, .null, .text])
    #expect(try editor(bench).problem == nil)
  }

  @Test func `A structure keeps its type`() throws {
    var bench = Bench.ready(value: .array([.integer(1)]))
    bench.command("edit")
    bench.send(.changeType)
    #expect(try editor(bench).type == .array)
  }

  @Test func `Typed text is discarded only by a second Escape`() {
    var bench = Bench.ready()
    bench.command("edit")
    bench.type("!")
    bench.send(.cancel)
    #expect(bench.state.isTyping)
    #expect(bench.state.message?.kind == .warning)
    bench.type("?")
    bench.send(.cancel)
    #expect(bench.state.isTyping, "typing again asks again")
    bench.send(.cancel)
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Message("discarded your changes to 0"))
  }

  @Test func `An unchanged editor closes immediately`() {
    var bench = Bench.ready()
    bench.command("edit")
    bench.send(.cancel)
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == nil)
  }

  @Test func `A new entry is written only if its key does not exist`() throws {
    var bench = Bench.ready()
    bench.command("add")
    bench.run(.edit(.insert("42")))
    bench.run(.submit)
    #expect(try editor(bench).key == .integer(42))
    bench.type("hello")
    bench.send(.submit)
    let save = try bench.only(WriteEntry.self)
    #expect(save.store == Bench.reference)
    #expect(save.entry == Entry(key: .integer(42), value: .text("hello")))
    #expect(save.query == ReplaceQuery(.integer(42), expecting: nil))
    bench.numbers.append(42)
    bench.run(save, .success(Entry(key: .integer(42), value: .text("hello"))))
    #expect(bench.selected == .integer(42))
    #expect(bench.rows == Array(0..<10) + [42])
    #expect(bench.state.keys?.total == .exactly(11))
  }

  @Test func `A generated column is not opened in the editor`() throws {
    let row = StoredValue.record([.init("a", .integer(1)), .init("b", .integer(2))])
    var bench = Bench.ready(value: row, computedFields: ["b"])
    bench.command("open")
    bench.command("down")
    bench.command("edit")
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message?.text.contains("computes the column b") == true)
    bench.command("up")
    bench.command("edit")
    #expect(try editor(bench).part == ValuePart(column: "a"))
  }

  @Test func `A failed write keeps the typed text`() throws {
    var bench = Bench.ready()
    bench.command("edit")
    bench.type("!")
    bench.send(.submit)
    #expect(try editor(bench).saving != nil)
    bench.answer(try bench.effect(WriteEntry.self), .failure(.busy("the database is locked")))
    #expect(try editor(bench).problem == "the database is locked")
    #expect(try editor(bench).buffer.text == "value!")
    bench.send(.submit)
    #expect(try editor(bench).saving != nil)
  }
}
