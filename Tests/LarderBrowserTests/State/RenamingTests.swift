import LarderModel
import LarderBrowser
import Testing

/// Giving entries other keys.
@Suite struct RenamingTests {
  /// A browser that asks for the new key of the entry 0.
  private func asking() -> Bench {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.command("rename")
    return bench
  }

  /// A browser that is giving the entry 0 the key 42, and the token of that.
  private func renaming() throws -> (Bench, Int) {
    var bench = asking()
    bench.send(.edit(.deleteToLineStart))
    bench.type("42")
    bench.send(.submit)
    guard case .rename(_, _, let token) = bench.effects.last else {
      throw StoreError.failed("nothing is renamed")
    }
    return (bench, token)
  }

  private func prompt(_ bench: Bench) throws -> PromptModel {
    guard case .prompt(let prompt) = bench.state.overlay else {
      throw StoreError.failed("nothing is asked")
    }
    return prompt
  }

  @Test func theLineBeginsWithTheKey() throws {
    let bench = asking()
    #expect(bench.effects.isEmpty)
    #expect(try prompt(bench).buffer.text == "0")
    #expect(try prompt(bench).notice == nil)
  }

  @Test func eachNewTextIsLookedUp() throws {
    var bench = asking()
    bench.type("9")
    guard case .checkKey(Bench.reference, .text("09"), let token) = bench.effects.last else {
      Issue.record("nothing is looked up: \(bench.effects)")
      return
    }
    bench.send(.keyChecked(token: token, .success(Entry(key: .text("09")))))
    #expect(try prompt(bench).notice?.text == "there is an entry with this key already")
    bench.type("9")
    #expect(try prompt(bench).notice == nil)
    bench.send(.keyChecked(token: token, .success(Entry(key: .text("09")))))
    #expect(try prompt(bench).notice == nil, "the answer is about what was typed before")
  }

  @Test func aKeyThatTheStoreCannotHaveIsSaidWhileTyping() throws {
    var bench = asking()
    bench.type("/..")
    guard case .checkKey(_, _, let token) = bench.effects.last else {
      Issue.record("nothing is looked up")
      return
    }
    bench.send(.keyChecked(token: token, .failure(.failed("no path leads out of the folder"))))
    #expect(try prompt(bench).notice?.text == "no path leads out of the folder")
  }

  @Test func theStoreIsAskedForWhatWasRead() throws {
    let (bench, token) = try renaming()
    let query = RenameQuery(
      .integer(0), to: .integer(42), expecting: Fingerprint(of: .text("value")))
    #expect(bench.effects == [.cancel(.newKey), .rename(Bench.reference, query, token: token)])
    #expect(try prompt(bench).notice?.text == "renaming…")
  }

  @Test func theNewKeyIsSelected() throws {
    var (bench, token) = try renaming()
    bench.numbers = Array(1..<10) + [42]
    let entry = Entry(key: .integer(42), value: .text("value"))
    bench.run(.renamed(token: token, .success(entry)))
    #expect(bench.state.overlay == nil)
    #expect(bench.selected == .integer(42))
    #expect(bench.rows == bench.numbers)
    #expect(bench.state.message == Message("renamed 0 to 42; u undoes the store's last change"))
  }

  @Test func whatIsTypedWhileItIsWrittenChangesNothing() throws {
    var (bench, _) = try renaming()
    bench.type("7")
    bench.send(.submit)
    #expect(bench.effects.isEmpty)
    bench.send(.cancel)
    #expect(try prompt(bench).buffer.text == "42")
  }

  @Test func aTakenKeyLeavesTheText() throws {
    var (bench, token) = try renaming()
    let other = Entry(key: .integer(42), value: .text("other"))
    bench.send(.renamed(token: token, .failure(.conflict(current: other))))
    #expect(try prompt(bench).buffer.text == "42")
    #expect(
      try prompt(bench).notice?.text
        == "there is an entry with this key already; nothing was renamed")
  }

  @Test func anEntryThatWasChangedIsRenamedAsItIsAfterAskingAgain() throws {
    var (bench, token) = try renaming()
    let theirs = Entry(key: .integer(0), value: .text("other"))
    bench.send(.renamed(token: token, .failure(.conflict(current: theirs))))
    #expect(try prompt(bench).notice?.text.contains("was changed by someone else") == true)
    guard case .readEntry(_, .integer(0), _, through: .fresh) = bench.effects.last else {
      Issue.record("what others wrote is not read, but what may be cached: \(bench.effects)")
      return
    }
    bench.send(.submit)
    guard case .rename(_, let query, _) = bench.effects.last else {
      Issue.record("nothing is renamed")
      return
    }
    #expect(query.expecting == theirs.fingerprint)
  }

  @Test func whatIsOtherwiseUnderneathACacheIsRenamedAfterAskingAgain() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .cache])
    bench.command("rename", "42")
    guard case .rename(_, _, let token) = bench.effects.last else {
      Issue.record("nothing is renamed: \(bench.effects)")
      return
    }
    let beneath = Entry(key: .integer(0), value: .text("other"))
    bench.send(.renamed(token: token, .failure(.conflict(current: beneath))))
    #expect(
      try prompt(bench).notice?.text
        == "underneath, 0 is not what is cached; nothing was renamed. Enter renames what is underneath"
    )
    #expect(bench.reads.isEmpty, "what is cached is not what would get the key")
    bench.send(.submit)
    guard case .rename(_, let query, _) = bench.effects.last else {
      Issue.record("nothing is renamed")
      return
    }
    #expect(query.expecting == beneath.fingerprint)
  }

  @Test func anEntryThatWasDeletedIsSaid() throws {
    var (bench, token) = try renaming()
    bench.send(.renamed(token: token, .failure(.conflict(current: nil))))
    #expect(try prompt(bench).notice?.text.contains("was deleted by someone else") == true)
    #expect(try prompt(bench).buffer.text == "42")
  }

  @Test func aStoreThatCannotRenameSaysSo() throws {
    var (bench, token) = try renaming()
    bench.send(.renamed(token: token, .failure(.notSupported("keys stay as they are"))))
    #expect(try prompt(bench).notice?.text == "keys stay as they are")
    #expect(try prompt(bench).notice?.isProblem == true)
  }

  @Test func theSameKeyAndNoKeyWriteNothing() throws {
    var bench = asking()
    bench.send(.submit)
    #expect(bench.effects == [.cancel(.newKey)])
    #expect(bench.state.overlay == nil)
    bench = asking()
    bench.send(.edit(.deleteBackward))
    bench.send(.submit)
    #expect(bench.effects == [.cancel(.newKey)])
    #expect(try prompt(bench).notice?.isProblem == true)
  }

  @Test func escapeLeavesTheKeyAsItIs() {
    var bench = asking()
    bench.type("1")
    bench.send(.cancel)
    #expect(bench.state.overlay == nil)
    #expect(bench.effects == [.cancel(.newKey)])
    #expect(bench.state.message == Message("0 was not renamed"))
  }

  @Test func aCommandWithTheNewKeyAsksNothing() {
    var bench = Bench.ready()
    bench.command("rename", "42")
    guard case .rename(_, let query, _) = bench.effects.last else {
      Issue.record("nothing is renamed")
      return
    }
    #expect(query.newKey == .integer(42))
  }

  @Test func nothingIsRenamedWhereNothingIsWritten() {
    var bench = Bench.ready(isReadOnly: true)
    bench.command("rename")
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message?.text.contains("--read-only") == true)
  }
}
