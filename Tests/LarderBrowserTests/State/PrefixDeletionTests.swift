import LarderModel
@testable import LarderBrowser
import Testing

/// Deleting all entries with a prefix, confirmed by typing their number.
@Suite struct PrefixDeletionTests {
  private let match = PrefixDeletionModel.Match(
    count: 12, examples: [.text("user:1"), .text("user:2"), .text("user:3")])

  private func prompt(_ bench: Bench) throws -> PromptModel {
    guard case .prompt(let prompt) = bench.state.overlay else {
      throw StoreError.failed("nothing is asked")
    }
    return prompt
  }

  /// Replies to the count that the last action requested.
  private func count(_ bench: inout Bench, _ match: PrefixDeletionModel.Match) throws {
    bench.answer(try bench.last(MatchPrefix.self), .success(match))
  }

  /// Returns a browser that asks for the number of entries with the prefix `user:`.
  private func asking(_ match: PrefixDeletionModel.Match? = nil) throws -> Bench {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.command("delete-prefix")
    bench.type("user:")
    try count(&bench, match ?? self.match)
    bench.send(.submit)
    return bench
  }

  /// Returns a browser that is deleting, and the effect that deletes.
  private func deleting() throws -> (Bench, DeletePrefix) {
    var bench = try asking()
    bench.type("12")
    bench.send(.submit)
    return (bench, try bench.last(DeletePrefix.self))
  }

