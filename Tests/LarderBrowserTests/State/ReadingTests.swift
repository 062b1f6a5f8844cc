import LarderFormats
import LarderModel
import LarderBrowser
import Testing

/// Trees, searches and copies in the value pane.
@Suite struct ReadingTests {
  private static let text = """
    {"users":[{"name":"Ada","born":1815},{"name":"Grace","tags":["navy","cobol"]}],"odd name":true}
    """

  /// Returns a browser with the value pane focused.
  private func bench(
    _ value: StoredValue = .text(text), height: Int = 40, width: Int = 60
  ) -> Bench {
    var bench = Bench.ready(value: value)
    bench.send(.viewportChanged(Viewport(stores: 10, keys: 10, value: height, valueWidth: width)))
    bench.command("open")
    return bench
  }

  private func rows(_ bench: Bench) -> [String] {
    guard let value = bench.state.value else { return [] }
    return (0..<value.rowCount).map { value.line(at: $0).text }
  }

  private func selected(_ bench: Bench) -> String {
    bench.state.value.map { $0.line(at: $0.cursor.index).text } ?? ""
  }

  @Test func `Enter folds and unfolds the selection`() {
    var bench = bench()
    bench.command("down")
    #expect(selected(bench) == "  \"users\": [")
    bench.command("open")
    #expect(rows(bench) == ["{", "  \"users\": […],  2 elements", "  \"odd name\": true", "}"])
    #expect(selected(bench) == "  \"users\": […],  2 elements")
    bench.command("open")
    #expect(rows(bench).count == 16)
    for _ in 0..<12 { bench.command("down") }
    #expect(selected(bench) == "  ],")
    bench.command("open")
    #expect(selected(bench) == "  \"users\": […],  2 elements")
  }

  @Test func `Moving in and out follows the tree`() {
    var bench = bench()
    for _ in 0..<4 { bench.command("into") }
    #expect(bench.state.value?.path == "users[0].name")
    bench.command("back")
    #expect(bench.state.value?.path == "users[0]")
    bench.command("back")
    #expect(selected(bench) == "    {…},  2 members")
    bench.command("back")
    #expect(bench.state.value?.path == "users")
    bench.command("back")
    bench.command("back")
    #expect(bench.state.value?.path == nil)
    #expect(bench.state.focus == .value)
    bench.command("back")
    #expect(bench.state.focus == .keys)
  }

