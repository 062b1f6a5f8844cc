import LarderModel
import LarderBrowser
import Testing

/// Editing values in an external editor.
@Suite struct OutsideEditingTests {
  private let row = StoredValue.record([.init("name", .text("Ada")), .init("born", .integer(1815))])

  private func given(_ bench: Bench) throws -> EditExternally {
    try bench.last(EditExternally.self)
  }

  private func editor(_ bench: Bench) throws -> EditorModel {
    guard case .editor(let editor) = bench.state.overlay else {
      throw StoreError.failed("no editor is open")
    }
    return editor
  }

  @Test func `The returned text replaces the original value`() throws {
    var bench = Bench.ready()
    bench.command("edit-outside")
    let edit = try given(bench)
    #expect(edit.text == ExternalText(name: "0.txt", text: "value", isStoredForm: true))
    // Editors end the last line with a line feed.
    bench.answer(edit, ExternalEditOutcome(text: "value\nand more\n"))
    let save = try bench.first(WriteEntry.self)
    #expect(save.entry == Entry(key: .integer(0), value: .text("value\nand more")))
    #expect(save.query == ReplaceQuery(.integer(0), expecting: Fingerprint(of: .text("value"))))
  }

  @Test func `Unchanged text is not written`() throws {
    var bench = Bench.ready()
    bench.command("edit-outside")
    bench.answer(try given(bench), ExternalEditOutcome(text: "value\n"))
    #expect(bench.effects.isEmpty)
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Message("0 is unchanged; nothing was written"))
  }

  @Test func `Text that no longer fits its type stays in the editor`() throws {
    var bench = Bench.ready(value: row)
    bench.command("open")
    bench.command("down")
    bench.command("edit-outside")
    let edit = try given(bench)
    #expect(edit.text == ExternalText(name: "0-born.txt", text: "1815"))
    bench.answer(edit, ExternalEditOutcome(text: "about 1815\n"))
    #expect(bench.effects.allSatisfy { !$0.isWrite })
    #expect(try editor(bench).problem == "not a whole number")
    #expect(try editor(bench).buffer.text == "about 1815")
    #expect(bench.state.message?.kind == .warning)
    bench.send(.handOver)
    #expect(try given(bench).text.text == "about 1815")
    bench.answer(try given(bench), ExternalEditOutcome(text: "1816"))
    #expect(try editor(bench).problem == nil)
    bench.send(.edit(.undo))
    #expect(try editor(bench).buffer.text == "about 1815", "what came back is one change")
  }

  @Test func `A failing editor changes nothing, and its text is not lost`() throws {
    var bench = Bench.ready()
    bench.command("edit-outside")
    bench.answer(try given(bench), ExternalEditOutcome(problem: "no such editor"))
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Message("no such editor", .error))
    bench.command("edit-outside")
    bench.answer(try given(bench), ExternalEditOutcome(text: "half", problem: "it crashed"))
    #expect(try editor(bench).buffer.text == "half")
    #expect(bench.effects.allSatisfy { !$0.isWrite })
  }

  @Test func `Unsaved text can be handed over to the external editor`()
    throws
  {
    var bench = Bench.ready()
    bench.command("edit-outside")
    let old = try given(bench)
    bench.answer(old, ExternalEditOutcome(text: "value\n"))
    bench.command("edit")
    bench.type("!")
    bench.send(.handOver)
    #expect(try given(bench).text.text == "value!")
    bench.send(.handOver)
    #expect(bench.effects.isEmpty, "it is there already")
    bench.answer(old, ExternalEditOutcome(text: "another's"))
    #expect(try editor(bench).buffer.text == "value!")
  }

  @Test func `Text returned unchanged keeps earlier edits`() throws {
    var bench = Bench.ready()
    bench.command("edit")
    bench.type("!")
    bench.send(.handOver)
    bench.answer(try given(bench), ExternalEditOutcome(text: "value!\n"))
    #expect(try editor(bench).buffer.text == "value!")
    #expect(try editor(bench).isChanged)
  }

  @Test(arguments: [
    ("user:42:token", "abc", "user_42_token.txt"),
    ("a/b/config.yaml", "x: 1", "config.yaml"),
    ("settings", " {\"a\": 1}", "settings.json"),
    ("../..", "<map/>", "value.xml"),
    ("-rf", "", "rf.txt"),
    ("Ünï\u{1b}[31m", "x", "_n___31m.txt"),
    (".bashrc", "x", "bashrc.txt"),
    ("", "x", "value.txt"),
  ])
  func `The name of a temporary file is harmless`(key: String, text: String, name: String) {
    #expect(ExternalText(text, key: key, isStoredForm: true).name == name)
  }

  @Test func `Bytes shown as hex do not get the extension of an image or archive`() {
    #expect(ExternalText("89 50 4e 47", key: "img.png").name == "img.png.txt")
    #expect(ExternalText("1f 8b", key: "a.gz", isStoredForm: false).name == "a.gz.txt")
  }

  @Test func `The file name for a long key is valid on any file system`() {
    let name = ExternalText("x", key: String(repeating: "k", count: 5_000)).name
    #expect(name.count < 100 && name.hasSuffix("k.txt"))
    let mark = ExternalText("x", key: "a-." + String(repeating: "k", count: 58)).name
    #expect(mark == String(repeating: "k", count: 58) + ".txt", "the last ones begin with a mark")
  }

  @Test func `Only a line ending added by the editor is removed`() {
    #expect(ExternalText(name: "a", text: "one").taken("two\r\n") == "two")
    #expect(ExternalText(name: "a", text: "one").taken("two\n\n") == "two\n")
    #expect(ExternalText(name: "a", text: "one\n").taken("two\n") == "two\n")
    #expect(ExternalText(name: "a", text: "").taken("") == "")
  }
}
