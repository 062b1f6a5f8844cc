import Foundation
import Testing

/// Property lists that consist of one value without keys.
@Suite struct OneValueTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Writes a property list of one value with Foundation.
  private func file(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat) throws
    -> String
  {
    let data = try PropertyListSerialization.data(
      fromPropertyList: value, format: format, options: 0)
    return try scratch.file("one.plist", data)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `info, ls, put and the browser say that there is one value`(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let path = try file("hello", format)
    let before = try Data(contentsOf: URL(filePath: path))
    let info = try Shell.larder("info", path)
    #expect(
      info.lines.contains("value           a single text, under the key (): hello"),
      "\(info.text)")
    let list = try Shell.larder("ls", path)
    #expect(list.lines == ["()"] && list.code == 0)
    #expect(list.errors.isEmpty, "\(list.errors)")
    for key in ["a", "0", "/a", "/a/b", "(a,b)"] {
      let put = try Shell.larder("put", path, key, "1")
      #expect(put.code == 5)
      #expect(
        put.errors.contains("the whole file is of type text, which has no members"),
        "\(put.errors)")
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    let screen = try Shell.larder("screen", path, "--size", "100x12")
    #expect(screen.text.contains(" () ") && screen.text.contains("hello"), "\(screen.text)")
    let typed = ["screen", path, "--size", "100x12", "--keys", "e, you<Enter>"]
    #expect(try Shell.run(Shell.larder, typed).text.contains("saved ()"))
    #expect(try Shell.larder("get", path, "()").lines == ["hello, you"])
    let added = try Shell.larder("screen", path, "--size", "100x12", "--keys", "a")
    #expect(added.text.contains("this store takes no new entries"), "\(added.text)")
    let kept = try Shell.larder("screen", path, "--size", "100x12", "--keys", "dy")
    #expect(kept.text.contains("is not a member"), "\(kept.text)")
    #expect(try Shell.larder("undo", path).code == 0)
    #expect(try Shell.larder("get", path, "()").lines == ["hello"])
    #expect(try Shell.larder("put", path, "()", "world").code == 0)
    #expect(try Shell.larder("get", path, "()").lines == ["world"])
    let export = try Shell.larder("export", path)
    #expect(export.code == 0)
    #expect(try Shell.larder("put", path, "()", "else").code == 0)
    let imported = try Shell.larder("import", path, "--replace", input: export.text)
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(try Shell.larder("get", path, "()").lines == ["world"])
  }

  @Test func `A number and an empty dictionary are distinguished`() throws {
    let number = try Shell.larder("info", try file(42, .binary))
    #expect(number.lines.contains("value           a single integer, under the key (): 42"))
    let empty = try Shell.larder("ls", try file([String: String](), .binary))
    #expect(empty.errors.isEmpty && empty.code == 0)
  }

  @Test(arguments: ["xml", "binary", "json", "array"])
  func `A whole document is replaced by other data only on request`(
    form: String
  ) throws {
    let path: String
    switch form {
    case "xml": path = try file(["a": 1, "b": [2]], .xml)
    case "binary": path = try file(["a": 1, "b": [2]], .binary)
    case "json": path = try scratch.file("one.json", Data(#"{"a": 1}"#.utf8))
    default: path = try scratch.file("one.json", Data("[1, 2]".utf8))
    }
    let before = try Data(contentsOf: URL(filePath: path))
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    for words in [["x"], ["7"], ["true"]] {
      let put = try Shell.run(Shell.larder, ["put", path, "()"] + words, environment: state)
      #expect(put.code == 2)
      #expect(put.errors.contains("() has that type; --type changes it"))
      #expect(put.errors.contains("nothing was written"))
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    let other = form == "array" ? "dictionary" : "array"
    let value = form == "array" ? "{}" : "[]"
    let refused = try Shell.run(Shell.larder, ["put", path, "()", value], environment: state)
    #expect(refused.code == 2)
    let asked = try Shell.run(
      Shell.larder, ["put", path, "()", value, "--type", other], environment: state)
    #expect(asked.code == 0, "\(asked.errors)")
    #expect(try Shell.larder("get", path, "()").text.contains(value))
    #expect(try Shell.run(Shell.larder, ["undo"], environment: state).code == 0)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }
}
