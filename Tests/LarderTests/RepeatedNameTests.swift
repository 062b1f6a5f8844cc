import Foundation
import Testing

/// Documents with repeated names, where other programs read a different member.
@Suite struct RepeatedNameTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let documents = [
    #"{"a": 1, "a": 2, "b": {"c": 3, "c": {"d": 4}}}"#,
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>a</key><integer>1</integer><key>a</key><integer>2</integer>
    <key>b</key><dict><key>c</key><integer>3</integer>
    <key>c</key><dict><key>d</key><integer>4</integer></dict></dict>
    </dict></plist>
    """,
  ]

  @discardableResult
  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(Shell.larder, words, environment: ["XDG_STATE_HOME": scratch.file("state")])
  }

  @Test(arguments: documents)
  func `Every listed key leads to its own value`(document: String) throws {
    let file = try scratch.file("document", document.utf8)
    for options in [[], ["--sort", "size"]] {
      let keys = try Shell.run(Shell.larder, ["ls", file] + options).lines
      #expect(Set(keys) == ["(a,null,0)", "(a,null,1)", "b"])
    }
    #expect(try larder("get", file, "(a,null,0)").text == "1\n")
    #expect(try larder("get", file, "(a,null,1)").text == "2\n")
    #expect(try larder("get", file, "(b,c,null,0)").text == "3\n")
    #expect(try larder("get", file, "(b,c,null,1,d)").text == "4\n")
  }

  @Test(
    arguments: documents,
    ["a", "/a", "(a)", "(b,c)", "/b/c", "(b,c,d)", "/b/c/d", "(b,c,new)", "/b/c/new"])
  func `An ambiguous name is refused`(
    document: String, key: String
  ) throws {
    let file = try scratch.file("document", document.utf8)
    for command in [["get"], ["put"], ["rm"], ["mv"]] {
      let words = command + [file, key] + (["put", "mv"].contains(command[0]) ? ["9"] : [])
      let outcome = try Shell.run(
        Shell.larder, words, environment: ["XDG_STATE_HOME": scratch.file("state")])
      #expect(outcome.code == 5, "\(words) \(outcome.errors)")
      #expect(outcome.errors.contains(",null,0"))
      #expect(outcome.errors.contains(",null,1"))
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == document)
  }

  @Test(arguments: documents)
  func `Changing one member leaves the others and can be undone`(document: String) throws {
    let file = try scratch.file("document", document.utf8)
    var text: String { get throws { try String(contentsOfFile: file, encoding: .utf8) } }
    #expect(try larder("put", file, "(a,null,0)", "9").code == 0)
    #expect(try larder("get", file, "(a,null,0)").text == "9\n")
    #expect(try larder("get", file, "(a,null,1)").text == "2\n")
    #expect(try larder("undo").code == 0)
    #expect(try text == document)
    #expect(try larder("rm", file, "(a,null,0)").code == 0)
    #expect(try larder("get", file, "a").text == "2\n")
    #expect(try larder("undo").code == 0)
    #expect(try text == document)
    #expect(try larder("put", file, "(new,null,0)", "9").code == 0)
    #expect(try larder("ls", file).lines.contains("new"))
    #expect(try larder("undo").code == 0)
    #expect(try text == document)
  }
}
