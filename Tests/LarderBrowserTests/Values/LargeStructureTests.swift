@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser
import Testing

/// JSON in large text: the text is shown first, and the tree once it has been parsed.
@Suite struct LargeStructureTests {
  private static let large =
    "[" + (0..<20_000).map { "{\"number\":\($0)}" }.joined(separator: ",") + "]"

  private func model(_ value: StoredValue) -> ValueModel {
    var model = ValueModel(key: .text("a"), token: 1)
    model.receive(.success(Entry(key: .text("a"), value: value)))
    return model
  }

  /// Parses the value in the background.
  private func read(_ model: inout ValueModel) {
    var copy = model
    let isRead = copy.read()
    #expect(isRead)
    model.receive(read: copy)
  }

  @Test func `The text is shown until the structure has been parsed`() throws {
    var model = model(.text(Self.large))
    #expect(model.format == "text")
    #expect(model.isUnread)
    read(&model)
    #expect(model.format == "json")
    #expect(model.tree?.root.memberCount == 20_000)
    #expect(!model.isUnread)
    #expect(model.jobs.isEmpty)
    model.changeFormat()
    #expect(model.format == "text")
    // The same value does not need to be parsed again.
    model.receive(.success(Entry(key: .text("a"), value: .text(Self.large))))
    #expect(!model.isUnread)
    model.receive(.success(Entry(key: .text("a"), value: .text("small"))))
    #expect(model.formats.first == "text")
    #expect(model.reading == nil)
  }

  @Test func `The number of rows is limited`() {
    let many = "[" + (0..<120_000).map { "{\"number\":\($0)}" }.joined(separator: ",") + "]"
    var model = model(.text(many))
    read(&model)
    #expect(model.tree?.root.memberCount == 120_000)
    #expect(model.rowCount <= ValueTree.maximumRows + 10)
  }

  @Test func `A text that is already scrolled stays shown`() {
    var model = model(.text(Self.large.replacing(",", with: ",\n")))
    model.scroll(by: 10, height: 20)
    read(&model)
    #expect(model.format == "text")
    #expect(model.cursor.top == 10)
    #expect(model.formats.first == "json")
  }

  @Test func `Text that is not a structure stays text`() {
    var model = model(.text(Self.large.dropLast() + "}"))
    #expect(model.isUnread)
    read(&model)
    #expect(model.format == "text")
    #expect(!model.isUnread)
    #expect(!self.model(.text("plain " + Self.large)).isUnread)
  }

  @Test func `A small structure is parsed immediately`() {
    let text = "[" + (0..<500).map { "{\"number\":\($0)}" }.joined(separator: ",") + "]"
    let model = model(.text(text))
    #expect(!model.isUnread && model.jobs.isEmpty)
    #expect(model.tree?.root.memberCount == 500)
  }

  @Test func `A structure that is too large stays text`() {
    let text = "[\"" + String(repeating: "a", count: ValueFormat.maximumStructure) + "\"]"
    #expect(!model(.text(text)).isUnread)
  }

  @Test func `A property list is parsed in the background`() {
    let items = (0..<2_000).map { "<integer>\($0)</integer>" }.joined()
    let list = "<?xml version=\"1.0\"?><plist version=\"1.0\"><array>\(items)</array></plist>"
    for value in [StoredValue.text(list), .data(Array(list.utf8))] {
      var model = model(value)
      #expect(model.format == "text" && model.isUnread)
      read(&model)
      #expect(model.format == "plist")
      #expect(model.tree?.root.memberCount == 2_000)
    }
  }

  @Test func `The old value stays until the new one has been parsed`() {
    var model = model(.text(Self.large))
    read(&model)
    model.move(by: 40, height: 20)
    let path = model.path
    var again = ValueModel(key: .text("a"), token: 2, after: model)
    let other = Self.large.dropLast() + ",1]"
    again.receive(.success(Entry(key: .text("a"), value: .text(String(other)))))
    #expect(again.format == "json" && again.path == path)
    read(&again)
    #expect(again.tree?.root.memberCount == 20_001)
    #expect(again.path == path)
  }
}
