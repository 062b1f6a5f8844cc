import LarderModel
import LarderBrowser
import Testing

/// Input history and completion in prompts.
@Suite struct PromptHistoryTests {
  private func prompt(_ bench: Bench) throws -> PromptModel {
    guard case .prompt(let prompt) = bench.state.overlay else {
      throw StoreError.failed("no line is typed")
    }
    return prompt
  }

  private func take(_ command: String, _ line: String, _ bench: inout Bench) {
    bench.command(command)
    bench.type(line)
    bench.send(.submit)
  }

  @Test func `Earlier lines are recalled newest first, and then the typed text again`() throws {
    var bench = Bench.ready()
    take("go", "one", &bench)
    take("go", "two", &bench)
    take("go", "one", &bench)
    bench.command("go")
    bench.type("th")
    var seen: [String] = []
    for step in [-1, -1, -1, 1, 1, 1] {
      bench.send(.recall(by: step))
      seen.append(try prompt(bench).buffer.text)
    }
    #expect(seen == ["one", "two", "two", "one", "th", "th"])
  }

  @Test func `Each kind of prompt has its own history`() throws {
    var bench = Bench.ready()
    take("go", "a key", &bench)
    bench.command("palette")
    bench.send(.recall(by: -1))
    #expect(try prompt(bench).buffer.text == "")
  }

  @Test func `A recalled filter is applied like a typed one`() throws {
    var bench = Bench.ready()
    take("filter", "beta", &bench)
    bench.command("filter")
    for _ in 0..<4 { bench.send(.edit(.deleteBackward)) }
    bench.send(.recall(by: -1))
    #expect(bench.state.keys?.filterText == "beta")
    #expect(bench.has(LoadPage.self))
  }

  @Test func `A cancelled line is not in the history`() throws {
    var bench = Bench.ready()
    bench.command("go")
    bench.type("nothing")
    bench.send(.cancel)
    bench.command("go")
    bench.send(.recall(by: -1))
    #expect(try prompt(bench).buffer.text == "")
  }

  @Test func `Typing over a recalled line starts a new one`() throws {
    var bench = Bench.ready()
    take("go", "one", &bench)
    bench.command("go")
    bench.send(.recall(by: -1))
    bench.type("s")
    bench.send(.recall(by: 1))
    #expect(try prompt(bench).buffer.text == "ones")
  }

  @Test func `Keys with the typed prefix are suggested and completed`() throws {
    var bench = Bench.ready()
    bench.command("go")
    bench.type("u")
    let stale = try bench.last(FindCompletions.self)
    bench.type("s")
    let find = try bench.last(FindCompletions.self)
    #expect(find.query == .keys(Bench.reference, prefix: "us"))
    bench.answer(stale, .keys([.text("usual")]))
    #expect(try prompt(bench).suggestions == [])
    bench.answer(find, .keys([.text("user"), .text("user:1"), .text("usher")]))
    #expect(try prompt(bench).suggestions.map(\.name) == ["user", "user:1", "usher"])
    bench.send(.complete(by: 1))
    bench.send(.complete(by: 1))
    #expect(try prompt(bench).buffer.text == "user:1")
    #expect(try prompt(bench).suggestions.count == 3, "the others can still be had")
    bench.send(.complete(by: -1))
    bench.type("n")
    #expect(try prompt(bench).suggestions == [], "none of them fits any more")
  }

  @Test func `Tab pressed before the keys arrive completes when they do`() throws {
    var bench = Bench.ready()
    bench.command("go")
    bench.type("us")
    let find = try bench.last(FindCompletions.self)
    bench.send(.complete(by: 1))
    #expect(try prompt(bench).buffer.text == "us")
    bench.answer(find, .keys([.text("user"), .text("usher")]))
    #expect(try prompt(bench).buffer.text == "user")
  }

  @Test func `Completing the only folder suggests its contents`() throws {
    var bench = Bench.ready()
    bench.command("open-store")
    let first = try bench.last(FindCompletions.self)
    #expect(first.query == .paths(""))
    bench.answer(first, .paths(["data/"]))
    bench.send(.complete(by: 1))
    let second = try bench.last(FindCompletions.self)
    #expect(second.query == .paths("data/"), "the folder is looked into")
    bench.answer(second, .paths(["data/app.db", "data/notes/"]))
    bench.send(.complete(by: 1))
    #expect(try prompt(bench).buffer.text == "data/app.db")
  }

  @Test func `A change and its warnings are one message`() {
    var log = Bench.ready()
    log.send(.notice("one"))
    log.send(.warned("two"))
    log.send(.warned("three"))
    #expect(log.state.messages.items.map(\.message) == [Message("one; two; three", .warning)])
  }

  @Test func `Every message stays in the log`() {
    var log = Bench.ready()
    log.send(.notice("one"))
    log.send(.notice("two", .error))
    log.command("down")
    log.send(.notice("two", .error))
    log.command("messages")
    #expect(log.state.overlay == .messages(scroll: 0))
    #expect(
      log.state.messages.items.prefix(2).map(\.message) == [Message("two", .error), Message("one")])
    #expect(log.state.messages.items.first?.count == 2)
    log.send(.cancel)
    #expect(log.state.overlay == nil)
  }
}
