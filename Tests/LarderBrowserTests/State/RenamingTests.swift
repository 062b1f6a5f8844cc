import LarderModel
@testable import LarderBrowser
import Testing

/// Renaming entries.
@Suite struct RenamingTests {
  /// Returns a browser that asks for the new key of entry 0.
  private func asking() -> Bench {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.command("rename")
    return bench
  }

  /// Returns a browser that is renaming entry 0 to 42, and the effect that renames it.
  private func renaming() throws -> (Bench, RenameEntry) {
    var bench = asking()
    bench.send(.edit(.deleteToLineStart))
    bench.type("42")
    bench.send(.submit)
    return (bench, try rename(bench))
  }

  /// Returns the rename effect at the end of the last action.
  private func rename(_ bench: Bench) throws -> RenameEntry {
    let rename = try bench.last(RenameEntry.self)
    #expect(!rename.isCopy)
    return rename
  }

  private func prompt(_ bench: Bench) throws -> PromptModel {
    guard case .prompt(let prompt) = bench.state.overlay else {
      throw StoreError.failed("nothing is asked")
    }
    return prompt
  }

  @Test func `The prompt starts with the key`() throws {
    let bench = asking()
    #expect(bench.effects.isEmpty)
    #expect(try prompt(bench).buffer.text == "0")
    #expect(try prompt(bench).notice == nil)
  }

  @Test func `Each new text is looked up`() throws {
    var bench = asking()
    bench.type("9")
    let check = try bench.last(CheckKey.self)
    #expect(check.store == Bench.reference && check.key == .text("09"))
    bench.answer(check, .success(Entry(key: .text("09"))))
    #expect(try prompt(bench).notice?.text == "an entry with this key already exists")
    bench.type("9")
    #expect(try prompt(bench).notice == nil)
    bench.answer(check, .success(Entry(key: .text("09"))))
    #expect(try prompt(bench).notice == nil, "the answer is about what was typed before")
  }

  @Test func `An invalid key is reported while typing`() throws {
    var bench = asking()
    bench.type("/..")
    let check = try bench.last(CheckKey.self)
    bench.answer(check, .failure(.failed("no path leads out of the folder")))
    #expect(try prompt(bench).notice?.text == "no path leads out of the folder")
  }

  @Test func `A rename expects the value that was read`() throws {
    let (bench, rename) = try renaming()
    let query = RenameQuery(
      .integer(0), to: .integer(42), expecting: Fingerprint(of: .text("value")))
    #expect(bench.effects.count == 2 && bench.ends(.newKey))
    #expect(rename.store == Bench.reference && rename.query == query)
    #expect(try prompt(bench).notice?.text == "renaming…")
  }

  @Test func `The new key is selected`() throws {
    var (bench, rename) = try renaming()
    bench.numbers = Array(1..<10) + [42]
    let entry = Entry(key: .integer(42), value: .text("value"))
    bench.run(rename, .success(entry))
    #expect(bench.state.overlay == nil)
    #expect(bench.selected == .integer(42))
    #expect(bench.rows == bench.numbers)
    #expect(bench.state.message == Message("renamed 0 to 42; u undoes the store's last change"))
  }

  @Test func `Input during the rename is ignored`() throws {
    var (bench, _) = try renaming()
    bench.type("7")
    bench.send(.submit)
    #expect(bench.effects.isEmpty)
    bench.send(.cancel)
    #expect(try prompt(bench).buffer.text == "42")
  }

  @Test func `An existing key keeps the text`() throws {
    var (bench, rename) = try renaming()
    let other = Entry(key: .integer(42), value: .text("other"))
    bench.answer(rename, .failure(.conflict(current: other)))
    #expect(try prompt(bench).buffer.text == "42")
    #expect(
      try prompt(bench).notice?.text
        == "an entry with this key already exists; nothing was renamed")
  }

  @Test func `An entry changed since is renamed after confirmation`() throws {
    var (bench, rename) = try renaming()
    let theirs = Entry(key: .integer(0), value: .text("other"))
    bench.answer(rename, .failure(.conflict(current: theirs)))
    #expect(try prompt(bench).notice?.text.contains("was changed by another program") == true)
    let read = try bench.last(ReadEntry.self)
    #expect(read.key == .integer(0))
    #expect(read.path == .fresh, "what others wrote is read, and not what may be cached")
    bench.send(.submit)
    #expect(try self.rename(bench).query.expecting == theirs.fingerprint)
  }

  @Test func `A rename whose backing value differs from the cached one asks for confirmation`()
    throws
  {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .cache])
    bench.command("rename", "42")
    let backing = Entry(key: .integer(0), value: .text("other"))
    bench.answer(try rename(bench), .failure(.conflict(current: backing)))
    #expect(
      try prompt(bench).notice?.text
        == "0 differs in the backing store; nothing was renamed. Enter renames the value in the "
        + "backing store"
    )
    #expect(bench.reads.isEmpty, "what is cached is not what would get the key")
    bench.send(.submit)
    #expect(try rename(bench).query.expecting == backing.fingerprint)
  }

  @Test func `A deleted entry is reported`() throws {
    var (bench, rename) = try renaming()
    bench.answer(rename, .failure(.conflict(current: nil)))
    #expect(try prompt(bench).notice?.text.contains("was deleted by another program") == true)
    #expect(try prompt(bench).buffer.text == "42")
  }

  @Test func `A store that cannot rename explains it`() throws {
    var (bench, rename) = try renaming()
    bench.answer(rename, .failure(.notSupported("keys stay as they are")))
    #expect(try prompt(bench).notice?.text == "keys stay as they are")
    #expect(try prompt(bench).notice?.isProblem == true)
  }

  @Test func `The same key and an empty key write nothing`() throws {
    var bench = asking()
    bench.send(.submit)
    #expect(bench.onlyEnds(.newKey))
    #expect(bench.state.overlay == nil)
    bench = asking()
    bench.send(.edit(.deleteBackward))
    bench.send(.submit)
    #expect(bench.onlyEnds(.newKey))
    #expect(try prompt(bench).notice?.isProblem == true)
  }

  @Test func `Escape keeps the key`() {
    var bench = asking()
    bench.type("1")
    bench.send(.cancel)
    #expect(bench.state.overlay == nil)
    #expect(bench.onlyEnds(.newKey))
    #expect(bench.state.message == Message("0 was not renamed"))
  }

  @Test func `A command with the new key asks nothing`() throws {
    var bench = Bench.ready()
    bench.command("rename", "42")
    #expect(try rename(bench).query.newKey == .integer(42))
  }

  @Test func `A read-only store refuses renames`() {
    var bench = Bench.ready(isReadOnly: true)
    bench.command("rename")
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message?.text.contains("--read-only") == true)
  }
}
