import Foundation
import HarmonyTesting
import LarderCore
import LarderStores
import Testing

/// What a file holds after a writer was killed, or had no room.
@Suite(.serialized) struct DocumentKillTests {
  /// More with `DOCUMENT_KILLS`.
  private static let kills =
    ProcessInfo.processInfo.environment["DOCUMENT_KILLS"].flatMap(Int.init) ?? 60

  private static let start = "{\n  // kept\n  \"first\": 1.50,\n  \"k0\": \"0:\"\n}\n"

  @Test func `A killed writer leaves the old file or the new one, and all it acknowledged`()
    async throws
  {
    let folder = try TestFolder()
    let path = try folder.write(Array(Self.start.utf8), to: "file.json")
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    var certain: [String: Int] = ["k0": 0]
    var newest = 0
    for round in 0..<Self.kills {
      var writer = try DocumentProcess(["churn", path, "\(newest)"])
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
      // The moment is random also within a write, which takes about a millisecond.
      let end = ContinuousClock.now + .microseconds(Int.random(in: 0..<3_000, using: &random))
      while ContinuousClock.now < end {}
      writer.kill()
      while let line = writer.line() { note(line) }
      let store = try await Stores.store(path)
      for (key, number) in certain {
        let found = try await store.value(.text(key))
        if found == Self.value(number) { continue }
        guard let possible, possible.key == key, found == Self.value(possible.number) else {
          Issue.record("seed \(seed), round \(round): \(key) is not \(number)")
          continue
        }
      }
      if let possible, try await store.keys().contains(.text(possible.key)) {
        let found = try await store.value(.text(possible.key))
        if found == Self.value(possible.number) { certain[possible.key] = possible.number }
      }
      #expect(try folder.bytes("file.json").starts(with: Self.start.utf8.prefix(32)))
      #expect(try await store.value(.text("first")) == .number("1.50"))
    }
    #expect(newest > Self.kills / 2)
    // What killed writers left is gone with the next write.
    let store = try await Stores.store(path)
    try await store.set(.null, .text("end"))
    #expect(try folder.names() == ["file.json"])
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

  @Test func `A write without room leaves the file as it was, and nothing beside it`() throws {
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
