import LarderJournal
import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// User defaults as seen by their own program and by larder.
struct DefaultsTests {
  @Test func `A missing domain is empty and can be written to`() async throws {
    let domain = TestDomain()
    let open = try await Stores.open(domain.location)
    #expect(open.kind.name == "defaults")
    #expect(open.facts.first?.text == "\(domain.list), which does not exist yet")
    let store = try await open.store(nil)
    #expect(try await store.keys() == [])
    try await store.source.delete(EntryQuery(.text("absent"))).get()
    #expect(!FileManager.default.fileExists(atPath: domain.list))
    try await store.set(.text("Ada"), .text("name"))
    let mode = try FileManager.default.attributesOfItem(atPath: domain.list)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try domain.ask("get", "name") == "Ada")
    #expect(domain.names.sorted() == [domain.name + ".harmony-lock", domain.name + ".plist"])
    #expect(try domain.ask("read", "name") == "Ada")
  }

  @Test func `Values written by the program are visible and preserved`() async throws {
    let domain = TestDomain()
    #expect(try domain.ask("set", "city", "London") == "done")
    let store = try await Stores.open(domain.location).store(nil)
    #expect(try await store.value(.text("city")) == .text("London"))
    try await store.set(.integer(42), .text("answer"))
    #expect(try domain.ask("set", "city", "Paris") == "done")
    #expect(try await store.value(.text("city")) == .text("Paris"))
    #expect(try await store.value(.text("answer")) == .integer(42))
    #expect(try domain.ask("write", "street", "Rue") == "done")
    #expect(try await store.value(.text("street")) == .text("Rue"))
    try await store.set(.text("Avenue"), .text("street"))
    for verb in ["get", "read"] { #expect(try domain.ask(verb, "street") == "Avenue") }
    #expect(try domain.ask("write", "city", "Rome") == "done")
    for (key, value) in [("city", "Rome"), ("street", "Avenue"), ("answer", "42")] {
      #expect(try domain.ask("read", key) == value)
    }
  }

  @Test func `A source in another process sees changes`() async throws {
    let domain = TestDomain()
    #expect(try domain.ask("write", "k", "1") == "done")
    var follower = try DocumentProcess(["defaults", "follow", domain.name, "k"], takesInput: true)
    #expect(follower.line() == "1")
    let store = try await Stores.open(domain.location).store(nil)
    for value in ["2", "3"] {
      try await store.set(.text(value), .text("k"))
      follower.say("")
      #expect(follower.line() == value)
    }
    try await store.source.delete(EntryQuery(.text("k"))).get()
    follower.say("")
    #expect(follower.line() == "nothing")
    follower.kill()
  }

  @Test(arguments: 0..<4)
  func `No write is lost when a source and larder write concurrently`(_ round: Int) async throws {
    let domain = TestDomain()
    var source = try DocumentProcess(["defaults", "fill", domain.name, "s", "25"])
    var larder = try DocumentProcess(["fill", domain.location, "l", "25"])
    while let line = larder.line() { #expect(line == "done") }
    while let line = source.line() { #expect(line == "done") }
    larder.wait()
    source.wait()
    let store = try await Stores.open(domain.location).store(nil)
    let expected = (0..<25).flatMap { ["l\($0)", "s\($0)"] }.sorted()
    #expect(try await store.keys(pages: 100) == expected.map { .text($0) })
    for key in ["s0", "l0", "s24", "l24"] { #expect(try domain.ask("read", key) != "nothing") }
  }

  @Test func `A removal by a source is visible`() async throws {
    let domain = TestDomain()
    let source = DeviceStorageDataSource<Int>(
      try #require(UserDefaults(suiteName: domain.name)), storageType: .rootKey("numbers"))
    try await source.putAll([1, 2], in: IdsQuery(["a", "b"])).get()
    let store = try await Stores.open(domain.location).store(nil)
    let inside = EntryKey.composite([.text("numbers<Int>"), .text("a")])
    #expect(try await store.value(inside) == .integer(1))
    try await store.set(.integer(7), inside)
    #expect(try await source.get(IdQuery("a")).get() == 7)
    try await source.delete(IdQuery("a")).get()
    await #expect(throws: CoreError.NotFound.self) { try await store.value(inside) }
    #expect(try await source.get(IdQuery("b")).get() == 2)
  }

  @Test(arguments: ["", ".", "..", "../x", "a/b", "/etc/passwd", "x\0y"])
  func `Domain names that are paths are refused`(_ name: String) async throws {
    await #expect(throws: StoreError.self) {
      try await Stores.open(StoreLocation(path: "defaults:" + name))
    }
  }

  @Test func `Values written by a source keep their types`() async throws {
    let domain = TestDomain()
    let defaults = try #require(UserDefaults(suiteName: domain.name))
    let date = Date(timeIntervalSinceReferenceDate: 0.5)
    try await DeviceStorageDataSource<Date>(defaults).put(date, forId: "date").get()
    try await DeviceStorageDataSource<Bool>(defaults).put(true, forId: "truth").get()
    let store = try await Stores.open(domain.location).store(nil)
    #expect(try await store.value(.text("date")) == .date(date))
    #expect(try await store.value(.text("truth")) == .bool(true))
    try await store.set(.text("x"), .text("own"))
    #expect(try await DeviceStorageDataSource<Date>(defaults).get("date").get() == date)
  }
}
