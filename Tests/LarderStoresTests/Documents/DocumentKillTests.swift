import Foundation
import Harmony
import HarmonyTesting
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Contents of a file after a writer was killed or ran out of disk space.
@Suite(.serialized) struct DocumentKillTests {
  /// The number of kills for each subject, set by `DOCUMENT_KILLS` for longer runs.
  private static let kills =
    ProcessInfo.processInfo.environment["DOCUMENT_KILLS"].flatMap(Int.init) ?? 25

  private static let start = "{\n  // kept\n  \"first\": 1.50,\n  \"k0\": \"0:\"\n}\n"

  enum Subject: String, CaseIterable {
    case json, xml, binary, preferences, table, folder, defaults
  }

  /// Creates a store with a constant value, `first`, and one that changes, `k0`, and returns its
  /// path.
  private func store(
    _ subject: Subject, in folder: borrowing TestFolder, _ domain: TestDomain
  ) async throws -> String {
    switch subject {
    case .json: return try folder.write(Array(Self.start.utf8), to: "file")
    case .xml, .binary:
      let list = try PropertyListSerialization.data(
        fromPropertyList: ["first": 1.5, "k0": "0:"] as [String: Any],
        format: subject == .xml ? .xml : .binary, options: 0)
      return try folder.write(Array(list), to: "file")
    case .preferences:
      let map = """
        <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
        <map>
            <float name="first" value="1.50" />
            <string name="k0">0:</string>
        </map>

        """
      return try folder.write(Array(map.utf8), to: "file")
    case .table:
      return try await folder.database(
        "CREATE TABLE kv(k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES('first', 1.5), ('k0', '0:')")
    case .folder:
      _ = try folder.write(Array("kept".utf8), to: "files/first")
      _ = try folder.write(Array("0:".utf8), to: "files/k0")
      return folder.file("files")
    case .defaults:
      let list = try PropertyListSerialization.data(
        fromPropertyList: ["first": 1.5, "k0": "0:"] as [String: Any], format: .binary, options: 0)
      try list.write(to: URL(filePath: domain.list))
      return domain.location
    }
  }

  private func contents(_ store: Store) async throws -> [EntryKey: StoredValue] {
    let entries = try await store.source.getAll(AllObjectsQuery()).get()
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value ?? .null) })
  }

  @Test(arguments: Subject.allCases)
  func `A killed writer loses no acknowledged write, and its changes can be undone`(
    subject: Subject
  ) async throws {
    let folder = try TestFolder()
    let domain = TestDomain()
    defer { withExtendedLifetime(domain) {} }
    let path = try await store(subject, in: folder, domain)
    let names = try folder.names()
    let journal = Journal(path: folder.file("state/journal.db"))
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    let before = try await contents(try await Stores.store(path))
    #expect(before.count == 2)
    var certain: [String: Int] = ["k0": 0]
    var newest = 0
    for round in 0..<Self.kills {
      var writer = try DocumentProcess(["churn", path, "\(newest)", journal.path])
      var possible: (key: String, number: Int)?
      func note(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let number = Int(words[2]) else { return }
        newest = number
        if words[0] == "ack" { certain[words[1]] = number }
        possible = words[0] == "ack" ? nil : (words[1], number)
      }
      for _ in 0..<Int.random(in: 1..<8, using: &random) {
        if let line = writer.line() { note(line) }
      }
      // The kill can also hit the middle of a write, which takes about a millisecond.
      let end = ContinuousClock.now + .microseconds(Int.random(in: 0..<3_000, using: &random))
      while ContinuousClock.now < end {}
      writer.kill()
      while let line = writer.line() { note(line) }
      let found = try await contents(try await Stores.store(path))
      for (key, number) in certain where found[.text(key)] != Self.value(number) {
        guard let possible, possible.key == key, found[.text(key)] == Self.value(possible.number)
        else {
          Issue.record("seed \(seed), round \(round): \(key) is not \(number)")
          continue
        }
      }
      if let possible, found[.text(possible.key)] == Self.value(possible.number) {
        certain[possible.key] = possible.number
      }
      #expect(found[.text("first")] == before[.text("first")])
    }
    #expect(newest > Self.kills / 4)
    try await undoAll(path, journal)
    let after = try await contents(try await Stores.store(path))
    #expect(after == before, "seed \(seed)")
    // The writes of the undo have removed the leftovers of killed writers.
    #expect(Set(try folder.names()).subtracting(["state", "test.db-journal"]) == Set(names))
    if subject == .folder {
      let files = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(files.sorted() == ["first", "k0"])
    }
  }

  /// Undoes every change in the journal.
  private func undoAll(_ path: String, _ journal: Journal) async throws {
    let store = try await Stores.open(path, journal: journal).store(nil)
    // An interrupted change that was never made fails once as not found; older changes may follow.
    var refusals = 0
    while refusals < 2 {
      do {
        try await store.replay(ReplayRequest())
        refusals = 0
      } catch StoreError.notFound {
        refusals += 1
      }
    }
  }

  private static func value(_ number: Int) -> StoredValue {
    let dots = number == 0 ? 0 : number % 5 == 0 ? 6_000 : number % 90
    return .text("\(number):" + String(repeating: ".", count: dots))
  }

  @Test func `Processes that write different members of one file lose nothing`() async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array("{}".utf8), to: "file.json")
    let names = ["a", "b", "c"]
    var first = try DocumentProcess(["fill", path, "a", "60"])
    var second = try DocumentProcess(["fill", path, "b", "60"])
    var third = try DocumentProcess(["fill", path, "c", "60"])
    #expect(first.line() == "done")
    #expect(second.line() == "done")
    #expect(third.line() == "done")
    let store = try await Stores.store(path)
    for name in names {
      for number in 0..<60 {
        let found = try await store.value(.text("\(name)\(number)"))
        guard case .text(let text) = found else {
          Issue.record("\(name)\(number) is \(String(describing: found))")
          continue
        }
        #expect(text.hasPrefix("\(number):"))
      }
    }
    #expect(try folder.names() == ["file.json"])
    first.wait()
    second.wait()
    third.wait()
  }

  @Test func `A write that runs out of space leaves the file unchanged and no temporary file`()
    throws
  {
    let folder = try TestFolder()
    let path = try folder.write(Array(Self.start.utf8), to: "file.json")
    var writer = try DocumentProcess(["cramp", path, "1000"])
    let line = writer.line() ?? ""
    writer.wait()
    #expect(line == "error \(path) would become too large for its disk; nothing was written")
    #expect(try folder.bytes("file.json") == Array(Self.start.utf8))
    #expect(try folder.names() == ["file.json"])
  }
}
