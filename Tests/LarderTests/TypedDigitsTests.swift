import Foundation
import Testing

/// Numbers in JSON, which keep the digits the user typed.
@Suite struct TypedDigitsTests {
  private let scratch: Scratch
  private let file: String

  init() throws {
    scratch = try Scratch()
    file = try scratch.file("j.json", #"{"a": 1.5, "b": 7, "c": "x"}"#.utf8)
  }

  private var text: String {
    get throws { try String(contentsOfFile: file, encoding: .utf8) }
  }

  @discardableResult
  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(Shell.larder, words, environment: ["XDG_STATE_HOME": scratch.file("state")])
  }

  @Test(arguments: [
    ("a", "2.50"), ("a", "1e20"), ("a", "1E+2"), ("a", "0.1000000000000000055"), ("a", "1e400"),
    ("b", "100000000000000000000"), ("b", "-0"),
  ])
  func `A typed number keeps its digits, also after undo and redo`(
    key: String, digits: String
  ) throws {
    let before = try text
    let outcome = try larder("put", file, key, digits)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let after = before.replacing(key == "a" ? "1.5" : "7", with: digits)
    #expect(try text == after)
    #expect(try larder("get", file, key).text == digits + "\n")
    #expect(try larder("undo").code == 0)
    #expect(try text == before)
    #expect(try larder("redo").code == 0)
    #expect(try text == after)
  }

  @Test func `Undo restores both spellings over changes by another program`() throws {
    try larder("put", file, "a", "1.50")
    #expect(try larder("put", file, "a", "1.500").code == 0)
    _ = try scratch.file("j.json", try text.replacing("7", with: "8").utf8)
    #expect(try larder("undo").code == 0)
    #expect(try text == #"{"a": 1.50, "b": 8, "c": "x"}"#)
    #expect(try larder("redo").code == 0)
    #expect(try text == #"{"a": 1.500, "b": 8, "c": "x"}"#)
  }

  @Test func `A new number, and one of a requested type, keep their digits`() throws {
    #expect(try larder("put", file, "c", "2.50", "--type", "real").code == 0)
    #expect(try larder("put", file, "new", "1e2", "--type", "real", "--create").code == 0)
    #expect(try text == #"{"a": 1.5, "b": 7, "c": 2.50, "new": 1e2}"#)
  }

  @Test func `A typed number replaces any other type unless a type is requested`() throws {
    #expect(try larder("put", file, "a", "100000").code == 0)
    #expect(try larder("put", file, "b", "2.0").code == 0)
    #expect(try text == #"{"a": 100000, "b": 2.0, "c": "x"}"#)
    #expect(try larder("put", file, "a", "1.5").code == 0)
    #expect(try larder("put", file, "a", "2", "--type", "real").code == 0)
    #expect(try larder("put", file, "b", "7").code == 0)
    #expect(try larder("put", file, "b", "2.0", "--type", "integer").code == 2)
    #expect(try larder("put", file, "b", "x").code == 2)
    #expect(try text == #"{"a": 2.0, "b": 7, "c": "x"}"#)
  }

  @Test func `A number in a notation that JSON lacks is normalized`() throws {
    #expect(try larder("put", file, "b", "+9").code == 0)
    #expect(try larder("put", file, "a", ".50").code == 0)
    #expect(try text == #"{"a": 0.5, "b": 9, "c": "x"}"#)
  }

  @Test func `Import keeps the digits of its lines`() throws {
    let outcome = try Shell.larder(
      "import", file, "--replace", "--no-journal", input: #"{"key":"a","type":"real","value":2.50}"#
    )
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try text == #"{"a": 2.50, "b": 7, "c": "x"}"#)
  }

  @Test func `A database stores the number without its digits`() throws {
    let database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('pi', 3.5);")
    #expect(try larder("put", database, "pi", "0.1000000000000000055").code == 0)
    #expect(try scratch.query(database, "SELECT v FROM kv") == ["0.1"])
  }
}
