import LarderModel
import LarderFormats
import LarderBrowser
import Testing

/// Names that are canonically equivalent but differ in their bytes, which a store can have side by
/// side.
@Suite struct ByteIdentityTests {
  private let composed = "\u{E9}"
  private let decomposed = "e\u{301}"

  @Test func `Tables with equivalent names are different stores`() {
    let left = StoreReference(location: LocationID(0), collection: composed)
    let right = StoreReference(location: LocationID(0), collection: decomposed)
    #expect(left != right)
    #expect(Set([left, right]).count == 2)
    #expect(left == StoreReference(location: LocationID(0), collection: composed))
  }

  @Test func `Filters with equivalent texts are different`() {
    #expect(EntryFilter(.text(composed)) != EntryFilter(.text(decomposed)))
    #expect(EntryFilter(.regex(composed)) != EntryFilter(.regex(decomposed)))
    #expect(EntryFilter(.text("a")) != EntryFilter(.regex("a")))
    #expect(EntryFilter(.text("a")) == EntryFilter(.text("a")))
  }

  @Test func `An edit changes the column with the same bytes`() throws {
    let fields: [StoredValue.Field] = [.init(composed, .text("1")), .init(decomposed, .text("2"))]
    let entry = Entry(key: .integer(1), value: .record(fields))
    let store = StoreReference(location: LocationID(0))
    var editor = EditorModel(
      store: store, entry: entry, title: "1", part: ValuePart(column: decomposed))
    #expect(editor.buffer.text == "2")
    editor.buffer.apply(.insert("!"))
    #expect(
      try editor.value(over: entry)
        == .record([.init(composed, .text("1")), .init(decomposed, .text("2!"))]))
  }

  @Test func `A row edited as JSON keeps equivalent columns apart`() throws {
    let original = StoredValue.record([
      .init(composed, .text("1")), .init(decomposed, .text("2")),
    ])
    let value = try ValueText.value(
      of: "{\"\(decomposed)\": \"3\"}", type: .record, original: original)
    #expect(value == .record([.init(composed, .text("1")), .init(decomposed, .text("3"))]))
  }

  @Test func `A change of normalization is a change`() {
    let entry = Entry(key: .integer(1), value: .text(composed))
    let store = StoreReference(location: LocationID(0))
    var editor = EditorModel(store: store, entry: entry, title: "1")
    #expect(!editor.isChanged)
    editor.buffer.apply(.deleteBackward)
    editor.buffer.apply(.insert(decomposed))
    #expect(editor.isChanged)
  }
}
