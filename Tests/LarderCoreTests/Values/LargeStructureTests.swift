@testable import LarderCore
import Testing

/// JSON in large text: the text at once, the tree once it is read.
@Suite struct LargeStructureTests {
  private static let large =
    "[" + (0..<120_000).map { "{\"number\":\($0)}" }.joined(separator: ",") + "]"

  private func model(_ text: String) -> ValueModel {
    var model = ValueModel(key: .text("a"), token: 1)
    model.receive(.success(Entry(key: .text("a"), value: .text(text))))
    return model
  }

  @Test func theTextIsThereUntilTheStructureIs() throws {
    var model = model(Self.large)
    #expect(model.format == "text")
    let value = try #require(model.unreadStructure)
    let structure = try #require(ValueFormat.largeStructure(of: value))
    #expect(structure.memberCount == 120_000)
    model.receive(structure: structure)
    #expect(model.format == "json")
    #expect(model.tree?.root == structure)
    #expect(model.rowCount <= ValueTree.greatestRows + 10)
    #expect(model.unreadStructure == nil)
    model.changeFormat()
    #expect(model.format == "text")
    // The same value read again needs no second look.
    model.receive(.success(Entry(key: .text("a"), value: value)))
    #expect(model.unreadStructure == nil)
    model.receive(.success(Entry(key: .text("a"), value: .text("small"))))
    #expect(model.formats.first == "text")
    #expect(model.structure == nil)
  }

  @Test func whoReadsTheTextAlreadyKeepsIt() {
    var model = model(Self.large.replacing(",", with: ",\n"))
    model.scroll(by: 10, height: 20)
    model.receive(structure: model.unreadStructure.flatMap { ValueFormat.largeStructure(of: $0) })
    #expect(model.format == "text")
    #expect(model.cursor.top == 10)
    #expect(model.formats.first == "json")
  }

  @Test func whatIsNoStructureStaysText() {
    var model = model(Self.large.dropLast() + "}")
    #expect(model.unreadStructure != nil)
    model.receive(structure: model.unreadStructure.flatMap { ValueFormat.largeStructure(of: $0) })
    #expect(model.format == "text")
    #expect(model.unreadStructure == nil)
    #expect(self.model("plain " + Self.large).unreadStructure == nil)
    #expect(self.model("[1]").unreadStructure == nil)
  }

  @Test func whatIsTooLargeStaysText() {
    let text = "[\"" + String(repeating: "a", count: ValueFormat.greatestStructure) + "\"]"
    #expect(model(text).unreadStructure == nil)
  }
}
