import Foundation
import Harmony
import HarmonyInspection
import HarmonyTesting
import Testing

@Suite struct InspectorTests {
  private let memory = InMemoryDataSource<String>()

  @Test func `The program's sources are listed by name with their properties`() async throws {
    let shown = try Shown()
    shown.inspector.expose(memory, as: "b")
    shown.inspector.expose(
      TimedCacheDataSource(InMemoryDataSource<[Int]>()), as: "a", isWritable: true)
    let sources = try await shown.client.sources().get()
    #expect(
      sources == [
        InspectedSource(
          name: "a", type: "Array<Int>", isWritable: true, isCache: true, listsKeys: true),
        InspectedSource(
          name: "b", type: "String", isWritable: false, isCache: false, listsKeys: true),
      ])
    shown.inspector.conceal("a")
    #expect(try await shown.client.sources().get().map(\.name) == ["b"])
    await #expect(throws: InspectionError.unknownSource("a")) {
      try await shown.source("a").get(IdQuery("x")).get()
    }
  }

  @Test func `Nothing can be changed unless the program allows it`() async throws {
    let shown = try Shown()
    try await memory.put("1", forId: "a").get()
    shown.inspector.expose(memory, as: "m")
    shown.inspector.expose(TimedCacheDataSource(memory), as: "c")
    let source = shown.source("m")
    await #expect(throws: InspectionError.readOnly("m")) {
      try await source.put(.text("2"), in: IdQuery("a")).get()
    }
    await #expect(throws: InspectionError.readOnly("m")) {
      try await source.putAll([.text("2")], in: IdQuery("a")).get()
    }
    await #expect(throws: InspectionError.readOnly("m")) {
      try await source.delete(AllObjectsQuery()).get()
    }
    await #expect(throws: InspectionError.readOnly("m")) {
      try await source.replace("a", with: nil, expecting: .anything).get()
    }
    await #expect(throws: InspectionError.readOnly("c")) {
      try await shown.source("c").evict(nil).get()
    }
    await #expect(throws: InspectionError.readOnly("c")) {
      try await shown.source("c").refresh("a").get()
    }
    #expect(try await memory.get("a").get() == "1")
    #expect(try await source.get(IdQuery("a")).get() == .text("1"))
  }

  @Test func `Clients see what the program writes, and the program sees what clients write`()
    async throws
  {
    let shown = try Shown()
    shown.inspector.expose(memory, as: "m", isWritable: true)
    let source = shown.source("m")
    try await memory.put("from the program", forId: "a").get()
    #expect(try await source.get(IdQuery("a")).get() == .text("from the program"))
    try await source.put(.text("from outside"), in: IdQuery("b")).get()
    #expect(try await memory.get("b").get() == "from outside")
  }

  @Test func `Entries are listed with previews of their values`() async throws {
    let shown = try Shown()
    shown.inspector.expose(memory, as: "m")
    try await memory.put("äöü", forId: "a").get()
    try await memory.putAll(["one", "two"], in: IdQuery("b")).get()
    let page = try await shown.source("m").entries(KeySelection(), preview: 5).get()
    #expect(
      page.entries == [
        InspectedEntry(key: "a", value: .text("äö"), size: 6),
        InspectedEntry(key: "b", value: .list([.text("one"), .text("tw")]), size: 6),
      ])
    #expect(!page.isCut)
    let whole = try await shown.source("m").entry("b").get()
    #expect(whole.value == .list([.text("one"), .text("two")]))
    await #expect(throws: CoreError.NotFound.self) { try await shown.source("m").entry("z").get() }
  }

  @Test func `A truncated page is marked, and the next one continues after its last key`()
    async throws
  {
    let shown = try Shown(limits: InspectionLimits(messageSize: 4_096, entries: 1_000))
    shown.inspector.expose(memory, as: "m")
    let keys = (100..<160).map { "key \($0)" }
    for key in keys { try await memory.put(String(repeating: "x", count: 40), forId: key).get() }
    var selection = KeySelection()
    var seen: [String] = []
    var pages = 0
    while true {
      let page = try await shown.source("m").entries(selection, preview: 40).get()
      seen += page.entries.map(\.key)
      pages += 1
      guard page.isCut else { break }
      selection.after = try #require(page.entries.last?.key)
    }
    #expect(seen == keys)
    #expect(pages > 1)
  }

  @Test func `All keys are returned, regardless of the page size`() async throws {
    let shown = try Shown(limits: InspectionLimits(entries: 7))
    shown.inspector.expose(memory, as: "m")
    let keys = (100..<150).map { "k\($0)" }
    for key in keys { try await memory.put("", forId: key).get() }
    let source = shown.source("m")
    #expect(try await source.getKeys(AllObjectsQuery()).get() == keys)
    let last = KeyPageQuery(limit: 20, isDescending: true)
    #expect(try await source.getKeys(last).get() == Array(keys.reversed().prefix(20)))
    #expect(try await source.countKeys(KeyPrefixQuery("k12")).get() == 10)
    await #expect(throws: InspectionError.tooLarge(limit: 16 << 20)) {
      try await source.getAll(AllObjectsQuery()).get()
    }
  }

  @Test func `A value that is too large for a message is refused, but the next one is not`()
    async throws
  {
    let shown = try Shown(limits: InspectionLimits(messageSize: 2_000))
    shown.inspector.expose(memory, as: "m")
    try await memory.put(String(repeating: "x", count: 3_000), forId: "long").get()
    try await memory.put(String(repeating: "\u{1}", count: 1_000), forId: "escaped").get()
    try await memory.put("short", forId: "short").get()
    for key in ["long", "escaped"] {
      await #expect(throws: InspectionError.tooLarge(limit: 2_000)) {
        try await shown.source("m").get(IdQuery(key)).get()
      }
    }
    #expect(try await shown.source("m").get(IdQuery("short")).get() == .text("short"))
  }

  @Test func `An entry is replaced only if it is unchanged`() async throws {
    let shown = try Shown()
    shown.inspector.expose(memory, as: "m", isWritable: true)
    let source = shown.source("m")
    try await source.replace("a", with: .text("1"), expecting: .nothing).get()
    try await source.replace("a", with: .text("2"), expecting: .value(.text("1"))).get()
    for expected in [RemoteDataSource.Expectation.nothing, .value(.text("1"))] {
      await #expect(throws: InspectionError.conflict) {
        try await source.replace("a", with: .text("3"), expecting: expected).get()
      }
    }
    #expect(try await memory.get("a").get() == "2")
    try await source.replace("a", with: .list([.text("x")]), expecting: .anything).get()
    #expect(try await memory.getAll("a").get() == ["x"])
    try await source.replace("a", with: nil, expecting: .value(.list([.text("x")]))).get()
    #expect(memory.keys.isEmpty)
  }

  @Test func `Only one of several concurrent replacements succeeds`() async throws {
    let shown = try Shown()
    let others = (0..<8).map { _ in InspectionClient(socket: shown.folder.socket, timeLimit: 600) }
    shown.inspector.expose(memory, as: "m", isWritable: true)
    try await memory.put("0", forId: "a").get()
    let successes = await withTaskGroup(of: Bool.self) { group in
      for (number, other) in others.enumerated() {
        group.addTask {
          let future = other.source("m").replace(
            "a", with: .text("by \(number)"), expecting: .value(.text("0")))
          return (try? await future.get()) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(successes == 1)
  }

  private struct Session: Codable, Sendable {
    var user: String
    var age: Int
  }

  @Test(arguments: [
    (#"{"user":"ann"}"#, "the value has no member age, which Session needs"),
    (#"{"user":"ann","age":"x"}"#, "age is not of type Int"),
    (#"{"user":null,"age":1}"#, "user is null, but must be of type String"),
    ("{", "the value is not valid: The given data was not valid JSON."),
  ])
  func `A value that the program cannot store is refused with the reason`(
    _ json: String, _ sentence: String
  ) async throws {
    let shown = try Shown()
    shown.inspector.expose(InMemoryDataSource<Session>(), as: "s", isWritable: true)
    await #expect(throws: CoreError.IllegalArgument(sentence)) {
      try await shown.source("s").put(.json(json), in: IdQuery("a")).get()
    }
    do {
      try await shown.source("s").put(.json(json), in: IdQuery("a")).map { _ in }.get()
    } catch let error as CoreError.IllegalArgument {
      #expect(error.description == sentence)
    }
  }

  @Test func `A source that never answers does not block others, and is released`() async throws {
    let shown = try Shown()
    let held = DelayingDataSource(memory)
    shown.inspector.expose(held, as: "held")
    shown.inspector.expose(memory, as: "m")
    try await memory.put("1", forId: "a").get()
    var impatient: RawPeer? = try RawPeer(shown.folder.socket)
    impatient?.greet()
    impatient?.send(message: #"{"id":1,"action":"get","source":"held","query":{"key":"a"}}"#)
    while held.heldCount == 0 { await Task.yield() }
    #expect(try await shown.source("m").get(IdQuery("a")).get() == .text("1"))
    impatient = nil
    // A request is cancelled when its client has disconnected.
    while held.cancelledCount == 0 { await Task.yield() }
    _ = impatient
  }

  @Test func `The sources are released with the inspector`() async throws {
    let folder = try SocketFolder()
    var inspector: Inspector? = try Inspector(socket: folder.socket)
    var source: InMemoryDataSource<String>? = InMemoryDataSource()
    weak let kept = source
    inspector?.expose(source ?? memory, as: "m")
    source = nil
    #expect(kept != nil)
    inspector = nil
    #expect(kept == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.socket))
    _ = (inspector, source)
  }
}
