import Foundation
import Testing

@testable import TerminalUI

@Suite struct ThemeLoaderTests {
  /// Writes some theme files to a temporary directory and loads the first one.
  func load(_ files: (name: String, text: String)...) throws -> (Theme, [String]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in files {
      try Data(file.text.utf8).write(to: folder.appending(path: "\(file.name).json"))
    }
    let result = try ThemeLoader(directories: [folder.path]).load(files[0].name)
    return (result.theme, result.warnings)
  }

  @Test func `A theme can override one color of another`() throws {
    let (theme, warnings) = try load(
      ("mine", ##"{"name": "mine", "inherits": "larder-dark", "palette": {"ground": "#000"}}"##))
    let dark = try ThemeLoader().load("larder-dark").theme
    #expect(warnings == [])
    #expect(theme.name == "mine")
    #expect(theme[.text].background == .rgb(0, 0, 0))
    #expect(theme[.text].foreground == dark[.text].foreground)
    #expect(theme[.valueNumber].background == .rgb(0, 0, 0))
  }

  @Test func `A file replaces a built-in theme with its name`() throws {
    let (theme, _) = try load(
      ("larder-light", #"{"inherits": "larder-dark", "styles": {"text": "bright-red"}}"#))
    #expect(theme[.text].foreground == .ansi(.brightRed))
  }

  @Test func `Unknown names cause a warning with their position`() throws {
    let (_, warnings) = try load(
      (
        "x",
        """
        {"inherits": "monochrome", "glow": 1,
         "palette": {"sea": "wet", "unused": 12},
         "styles": {"lisst.row": "red", "title": {"fg": "nope", "blink": true,
           "attributes": ["bold", "loud"]}}}
        """
      ))
    let expected = [
      ":1:28: a theme has no member “glow”", ":2:21: the value of “sea” is not a color",
      ":3:13: there is no role “lisst.row”",
      ":3:57: a style has no member “blink”", ":4:27: there is no attribute “loud”",
      ":3:49: there is no color “nope”", "the color “unused” is not used",
    ]
    #expect(warnings.count == expected.count, "\(warnings)")
    for part in expected {
      #expect(warnings.contains { $0.contains(part) }, "\(part) in \(warnings)")
    }
  }

  @Test(arguments: [
    ("", 1, 1, "but the file ends"), ("[]", 1, 1, "an object, not a list"),
    ("{\"name\" 1}", 1, 9, "\":\""), ("{\n  \"name\": 1\n}", 2, 11, "a string, not a number"),
    ("{\"a\": 1,}", 1, 9, "a name in quotes"), ("{\"styles\": {\"text\": tru}}", 1, 21, "quotes"),
    ("{\"styles\": {\"text\": true}}", 1, 21, "a color, not a Boolean"),
    ("{\"a\": \"x", 1, 9, "no closing quote"), ("{} x", 1, 4, "nothing may follow"),
    ("{\"a\": \"\\q\"}", 1, 9, "not an escape"), ("{\"palette\": {\"a\": 999}}", 1, 19, "0 to 255"),
    ("{\"name\": \"a\", \"name\": \"b\"}", 1, 15, "more than once"),
    ("{\"a\": [1 2]}", 1, 10, "\"]\""),
    ("{\"a\": 01}", 1, 9, "not a number"), ("{\"a\": 1.}", 1, 9, "not a number"),
    ("{\"a\": -.5}", 1, 10, "not a number"), ("{\"a\": 1.e2}", 1, 11, "not a number"),
    ("{\"styles\": {\"text\": {\"attributes\": \"bold\"}}}", 1, 36, "a list, not a string"),
  ])
  func faultsHaveAPlace(text: String, line: Int, column: Int, part: String) throws {
    let error = try #require(throws: ThemeError.self) { _ = try load(("x", text)) }
    #expect(error.code == .invalid)
    #expect(error.position == ThemeFilePosition(line: line, column: column), "\(error)")
    #expect(error.message.contains(part), "\(error)")
    #expect(error.description.contains("x.json:\(line):\(column): "))
  }

  @Test func `Required roles must be present`() throws {
    let error = try #require(throws: ThemeError.self) {
      _ = try load(("x", #"{"styles": {"text": "red"}}"#))
    }
    #expect(error.code == .invalid)
    #expect(error.message.contains("“list.row.selected”"))
    #expect(error.position == ThemeFilePosition(line: 1, column: 12))
  }

  @Test func `A misspelt role is named with its position`() throws {
    let bundled = String(decoding: EmbeddedThemes.all["larder-dark"] ?? [], as: UTF8.self)
    let lines = bundled.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("\"text.dim\"") })
    let text = bundled.replacing("\"text.dim\"", with: "\"text.dimm\"")
    let error = try #require(throws: ThemeError.self) { _ = try load(("x", text)) }
    #expect(error.position?.line == line + 1)
    #expect(error.message.hasPrefix("there is no role “text.dimm”, and there is no style for"))
  }

  @Test func `Cycles of themes are detected`() throws {
    let error = try #require(throws: ThemeError.self) {
      _ = try load(("a", #"{"inherits": "b"}"#), ("b", #"{"inherits": "a"}"#))
    }
    #expect(error.code == .circular)
    #expect(error.message.contains("→"))
  }

  @Test func `Missing themes are named with the available ones`() throws {
    let error = try #require(throws: ThemeError.self) { _ = try ThemeLoader().load("nope") }
    #expect(error.code == .notFound)
    #expect(error.description.contains("larder-dark"))
    #expect(throws: ThemeError.self) { _ = try ThemeLoader().load("/no/such/file.json") }
    #expect(throws: ThemeError.self) { _ = try load(("x", #"{"inherits": "nope"}"#)) }
    #expect(try ThemeLoader().load("default").theme == .default)
  }

  @Test func directoriesComeFromTheEnvironment() {
    let loader = ThemeLoader(environment: ["LARDER_THEMES": "/a:/b"], configuration: "/c/larder")
    #expect(loader.directories == ["/a", "/b", "/c/larder/themes"])
    #expect(
      ThemeLoader(environment: [:], configuration: "/c").directories == ["/c/themes"])
    #expect(
      ThemeLoader().available()
        == (EmbeddedThemes.all.keys + ["default", "default-light"]).sorted())
  }

  @Test func anyTextIsAThemeOrAnError() throws {
    var generator = SeededGenerator(seed: 5)
    let whole = Array(String(decoding: EmbeddedThemes.all["larder-dark"] ?? [], as: UTF8.self))
    for _ in 0..<150 {
      var text = whole.prefix(Int.random(in: 0...400, using: &generator))
      for _ in 0..<3 where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &generator)
        text[place] = "{}[]\",:\\0u\u{0}日".randomElement(using: &generator) ?? "x"
      }
      _ = try? ThemeFile(String(text), source: "x")
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: ThemeError.self) { _ = try ThemeFile(deep, source: "x") }
  }

  @Test func `Escape sequences are parsed`() throws {
    let file = try ThemeFile(#"{"name": "\u0041\n\ud83d\ude00\"\/"}"#, source: "x")
    #expect(file.name == "A\n😀\"/")
    #expect(throws: ThemeError.self) { _ = try ThemeFile(#"{"name": "\ud83d"}"#, source: "x") }
  }
}