  @Test func `Whole levels are folded and unfolded`() {
    var bench = bench()
    bench.command("fold", "1")
    #expect(rows(bench).count == 4)
    bench.command("unfold")
    #expect(
      rows(bench)[1...4] == [
        "  \"users\": [", "    {…},  2 members", "    {…}  2 members", "  ],",
      ])
    bench.command("unfold-all")
    #expect(rows(bench).count == 16)
    bench.command("fold")
    #expect(rows(bench).contains("      \"tags\": […]  2 elements"))
    for _ in 0..<10 { bench.command("fold") }
    #expect(rows(bench).count == 4)
    bench.command("fold", "x")
    #expect(bench.state.message?.kind == .error)
  }

  @Test func `The selection stays on its screen row when levels are folded`() {
    let items = (0..<60).map { "{\"n\":\($0),\"m\":[1,2]}" }.joined(separator: ",")
    var bench = bench(.text("[\(items)]"), height: 10)
    bench.command("search", "40")
    let row = bench.state.value.map { $0.cursor.index - $0.cursor.top }
    bench.command("fold", "1")
    #expect(selected(bench).contains("{…}"))
    #expect(bench.state.value.map { $0.cursor.index - $0.cursor.top } == row)
    #expect(bench.state.value?.path == "[40]")
  }

  @Test func `A duplicate name is indicated`() {
    let bench = bench(.text("{\"x\":{\"a\":1,\"b\":2,\"a\":[3],\"a\":{}}}"))
    let rows = rows(bench).filter { $0.contains("\"a\"") }
    #expect(rows.map { $0.contains("duplicate name") } == [false, true, true])
  }

  @Test func `Values without members are not trees`() {
    var bench = bench(.text("plain"))
    for id in ["fold", "unfold", "unfold-all"] {
      bench.command(id)
      #expect(bench.state.message?.text.contains("not shown as a tree") == true)
    }
    bench.command("copy-path")
    #expect(bench.state.message?.text.contains("no part of the value is selected") == true)
  }

  @Test func `Names in a path that are not identifiers are quoted`() {
    var bench = bench()
    bench.command("search", "odd")
    #expect(bench.state.value?.path == "[\"odd name\"]")
  }

  @Test func `The selection is copied`() {
    var bench = bench()
    bench.command("search", "grace")
    bench.command("copy")
    #expect(bench.terminalOrder == .copy("Grace", isSecret: false))
    bench.command("copy-path")
    #expect(bench.terminalOrder == .copy("users[1].name", isSecret: false))
    bench.command("copy-key")
    #expect(bench.terminalOrder == .copy("0", isSecret: false))
    bench.command("copy-value")
    #expect(bench.terminalOrder == .copy(Self.text, isSecret: false))
    bench.command("first")
    bench.command("copy")
    #expect(bench.terminalOrder == .copy(Self.text, isSecret: false))
    bench.command("search", "tags")
    bench.command("copy")
    #expect(bench.terminalOrder == .copy("[\n  \"navy\",\n  \"cobol\"\n]", isSecret: false))
    bench.command("previous-pane")
    bench.command("copy")
    #expect(bench.terminalOrder == .copy(Self.text, isSecret: false))
  }

  @Test func `A search unfolds its match`() {
    var bench = bench()
    bench.command("fold", "1")
    bench.command("search", "COBOL")
    #expect(bench.state.message?.text == "“COBOL” is not in the value")
    #expect(rows(bench).count == 4)
    bench.command("search", "cobol")
    #expect(bench.state.message == nil)
    #expect(bench.state.value?.path == "users[1].tags[1]")
    #expect(selected(bench).contains("cobol"))
    #expect(
      bench.state.value.map { $0.line(at: $0.cursor.index) }?.parts.first { $0.mark == .match }?
        .text == "cobol")
  }

  @Test func `The next match is found in both directions and wraps around`() {
    var bench = bench()
    bench.command("search", "name")
    var paths: [String?] = []
    for id in ["find-next", "find-next", "find-next", "find-previous", "find-previous"] {
      paths.append(bench.state.value?.path)
      bench.command(id)
      if paths.count == 3 {
        #expect(bench.state.message?.text == "continued from the start of the value")
      }
    }
    #expect(
      paths == [
        "users[0].name", "users[1].name", "[\"odd name\"]", "users[0].name", "[\"odd name\"]",
      ])
  }

  @Test func `Escape ends a search first`() {
    var bench = bench()
    bench.command("search", "ada")
    #expect(bench.state.value?.search != nil)
    bench.send(.cancel)
    #expect(bench.state.value?.search == nil)
    #expect(bench.state.focus == .value)
    bench.command("find-next")
    #expect(bench.state.message?.text.contains("press / first") == true)
    bench.send(.cancel)
    #expect(bench.state.focus == .keys)
  }

  @Test func `The search text is typed in a prompt`() {
    var bench = bench()
    bench.command("search")
    bench.type("1815")
    bench.send(.submit)
    #expect(bench.state.overlay == nil)
    #expect(bench.state.value?.path == "users[0].born")
  }

  @Test func `Text is found anywhere`() {
    let lines = (0..<5_000).map { "line \($0) of text" }.joined(separator: "\n")
    var bench = bench(.text(lines), height: 10)
    bench.command("search", "line 4321 ")
    #expect(bench.state.value.map { $0.line(at: $0.cursor.top).text } == "line 4321 of text")
    bench.command("search", "line 4999")
    #expect(bench.state.value?.cursor.top == 4_990)
    bench.command("find-next")
    #expect(bench.state.message?.text == "continued from the start of the value")
    bench.command("search", "LINE")
    #expect(bench.state.message?.kind == .warning)
  }

  @Test func `Every match on one screen is reached`() {
    var bench = bench(.text("one x\ntwo x\nthree x"), height: 10)
    bench.command("search", "x")
    var places = 0
    repeat {
      places += 1
      bench.command("find-next")
    } while bench.state.message == nil && places < 10
    #expect(places == 3)
  }

  @Test func `A match that continues in the next row is marked in both`() {
    var bench = bench(.text(String(repeating: "a", count: 58) + "needle" + "b"), width: 60)
    bench.command("search", "needle")
    let marked = [0, 1].compactMap { row in
      bench.state.value?.line(at: row).parts.first { $0.mark == .match }?.text
    }
    #expect(marked == ["ne", "edle"])
  }

  @Test func `Single bytes are selected`() {
    var bench = bench(.data(Array(0..<64)), height: 4, width: 80)
    #expect(bench.state.value?.byte == 0)
    bench.command("into")
    bench.command("down")
    #expect(bench.state.value?.byte == 17)
    bench.command("last")
    #expect(bench.state.value?.byte == 63)
    bench.command("back")
    #expect(bench.state.value?.byte == 62)
    bench.command("search", "AB")
    bench.command("first")
    #expect(bench.state.value?.byte == 0)
    bench.command("back")
    #expect(bench.state.focus == .keys)
  }

  @Test func `Bytes are found by their text`() {
    var bench = bench(.data([0, 1, 2, 3] + Array("PNG".utf8) + [0xFF]))
    bench.command("search", "png")
    #expect(bench.state.value?.byte == 4)
    bench.command("find-next")
    #expect(bench.state.message?.text == "continued from the start of the value")
  }

  @Test func `Folds stay when the value is reloaded`() {
    var bench = bench()
    bench.command("down")
    bench.command("open")
    let before = rows(bench)
    bench.run(.command("reload"), value: .text(Self.text))
    #expect(rows(bench) == before)
  }

  @Test func `The scroll position stays when the width changes`() {
    let text = (0..<2_000).map { "line \($0) " + String(repeating: "x", count: 70) }
      .joined(separator: "\n")
    var bench = bench(.text(text), height: 10, width: 40)
    bench.command("search", "line 1500 ")
    bench.send(.viewportChanged(Viewport(stores: 10, keys: 10, value: 10, valueWidth: 90)))
    #expect(
      bench.state.value.map { $0.line(at: $0.cursor.top).text.hasPrefix("line 1500 ") } == true)
  }
}