  @Test func `The entries to delete are counted while typing`() throws {
    var bench = Bench.ready()
    bench.command("delete-prefix")
    bench.type("u")
    #expect(try prompt(bench).notice?.text == "counting…")
    let old = try bench.last(MatchPrefix.self)
    #expect(old.prefix == "u")
    bench.type("s")
    let new = try bench.last(MatchPrefix.self)
    #expect(new.store == Bench.reference && new.prefix == "us")
    bench.answer(old, .success(.init(count: 99, examples: [])))
    #expect(try prompt(bench).notice?.text == "counting…", "that was about another text")
    bench.answer(new, .success(match))
    #expect(
      try prompt(bench).notice?.text
        == "Enter asks to delete 12 entries: user:1, user:2, user:3, …")
  }

  @Test func `The filter is suggested even before its list is loaded`() throws {
    var bench = Bench.ready()
    bench.command("filter")
    bench.type("user:")
    bench.send(.submit)
    bench.command("delete-prefix")
    #expect(try prompt(bench).buffer.text == "user:")
  }

  @Test func `The number has to be typed`() throws {
    var bench = try asking()
    #expect(try prompt(bench).label == "number: ")
    #expect(try prompt(bench).notice?.isDangerous == true)
    #expect(
      try prompt(bench).notice?.text.hasPrefix(
        "Delete 12 entries with the prefix “user:” from numbers.db#numbers?") == true)
    for wrong in ["", "y", "1", "13"] {
      bench.send(.edit(.deleteToLineStart))
      bench.type(wrong)
      bench.send(.submit)
      #expect(bench.effects.isEmpty, "\(wrong)")
      #expect(try prompt(bench).notice?.isProblem == true)
    }
    bench.send(.edit(.deleteToLineStart))
    bench.type("12")
    bench.send(.submit)
    let delete = try bench.last(DeletePrefix.self)
    #expect(delete.store == Bench.reference && delete.prefix == "user:" && delete.match == match)
    bench.send(.submit)
    #expect(bench.effects.isEmpty, "it is on its way")
  }

  @Test(arguments: [("", false), ("x", true), ("us", false), ("^user", false), ("!us", true)])
  func `It is said that a filter hides some of the entries`(filter: String, isSaid: Bool) throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.state.keys?.filterText = filter
    bench.command("delete-prefix")
    bench.send(.edit(.deleteToLineStart))
    bench.type("user:")
    try count(&bench, match)
    bench.send(.submit)
    #expect(
      try prompt(bench).notice?.text.contains("numbers, including entries that are not listed? ")
        == isSaid)
  }

  @Test func `One entry has one key`() throws {
    let bench = try asking(.init(count: 1, examples: [.text("user:1")]))
    #expect(
      try prompt(bench).notice?.text.hasPrefix("Delete 1 entry with the prefix “user:”")
        == true)
  }

  @Test func `The list is reloaded and the number reported`() throws {
    var (bench, delete) = try deleting()
    bench.numbers = Array(5..<10)
    bench.run(delete, .success(.deleted(12)))
    #expect(bench.state.overlay == nil)
    #expect(bench.rows == Array(5..<10))
    #expect(bench.selected == .integer(5))
    #expect(bench.state.keys?.total == .exactly(5))
    #expect(
      bench.state.message
        == Message("deleted 12 entries with the prefix “user:”; u undoes the store's last change"))
  }

  @Test func `A changed number of entries asks again`() throws {
    var (bench, delete) = try deleting()
    let present = PrefixDeletionModel.Match(count: 14, examples: match.examples)
    bench.answer(delete, .success(.found(present)))
    #expect(try prompt(bench).notice?.text.contains("14") == true)
    bench.type("12")
    bench.send(.submit)
    #expect(bench.effects.isEmpty)
    bench.send(.edit(.deleteToLineStart))
    bench.type("14")
    bench.send(.submit)
    #expect(bench.effects.count == 1)
  }

  @Test func `An empty prefix is refused`() throws {
    var bench = Bench.ready()
    bench.command("delete-prefix")
    bench.send(.submit)
    #expect(bench.effects.isEmpty)
    #expect(try prompt(bench).notice?.isProblem == true)
    bench.type("x")
    bench.send(.edit(.deleteBackward))
    #expect(bench.onlyEnds(.prefix))
  }

  @Test func `A prefix without entries is refused`() throws {
    var bench = Bench.ready()
    bench.command("delete-prefix", "x")
    #expect(try prompt(bench).label == "number: ", "it is not counted yet")
    try count(&bench, .init(count: 0, examples: []))
    #expect(try prompt(bench).buffer.text == "x")
    #expect(try prompt(bench).notice?.text == "no key begins with this")
    bench.send(.submit)
    #expect(try prompt(bench).label == "delete prefix: ")
  }

  @Test func `Escape deletes nothing`() throws {
    var bench = try asking()
    bench.send(.cancel)
    #expect(bench.state.overlay == nil)
    #expect(bench.onlyEnds(.prefix))
    #expect(bench.state.message == Message("nothing was deleted"))
  }

  @Test func `A failure is reported and the list reloaded`() throws {
    var (bench, delete) = try deleting()
    bench.answer(delete, .failure(Bench.failure(.busy("the database is locked"))))
    #expect(try prompt(bench).notice?.text.hasPrefix("the database is locked") == true)
    #expect(bench.pages.count == 1)
  }

  @Test(
    arguments: [
      (EntryKey.text("session:42:token"), "session:42:"), (.text("a/b.txt"), "a/"),
      (.text("ui.font-size"), "ui."), (.text("plain"), ""), (.integer(42), ""),
      (.malformedText([0xFF, 0x3A]), ""),
    ])
  func `The key up to its last separator is suggested`(_ key: EntryKey, _ prefix: String) throws {
    var bench = Bench([])
    try bench.answer(
      LoadPage.self,
      .entries(PageReply(entries: [Entry(key: key)], examined: 1, isEnd: true, isLast: true)))
    bench.command("delete-prefix")
    #expect(try prompt(bench).buffer.text == prefix)
  }

  @Test func `A filter that is a prefix of the key is suggested`() throws {
    var bench = Bench([])
    let entry = Entry(key: .text("user:1:name"))
    try bench.answer(
      LoadPage.self,
      .entries(PageReply(entries: [entry], examined: 1, isEnd: true, isLast: true)))
    bench.state.keys?.filterText = "user"
    bench.command("delete-prefix")
    #expect(try prompt(bench).buffer.text == "user")
  }
}
