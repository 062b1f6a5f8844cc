import TestSamples
import Foundation
@testable import LarderModel
@testable import LarderBrowser
import TestPrograms
import Testing

/// Unified diffs, checked against the `diff` and `patch` programs.
@Suite struct UnifiedDifferenceTests {
  private func text(_ left: StoredValue, _ right: StoredValue) throws -> String {
    let difference = UnifiedDifference(left, right, names: .two("a", "b"))
    guard case .text(let text) = difference else {
      throw Refused(reason: "\(difference)")
    }
    return text
  }

  private struct Refused: Error {
    let reason: String
  }

  private func reason(_ left: StoredValue, _ right: StoredValue) -> String? {
    let difference = UnifiedDifference(left, right, names: .two("a", "b"))
    if case .none(let reason) = difference { return reason }
    return nil
  }

  @Test func `A difference is in unified format`() throws {
    let left = (1...12).map { "\($0)" }
    var right = left
    right[1] = "two"
    right.append("13")
    #expect(
      try text(.text(left.joined(separator: "\n")), .text(right.joined(separator: "\n"))) == """
        --- a
        +++ b
        @@ -1,5 +1,5 @@
         1
        -2
        +two
         3
         4
         5
        @@ -9,4 +9,5 @@
         9
         10
         11
        -12
        \\ No newline at end of file
        +12
        +13
        \\ No newline at end of file

        """)
    #expect(reason(.text("a"), .text("a")) == "the values are the same")
  }

  @Test(
    arguments: [
      ("one\ntwo\n", "one\n2\n"), ("", "new\n"), ("old", ""), ("a\n", "a"), ("a", "a\n"),
      ("one\r\ntwo\r\n", "one\ntwo\n"), ("a\n\n\nb\n", "\na\n\nb"),
      (
        "x\n" + String(repeating: "long ", count: 1_000) + "1\n",
        "x\n" + String(repeating: "long ", count: 1_000) + "2\n"
      ),
      (
        (0..<40).map { "\($0)\n" }.joined(),
        (0..<40).map { $0 % 9 == 0 ? "no \($0)\n" : "\($0)\n" }.joined()
      ),
    ])
  func `The output equals that of diff`(_ left: String, _ right: String) throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write(left, "a")
    try folder.write(right, "b")
    let written = try folder.run("diff", "-u", "--label", "a", "--label", "b", "a", "b")
    #expect(try text(.text(left), .text(right)) == written)
  }

  @Test func `The patch program turns one value into the other`() throws {
    var random = SampleGenerator()
    let folder = try Folder()
    defer { folder.remove() }
    for round in 0..<20 {
      let words = ["a", "b", "", "c d\r", "\u{301}é", "-x", "+y", "\\ z", "@@ -1 +1 @@"]
      func side() -> String {
        (0..<Int.random(in: 0...30, using: &random)).map { _ in
          words.randomElement(using: &random) ?? ""
        }.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")
      }
      let (left, right) = (side(), side())
      guard left != right else { continue }
      try folder.write(left, "\(round)")
      try folder.write(try text(.text(left), .text(right)), "\(round).diff")
      _ = try folder.run("patch", "-p0", "--binary", "\(round)", "\(round).diff")
      #expect(try folder.read("\(round)") == right, "seed \(random.seed)")
    }
  }

  @Test func `A difference that cannot be represented completely is refused`() {
    let long = String(repeating: "line\n", count: ComparisonExtent.view.lines + 1)
    #expect(reason(.text(long), .text(long + "a"))?.contains("larder get") == true)
    let large = (0..<20_000).map { "a line that is somewhat longer than others are \($0)\n" }
    #expect(reason(.text(large.joined()), .text("a"))?.contains("diff -u") == true)
    #expect(reason(.malformedText([0xFF]), .text("a")) == "the difference is not UTF-8 text")
    #expect(reason(.integer(1), .text("1\n")) == "only the types of the values differ")
  }

  @Test func `Rows are compared as JSON`() throws {
    func row(_ text: String) -> StoredValue {
      .record([.init("id", .integer(1)), .init("text", .text(text))])
    }
    let long = String(repeating: "x", count: 5_000)
    #expect(
      try text(row(long + "\n1"), row(long + "\n2")) == """
        --- a
        +++ b
        @@ -1,4 +1,4 @@
         {
           "id": 1,
        -  "text": "\(long)\\n1"
        +  "text": "\(long)\\n2"
         }

        """)
  }

  /// A folder in which programs run.
  private struct Folder {
    private let path: String

    init() throws {
      path = FileManager.default.temporaryDirectory.path + "/larder-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func read(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
    }

    func run(_ words: String...) throws -> String {
      String(decoding: try ProgramOutcome(running: words, in: path).output, as: UTF8.self)
    }
  }
}
