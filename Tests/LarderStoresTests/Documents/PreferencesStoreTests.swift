import Foundation
import Harmony
import LarderModel
import LarderFormats
import LarderJournal
import LarderStores
import Testing

/// Android preferences as a store: restored entries have the type that their app expects.
struct PreferencesStoreTests {
  private static let text = """
    <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
    <map>
        <int name="int" value="1" />
        <weird name="w"><x/></weird>
        <int name="broken" value="x" />
        \(elements.values.sorted().joined(separator: "\n    "))
    </map>

    """
  private static let elements = [
    "long": #"<long name="long" value="1" />"#,
    "float": #"<float name="float" value="2.0" />"#,
    "boolean": #"<boolean name="boolean" value="true" />"#,
    "string": #"<string name="string">1</string>"#,
    "set": "<set name=\"set\">\n        <string>a</string>\n    </set>",
    "null": #"<null name="null" />"#,
  ]
  private let folder: TestFolder
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = try folder.write(Array(Self.text.utf8), to: "prefs.xml")
  }

  private func open() async throws -> Store {
    let journal = Journal(path: folder.file("state/journal.db"))
    return try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
  }

  private func contents() throws -> String {
    String(decoding: try folder.bytes("prefs.xml"), as: UTF8.self)
  }

  @Test(arguments: elements.keys.sorted())
  func `A deleted entry is restored with its type`(_ name: String) async throws {
    let element = try #require(Self.elements[name])
    let store = try await open()
    try await store.source.delete(EntryQuery(.text(name))).get()
    #expect(try !contents().contains(element))
    try await store.replay(ReplayRequest())
    #expect(try contents().contains(element))
    try await store.source.delete(EntryQuery(.text(name))).get()
    try await store.source.delete(EntryQuery(.text("int"))).get()
    for _ in 0..<2 { try await store.replay(ReplayRequest()) }
    #expect(try contents().contains(element))
    #expect(try contents().contains(#"<int name="int" value="1" />"#))
  }

  @Test func `A changed type is restored`() async throws {
    let store = try await open()
    try await store.set(.text("text"), .text("long"))
    #expect(try contents().contains(#"<string name="long">text</string>"#))
    try await store.replay(ReplayRequest())
    #expect(try contents() == Self.text)
  }

  @Test func `The type travels with the entry`() async throws {
    let store = try await open()
    let entry = try await store.source.get(EntryQuery(.text("long"))).get()
    #expect(entry.form == "long")
    let page = try await store.source.getAll(EntryPageQuery(limit: 20, detail: .values)).get()
    #expect(page.first { $0.key == .text("long") }?.form == "long")
    #expect(page.first { $0.key == .text("int") }?.form == nil)
    let line = EntryLine(key: .text("new"), value: .integer(1), form: entry.form)
    let read = try EntryLine(line.text().utf8)
    #expect(read == line)
    let change = EntryChange(read.key, value: read.value, expecting: nil, form: read.form)
    _ = try await store.source.putAll([], in: ChangesQuery([change])).get()
    #expect(try contents().contains(#"<long name="new" value="1" />"#))
    for isRedo in [false, true] {
      try await store.replay(ReplayRequest(isRedo: isRedo))
      #expect(try contents().contains(#"<long name="new" value="1" />"#) == isRedo)
    }
    let other = Entry(key: .text("other"), value: .integer(2), form: "long")
    _ = try await store.source.put(other, in: EntryQuery(.text("other"))).get()
    #expect(try contents().contains(#"<long name="other" value="2" />"#))
    let file = Entry(key: .text("file"), value: .text("a file"), form: "mode 644")
    _ = try await store.source.put(file, in: EntryQuery(.text("file"))).get()
    #expect(try contents().contains(#"<string name="file">a file</string>"#))
  }

  @Test(arguments: ["w", "broken"])
  func `An entry that could not be restored is not deleted`(_ name: String) async throws {
    let store = try await open()
    let error = await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.text(name))).get()
    }
    #expect(error?.message.contains("SharedPreferences does not write") == true)
    let entry = try await store.source.get(EntryQuery(.text(name))).get()
    let value = try #require(entry.value)
    let copy = Entry(key: .text("copy"), value: value, form: entry.form)
    await #expect(throws: StoreError.self) {
      try await store.source.put(copy, in: EntryQuery(.text("copy"))).get()
    }
    #expect(try contents() == Self.text)
  }
}
