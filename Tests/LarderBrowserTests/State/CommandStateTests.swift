import LarderModel
@testable import LarderBrowser
import Testing

/// Unavailable commands, prompts, panes and stores.
@Suite struct CommandStateTests {
  @Test(arguments: ["filter", "reload", "cache", "edit", "add", "delete", "format", "copy"])
  func `Without a store, commands explain why they cannot run`(_ id: String) throws {
    var state = BrowserState()
    let title = try #require(Command.named(id)?.title)
    #expect(state.update(.command(id)).isEmpty)
    #expect(state.message == Message("\(title): no store is open", .warning))
  }

  @Test(arguments: ["edit", "add", "delete"])
  func `A read-only browser changes nothing`(_ id: String) throws {
    var bench = Bench.ready(isReadOnly: true)
    bench.command(id)
    #expect(bench.effects.isEmpty)
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Message("\(id): larder was started with --read-only", .warning))
  }

  @Test func `A store that cannot be changed explains it`() {
    var bench = Bench.ready(capabilities: [.ordered])
    bench.command("delete")
    #expect(bench.state.message == Message("delete: this store cannot be changed", .warning))
    bench = Bench.ready(capabilities: [.writable])
    bench.command("add")
    #expect(bench.state.message == Message("add: this store takes no new entries", .warning))
  }

  @Test func `An unknown command is an error`() {
    var bench = Bench.ready()
    bench.command("fly")
    #expect(bench.state.message?.kind == .error)
    #expect(bench.state.message?.text.contains("“fly”") == true)
  }

  @Test func `The palette runs a command by the start of its name`() {
    var bench = Bench.ready()
    bench.command("palette")
    bench.type("hel")
    bench.send(.submit)
    #expect(bench.state.help != nil)
  }

  @Test func `Enter runs the best match`() throws {
    var bench = Bench.ready()
    bench.enter("purg")
    #expect(bench.state.typedLine?.buffer.text == "delete-prefix ", "it asks for what follows")
    bench.send(.cancel)
    bench.enter("shortcuts")
    #expect(bench.state.help != nil)
    bench.send(.cancel)
    bench.enter("copy path")
    #expect(bench.state.typedLine != nil, "the second word is not dropped")
    bench.send(.cancel)
    bench.enter("goto 7")
    #expect(bench.state.overlay == nil)
    #expect(bench.state.history.lines(of: CommandPrompt()).suffix(2) == ["copy-path", "go 7"])
  }

  @Test func `A command that cannot run leaves the palette open`() {
    var bench = Bench.ready(isReadOnly: true)
    for text in ["zzz", "delete"] {
      bench.enter(text)
      #expect(bench.state.typedLine?.buffer.text == text)
      #expect(bench.state.message != nil)
      bench.type("d")
      #expect(bench.state.typedLine?.buffer.text == text + "d", "no key calls a command")
      bench.send(.cancel)
    }
    bench.enter("")
    #expect(bench.state.overlay == nil && bench.state.message == nil)
  }

  @Test func `The palette lists recent commands first and no movements`() throws {
    var bench = Bench.ready()
    bench.enter("tree x")
    bench.enter("reload")
    bench.command("palette")
    let prompt = try #require(bench.state.typedLine)
    #expect(prompt.suggestions.prefix(2).map(\.name) == ["reload", "tree"])
    #expect(prompt.highlighted(of: prompt.suggestions) == nil, "an empty line runs nothing")
    let names = Set(prompt.suggestions.map(\.name))
    #expect(names.isDisjoint(with: ["up", "page-down", "next-pane", "palette"]))
    #expect(names.isSuperset(of: ["go", "quit", "help", "expiry"]))
  }

  @Test func `A number goes to an entry`() throws {
    var bench = Bench.ready(0..<1_000)
    bench.enter("42")
    #expect(bench.selected == .integer(41))
    bench.enter("5000")
    let find = try bench.only(FindNumber.self)
    #expect(find.number == 5000)
    bench.answer(find, .success(.init(key: .integer(7), number: 8)))
    #expect(bench.state.keys?.soughtKey == .integer(7))
  }

  @Test func `Tab completes a command, and its argument can follow`() throws {
    var bench = Bench.ready()
    bench.command("palette")
    bench.type("fi")
    bench.send(.complete(by: 1))
    guard case .prompt(let prompt) = bench.state.overlay else {
      Issue.record("the prompt is gone")
      return
    }
    let first = try #require(prompt.suggestions.first)
    #expect(prompt.buffer.text == first.name)
    bench.send(.complete(by: 1))
    bench.send(.complete(by: -1))
    bench.send(.complete(by: -1))
    bench.send(.complete(by: 1))
    guard case .prompt(let again) = bench.state.overlay else {
      Issue.record("the prompt is gone")
      return
    }
    #expect(again.buffer.text == first.name)
    #expect(again.suggestions == prompt.suggestions)
    bench.send(.edit(.deleteToLineStart))
    bench.type("filt")
    bench.send(.complete(by: 1))
    bench.type(" 7")
    bench.send(.submit)
    #expect(bench.pages == [EntryPageQuery(filter: EntryFilter(.text("7")), limit: 200)])
  }

  @Test(
    arguments: [
      ("del", "delete"), ("prefix", "delete-prefix"), ("ctrl-r", "redo"), ("dltp", "delete-prefix"),
      ("clipboard", "copy"), ("ttl", "expiry"), ("x", "expiry"), ("diff", "compare"),
      ("exit", "quit"), ("sql", "filter"), ("table", "grid"), ("copy path", "copy-path"),
    ])
  func `The palette finds commands by name, key, letters and help`(_ typed: String, _ id: String)
    throws
  {
    var bench = Bench.ready()
    bench.command("palette")
    bench.type(typed)
    guard case .prompt(let prompt) = bench.state.overlay else {
      Issue.record("the prompt is gone")
      return
    }
    #expect(prompt.suggestions.first?.name == id)
    bench.send(.complete(by: 1))
    guard case .prompt(let completed) = bench.state.overlay else {
      Issue.record("the prompt is gone")
      return
    }
    #expect(completed.command?.id == id)
  }

  @Test func `Letters that only resemble a command run nothing`() {
    var bench = Bench.ready()
    bench.enter("dltp")
    // The only possible command is suggested and needs a second Enter.
    guard case .prompt(let prompt) = bench.state.overlay else {
      Issue.record("the line is closed")
      return
    }
    #expect(prompt.command?.id == "delete-prefix")
    #expect(bench.state.refusalCount == 0)
  }

  @Test func `Refused commands are counted`() {
    var bench = Bench.ready()
    bench.command("palette")
    bench.type("no such command")
    bench.send(.submit)
    #expect(bench.state.refusalCount == 1)
    bench.send(.cancel)
    bench.command("sort", "color")
    #expect(bench.state.refusalCount == 2)
    bench.command("undo")
    #expect(bench.state.refusalCount == 3)
    bench.send(.misplaced("copy-path"))
    #expect(bench.state.refusalCount == 4)
    bench.run(.command("down"))
    bench.command("edit")
    bench.send(.cancel)
    #expect(bench.state.refusalCount == 4)
  }

  @Test func `A failed copy is not reported as copied`() {
    var bench = Bench.ready()
    bench.command("copy")
    #expect(bench.state.messages.items.count == 1)
    bench.send(.copyFailed("not copied"))
    #expect(bench.state.messages.items.map(\.message) == [Message("not copied", .error)])
  }

  @Test func `A secret is cleared from the clipboard only if nothing replaced it`() throws {
    var bench = Bench.ready()
    bench.send(.copied(isSecret: true))
    let wait = try bench.only(WaitToForgetCopy.self)
    bench.command("copy")
    bench.send(.copyFailed("not copied"))
    bench.answer(wait, ())
    #expect(bench.terminalOrder == .forgetCopy)
    bench.answer(wait, ())
    #expect(bench.effects.isEmpty)
    bench.send(.copied(isSecret: true))
    let next = try bench.only(WaitToForgetCopy.self)
    bench.command("copy")
    bench.send(.copied(isSecret: false))
    #expect(bench.effects.isEmpty)
    bench.answer(next, ())
    #expect(bench.effects.isEmpty)
  }

  @Test func `A failed copy of a large value still lets a secret be cleared`() throws {
    var bench = Bench.ready(value: .text(String(repeating: "x", count: 750_001)))
    bench.send(.copied(isSecret: true))
    bench.command("copy")
    #expect(bench.effects.isEmpty)
    try bench.answer(WaitToForgetCopy.self, ())
    #expect(bench.terminalOrder == .forgetCopy)
  }

  @Test func `A paste into a prompt becomes one line`() throws {
    var bench = Bench.ready()
    bench.command("open-store")
    bench.send(.edit(.insert("a\nb\r\nc")))
    guard case .prompt(let prompt) = bench.state.overlay else {
      Issue.record("the prompt is gone")
      return
    }
    #expect(prompt.buffer.text == "a b c")
    bench.send(.submit)
    #expect(bench.effects.count == 2 && bench.ends(.offers))
    let open = try bench.last(OpenLocation.self)
    #expect(open.id == LocationID(1) && open.text == "a b c")
  }

  @Test func `Escape returns to the list and stays there`() {
    var bench = Bench.ready()
    bench.command("open")
    #expect(bench.state.focus == .value)
    bench.send(.cancel)
    #expect(bench.state.focus == .keys)
    bench.send(.cancel)
    #expect(bench.state.focus == .keys, "pressing it once more keeps the focus")
    bench.command("back")
    bench.command("open")
    #expect(bench.state.focus == .keys)
    bench.send(.cancel)
    #expect(bench.state.focus == .stores, "it goes back to the previous pane")
    bench.send(.cancel)
    #expect(bench.state.focus == .stores)
    for pane in [BrowserState.Focus.keys, .value, .stores] {
      bench.command("next-pane")
      #expect(bench.state.focus == pane)
    }
    bench.command("previous-pane")
    #expect(bench.state.focus == .value)
  }

  @Test func `The open collection stays until another one has opened`() throws {
    var bench = Bench.ready(0..<100)
    bench.state.focus = .stores
    bench.command("down")
    let other = StoreReference(location: Bench.location, collection: "others")
    let open = try bench.only(OpenCollection.self)
    #expect(open.store == other)
    #expect(bench.state.keys?.store.reference == Bench.reference)
    bench.command("down")
    #expect(bench.effects.isEmpty)
    bench.answer(open, .failure(.corrupt("the table is damaged")))
    #expect(bench.state.message == Message("the table is damaged", .error))
    #expect(bench.state.keys?.store.reference == Bench.reference)
  }

  @Test func `A location that cannot be opened is listed as failed`() throws {
    var state = BrowserState()
    let effects = state.open("gone.db")
    #expect(effects.count == 1)
    let open = try #require(effects.first as? OpenLocation)
    #expect(open.id == LocationID(0) && open.text == "gone.db")
    let failure = StoreError.cannotOpen("gone.db does not exist")
    _ = state.update(.reply(EffectReply(.failure(failure), to: open)))
    #expect(state.message == Message("gone.db does not exist", .error))
    #expect(state.stores.rows.map(\.isFailed) == [true])
    #expect(state.stores.rows.map(\.note) == ["cannot be opened"])
    #expect(state.keys == nil)
  }

  @Test func `The value is copied`() {
    var bench = Bench.ready(
      value: .record([.init("name", .text("Ada")), .init("born", .integer(1815))]))
    bench.command("copy")
    let json = "{\n  \"name\": \"Ada\",\n  \"born\": 1815\n}"
    #expect(bench.terminalOrder == .copy(json, isSecret: false))
    bench.command("open")
    bench.command("down")
    bench.command("copy")
    #expect(bench.terminalOrder == .copy("1815", isSecret: false))
    #expect(bench.state.message == Message("copied the value (4 bytes)"))
    bench = Bench.ready(value: .text(String(repeating: "x", count: 2 << 20)))
    bench.command("copy")
    #expect(bench.effects.isEmpty)
    #expect(bench.state.message?.kind == .warning)
  }

  @Test func `A warning about a theme is shown`() {
    var bench = Bench.ready()
    bench.command("theme")
    #expect(bench.state.message == Message("there are no themes to choose from", .warning))
    bench.command("theme", "larder-light")
    #expect(bench.terminalOrder == .useTheme("larder-light"))
    bench.send(.themeChanged("larder-light", warnings: ["unknown role"]))
    #expect(bench.state.themes.shown == "larder-light")
    #expect(bench.state.message == Message("unknown role", .warning))
  }

  @Test func `Clicks and the wheel stay within their panes`() {
    var bench = Bench.ready(0..<100)
    bench.send(.click(.keys, row: 5))
    #expect(bench.selected == .integer(5))
    bench.send(.click(.keys, row: 99_999))
    #expect(bench.selected == .integer(99))
    bench.send(.click(.stores, row: 99))
    #expect(bench.effects.isEmpty)
    bench.send(.scroll(.keys, rows: -1_000))
    #expect(bench.state.keys?.cursor.top == 0)
    bench.command("help")
    bench.send(.click(.keys, row: 0))
    #expect(bench.selected != .integer(0))
    bench.send(.scroll(.keys, rows: 3))
    #expect(bench.state.help?.scroll == 3)
  }

  @Test func `Quitting ends the browser`() {
    var bench = Bench.ready()
    bench.command("quit")
    #expect(bench.terminalOrder == .quit)
    #expect(bench.state.isFinished)
  }

  @Test func `A space in quotes is a key separator`() {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .prefixes])
    bench.command("tree", "\" \"")
    #expect(bench.state.keys?.tree?.delimiter == " ")
    bench.command("tree", "\"")
    #expect(bench.state.keys?.tree?.delimiter == "\"")
    bench.command("tree", "\"\\u00b7\"")
    #expect(bench.state.keys?.tree?.delimiter == "\u{B7}")
  }
}

extension Bench {
  /// Types a line into the palette and submits it.
  fileprivate mutating func enter(_ text: String) {
    command("palette")
    type(text)
    send(.submit)
  }
}
