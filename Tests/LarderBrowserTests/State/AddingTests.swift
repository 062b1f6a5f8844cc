import LarderModel
@testable import LarderBrowser
import Testing

/// Entering the key of a new entry.
@Suite struct AddingTests {
  private func prompt(_ bench: Bench) throws -> PromptModel {
    guard case .prompt(let prompt) = bench.state.overlay else {
      throw StoreError.failed("no line is typed: \(String(describing: bench.state.overlay))")
    }
    return prompt
  }

  /// Returns the check of the key that the last action started.
  private func look(_ bench: Bench) throws -> CheckKey {
    let check = try bench.first(CheckKey.self)
    #expect(check.store == Bench.reference)
    return check
  }

  @Test func `An existing key is reported while typing, and Tab goes to it`() throws {
    var bench = Bench.ready(0..<100)
    bench.command("add")
    bench.run(.edit(.insert("7")))
    #expect(
      try prompt(bench).notice?.text == "an entry with this key already exists; Tab goes to it")
    bench.run(.edit(.insert("00")))
    #expect(try prompt(bench).notice == nil)
    bench.run(.edit(.deleteBackward))
    bench.run(.complete(by: 1))
    #expect(bench.selected == .integer(70))
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message?.text.contains("nothing was added") == true)
  }

  @Test func `A key submitted before the store replies stays in the prompt`() throws {
    var bench = Bench.ready()
    bench.command("add", "3")
    let check = try look(bench)
    #expect(bench.state.isLooking)
    bench.type("mine")
    #expect(try prompt(bench).buffer.text == "3", "the value does not go into the key")
    bench.answer(check, .success(Entry(key: .integer(3))))
    #expect(try prompt(bench).buffer.text == "3")
    #expect(try prompt(bench).notice?.isProblem == true)
    #expect(!bench.state.isLooking)
  }

  @Test func `An invalid key is reported and can be corrected`() throws {
    var bench = Bench.ready()
    bench.command("add", "3")
    let problem = StoreError.failed("the key 3 is not a path")
    bench.answer(try look(bench), .failure(problem))
    #expect(try prompt(bench).notice?.text == problem.message)
    bench.run(.edit(.insert("0")))
    bench.run(.submit)
    guard case .editor(let editor) = bench.state.overlay else {
      Issue.record("no value can be typed")
      return
    }
    #expect(editor.key == .integer(30))
    #expect(editor.problem == nil)
  }

  @Test func `A reply about another key is ignored`() throws {
    var bench = Bench.ready()
    bench.command("add", "3")
    let check = try look(bench)
    bench.send(.cancel)
    #expect(bench.onlyEnds(.newKey))
    bench.command("add", "42")
    bench.answer(check, .success(Entry(key: .integer(3))))
    #expect(bench.state.isLooking)
  }

  @Test(arguments: ["a", "1.5", "1e3", "012", "inf", "x'00'", "\"a\"", "(1,2)"])
  func `A key that is not a number is refused while typing if keys are numbers`(key: String)
    throws
  {
    var bench = Bench.ready(keysAreNumbers: true)
    bench.command("add")
    bench.type(key)
    #expect(try prompt(bench).notice?.text.contains("INTEGER") == true)
    #expect(try prompt(bench).notice?.isProblem == true)
    bench.send(.submit)
    #expect(try prompt(bench).buffer.text == key)
    bench.send(.cancel)
    bench.command("rename")
    for _ in 0..<9 { bench.send(.edit(.deleteBackward)) }
    bench.type(key)
    #expect(try prompt(bench).notice?.text.contains("INTEGER") == true)
    bench.send(.submit)
    #expect(!bench.has(RenameEntry.self))
  }

  @Test(arguments: ["12", "-3", "12.0", "\"12\""])
  func `A key that converts to a number is accepted`(key: String) throws {
    var bench = Bench.ready(keysAreNumbers: true)
    bench.command("add")
    bench.type(key)
    #expect(try prompt(bench).notice?.text.contains("INTEGER") != true)
    var others = Bench.ready()
    others.command("add")
    others.type("a")
    #expect(try prompt(others).notice?.text.contains("INTEGER") != true)
  }
}
