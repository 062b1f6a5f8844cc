import Foundation
import Harmony
@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser
import Testing

/// Storage of drafts.
@Suite struct DraftStorageTests {
  private let source = InMemoryDataSource<Data>()
  private let place = StoreLocation(path: "/tmp/caf\u{E9}.db", collection: "settings")

  private func keeper(_ session: String, running: Set<String> = []) -> DraftStorage {
    let drafts = DataSourceMapper(
      dataSource: source, toInMapper: EncodableToDataMapper<Draft>(),
      toOutMapper: DataToDecodableMapper<Draft>())
    return DraftStorage(
      session: session, source: AnyDataSource(drafts), isRunning: { running.contains($0) })
  }

  private func draft(_ id: String, _ text: String = "text", at seconds: Double = 0) -> Draft {
    let base = Entry(
      key: .composite([.integer(1), .malformedText([0xFF])]),
      value: .record([.init("a\u{301}", .real(-0.0)), .init("b", .data([0, 1]))]), form: "jsonb")
    return Draft(
      id: id, place: place, title: "1 · x", key: base.key,
      part: ValuePart(column: "b", member: "(c,0)"), base: base,
      expecting: base.fingerprint, type: .data, isHex: seconds > 0, text: text,
      date: Date(timeIntervalSinceReferenceDate: seconds))
  }

  @Test func `A later process finds a draft unchanged`() throws {
    let old = draft("1:1.1", "e\u{301}\u{0}\n\u{1F600}")
    try keeper("1:1").keep(old, number: 1)
    #expect(keeper("2:2").left(at: place) == [old])
  }

  @Test(arguments: [true, false])
  func `A draft records whether bytes are edited as hex, and older drafts always are`(
    _ isHex: Bool
  ) throws {
    let kept = draft("1", "66 61", at: isHex ? 1 : 0)
    let data = try JSONEncoder().encode(kept)
    #expect(try JSONDecoder().decode(Draft.self, from: data) == kept)
    var members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    members["isHex"] = nil
    let old = try JSONSerialization.data(withJSONObject: members)
    #expect(try JSONDecoder().decode(Draft.self, from: old).isHex)
  }

  @Test func `The text is readable without larder`() async throws {
    try keeper("1").keep(draft("1.1", "my work"), number: 1)
    let file = String(decoding: try await source.get("1.1").get(), as: UTF8.self)
    #expect(file.contains("\"text\":\"my work\""))
  }

  @Test func `The latest version of a draft wins, in whatever order they arrive`() throws {
    let keeper = keeper("1")
    try keeper.keep(draft("1.1", "later"), number: 2)
    try keeper.keep(draft("1.1", "earlier"), number: 1)
    #expect(keeper.left(at: place).map(\.text) == ["later"])
    try keeper.keep(draft("1.1", "last"), number: 3)
    #expect(keeper.left(at: place).map(\.text) == ["last"])
  }

  @Test func `A discarded draft is never stored again`() throws {
    let keeper = keeper("1")
    try keeper.keep(draft("1.1"), number: 1)
    keeper.drop("1.1")
    try keeper.keep(draft("1.1"), number: 2)
    keeper.drop("1.2")
    try keeper.keep(draft("1.2"), number: 1)
    #expect(keeper.left(at: place).isEmpty)
  }

  @Test func `Only drafts of ended processes for the same store are found, newest first`()
    throws
  {
    let keeper = keeper("3", running: ["2"])
    for (id, seconds) in [("1.1", 10.0), ("1.2", 30), ("2.1", 20)] {
      try keeper.keep(draft(id, at: seconds), number: 1)
    }
    var other = draft("1.3")
    other.place.path = "/tmp/cafe\u{301}.db"
    try keeper.keep(other, number: 1)
    other.id = "1.4"
    other.place = StoreLocation(path: place.path)
    try keeper.keep(other, number: 1)
    #expect(keeper.left(at: place).map(\.id) == ["1.2", "1.1"])
  }

  @Test func `Members that an earlier version stored as columns are read as members`() async throws
  {
    var old = draft("1.1")
    old.base = Entry(key: old.key, value: .text(#"{"b":1}"#))
    old.expecting = old.base?.fingerprint
    old.part = ValuePart(column: "b")
    try keeper("1").keep(old, number: 1)
    #expect(keeper("2").left(at: place).map(\.part) == [ValuePart(member: "b")])
  }

  @Test func `A draft records whether its member is new`() throws {
    var old = draft("1.1")
    old.isNewMember = true
    try keeper("1").keep(old, number: 1)
    #expect(keeper("2").left(at: place) == [old])
  }

  @Test func `An invalid draft is ignored and not deleted`() async throws {
    try await source.put(Data("{}".utf8), forId: "1.1").get()
    try keeper("1").keep(draft("1.2"), number: 1)
    #expect(keeper("2").left(at: place).map(\.id) == ["1.2"])
    #expect(try await source.getKeys(AllObjectsQuery()).get().sorted() == ["1.1", "1.2"])
  }
}
