import LarderJournal
import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// Defaults as their own programs and larder see them.
struct DefaultsTests {
  @Test func aDomainThatIsNotThereIsEmptyAndCanBeWritten() async throws {
    let domain = TestDomain()
    let open = try await Stores.open(domain.location)
    #expect(open.kind.name == "defaults")
    #expect(open.facts.first?.text == "\(domain.list), not there yet")
    let store = try await open.store(nil)
    #expect(try await store.keys() == [])
    try await store.source.delete(EntryQuery(.text("absent"))).get()
    #expect(!FileManager.default.fileExists(atPath: domain.list))
    try await store.set(.text("Ada"), .text("name"))
    let mode = try FileManager.default.attributesOfItem(atPath: domain.list)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try domain.ask("get", "name") == "Ada")
    // No source has ever been there, so there is no journal either.
    #expect(domain.names.sorted() == [domain.name + ".harmony-lock", domain.name + ".plist"])
    #expect(try domain.ask("read", "name") == "Ada")
  }

  @Test func whatTheProgramWritesIsSeenAndKept() async throws {
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

  @Test func aSourceThatIsOpenElsewhereFollows() async throws {
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

  @Test(arguments: [true, false])
  func whatIsInTheJournalOnlyIsSeenAndNotUndone(_ isChanged: Bool) async throws {
    let domain = TestDomain()
    // Larger than what the source can write, which is left with its journal.
    #expect(try domain.ask("set", "large", String(repeating: "x", count: 20_000)) == "done")
    #expect(try domain.ask("write", "old", "1") == "done")
    var writer = try DocumentProcess(["defaults", "cramp", domain.name, "k", "journal"])
    #expect(writer.line() == "done")
    #expect(try !String(contentsOfFile: domain.list, encoding: .utf8).contains("journal"))

    let store = try await Stores.open(domain.location).store(nil)
    #expect(try await store.value(.text("k")) == .text("journal"))
    #expect(try await store.keys().contains(.text("k")))
    if isChanged {
      try await store.set(.text("larder"), .text("k"))
    } else {
      try await store.set(.text("2"), .text("old"))
    }
    let expected = isChanged ? "larder" : "journal"
    #expect(try await store.value(.text("k")) == .text(expected))
    for verb in ["get", "read"] { #expect(try domain.ask(verb, "k") == expected) }
    writer.kill()
    #expect(try domain.ask("write", "other", "1") == "done")
    for verb in ["get", "read"] { #expect(try domain.ask(verb, "k") == expected) }
    #expect(try domain.ask("read", "old") == (isChanged ? "1" : "2"))
  }

  @Test(arguments: ["later", "journal"])
  func whatLarderWroteOverTheJournalYieldsToLaterValues(_ value: String) async throws {
    let domain = TestDomain()
    #expect(try domain.ask("set", "large", String(repeating: "x", count: 20_000)) == "done")
    #expect(try domain.ask("write", "old", "1") == "done")
    var writer = try DocumentProcess(["defaults", "cramp", domain.name, "k", "journal"])
    #expect(writer.line() == "done")
    writer.kill()
    let store = try await Stores.open(domain.location).store(nil)
    try await store.set(.text("larder"), .text("k"))
    #expect(try domain.ask("set", "k", value) == "done")
    // Only the value that larder has replaced may be that of a source that is behind.
    let expected = value == "journal" ? "larder" : value
    #expect(try await store.value(.text("k")) == .text(expected))
    #expect(try domain.ask("read", "k") == expected)
    try await store.set(.text("1"), .text("other"))
    for verb in ["get", "read"] { #expect(try domain.ask(verb, "k") == expected) }
    #expect(try domain.ask("write", "more", "1") == "done")
    #expect(try domain.ask("read", "k") == expected)
    #expect(try await store.value(.text("k")) == .text(expected))
  }

  @Test func aValueOfTheJournalThatCannotBeShownIsSaid() throws {
    let domain = TestDomain()
    let companion = DefaultsCompanion(domain: try DefaultsDomain(named: domain.name))
    #expect(try companion.stored(1, "k") == .integer(1))
    let error = try #require(throws: StoreError.self) { try companion.stored(NSNull(), "k") }
    #expect(error.message.contains("holds a value of k that is of no type"))
  }

  @Test(arguments: 0..<4)
  func nothingIsLostWhereASourceBeginsMeanwhile(_ round: Int) async throws {
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

  @Test func aRemovalInTheJournalIsSeen() async throws {
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
  func namesThatLeadElsewhereAreRefused(_ name: String) async throws {
    await #expect(throws: StoreError.self) {
      try await Stores.open(StoreLocation(path: "defaults:" + name))
    }
  }

  @Test func aListThatWasCutOffIsReadFromItsCopy() async throws {
    let domain = TestDomain()
    #expect(try domain.ask("write", "k", "1") == "done")
    let copy = domain.folder + "/\(domain.name).harmony-copy"
    try FileManager.default.copyItem(atPath: domain.list, toPath: copy)
    try Data("<?xml".utf8).write(to: URL(fileURLWithPath: domain.list))
    let store = try await Stores.open(domain.location).store(nil)
    #expect(try await store.value(.text("k")) == .text("1"))
    try await store.set(.text("2"), .text("l"))
    #expect(try domain.ask("get", "k") == "1")
    #expect(try domain.ask("read", "l") == "2")
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try String(contentsOfFile: domain.list + "-damaged", encoding: .utf8) == "<?xml")
  }

  @Test func aCopyThatHoldsMoreThanTheListIsKept() async throws {
    let domain = TestDomain()
    #expect(try domain.ask("set", "foreign", "1") == "done")
    let list = try String(contentsOfFile: domain.list, encoding: .utf8)
    let copy = domain.folder + "/\(domain.name).harmony-copy"
    try FileManager.default.moveItem(atPath: domain.list, toPath: copy)
    #expect(try domain.ask("set", "k", "2") == "done")
    let store = try await Stores.open(domain.location).store(nil)
    try await store.set(.text("3"), .text("k"))
    #expect(try domain.ask("get", "foreign") == "nothing")
    #expect(try String(contentsOfFile: domain.list + "-damaged", encoding: .utf8) == list)
    #expect(!FileManager.default.fileExists(atPath: copy))
  }
}
