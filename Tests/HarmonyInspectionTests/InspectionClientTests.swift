import Foundation
import Harmony
import HarmonyTesting
import Testing

@testable import HarmonyInspection

@Suite struct InspectionClientTests {
  private let folder: SocketFolder

  init() throws {
    folder = try SocketFolder()
  }

  private func client(timeLimit: Double = 600, sizeLimit: Int = 1 << 20) -> InspectionClient {
    InspectionClient(socket: folder.socket, timeLimit: timeLimit, sizeLimit: sizeLimit)
  }

  /// Returns a server that greets and answers every message with the same bytes.
  private func server(_ bytes: [UInt8]) throws -> HostileServer {
    try HostileServer(folder.socket) { peer in
      _ = peer.receive(8)
      peer.send(Array("HINS".utf8) + [0, 1, 0, 0])
      while peer.message() != nil { peer.send(bytes) }
    }
  }

  @Test func `A missing server is reported`() async throws {
    await #expect(throws: InspectionError.notListening(folder.socket)) {
      try await client().sources().get()
    }
    try Data().write(to: URL(filePath: folder.socket))
    await #expect(throws: InspectionError.self) { try await client().sources().get() }
  }

  @Test func `A restarted process is queried again`() async throws {
    let client = client()
    var inspector: Inspector? = try Inspector(socket: folder.socket)
    #expect(try await client.sources().get() == [])
    inspector = nil
    await #expect(throws: InspectionError.self) { try await client.sources().get() }
    inspector = try Inspector(socket: folder.socket)
    inspector?.expose(InMemoryDataSource<String>(), as: "new")
    #expect(try await client.sources().get().map(\.name) == ["new"])
  }

  @Test func `A process that exits does not leave callers waiting`() async throws {
    let client = client()
    let held = DelayingDataSource(InMemoryDataSource<String>())
    var inspector: Inspector? = try Inspector(socket: folder.socket)
    inspector?.expose(held, as: "held")
    let future = client.source("held").get(IdQuery("a"))
    while held.heldCount == 0 { await Task.yield() }
    inspector = nil
    await #expect(throws: InspectionError.disconnected) { try await future.get() }
    _ = inspector
  }

  @Test func `An answer arrives even if the client has been released`() async throws {
    let inspector = try Inspector(socket: folder.socket)
    let answer = client().sources()
    #expect(try await answer.get() == [])
    withExtendedLifetime(inspector) {}
  }

  @Test func `A process that does not answer times out`() async throws {
    let silent = try HostileServer(folder.socket) { _ = $0.isEnded() }
    await #expect(throws: InspectionError.timedOut) {
      try await client(timeLimit: 0.05).sources().get()
    }
    withExtendedLifetime(silent) {}
  }

  @Test func `A process that greets but does not answer times out`() async throws {
    let silent = try server([])
    await #expect(throws: InspectionError.timedOut) {
      try await client(timeLimit: 0.05).sources().get()
    }
    withExtendedLifetime(silent) {}
  }

  @Test func `An unsupported version is reported`() async throws {
    let old = try HostileServer(folder.socket) { peer in
      peer.send(Array("HINS".utf8) + [0, 0, 0, 0])
      _ = peer.isEnded()
    }
    await #expect(throws: InspectionError.otherVersion) { try await client().sources().get() }
    withExtendedLifetime(old) {}
  }

  @Test func `An invalid greeting is reported`() async throws {
    let other = try HostileServer(folder.socket) { peer in
      peer.send(Array("220 mail ready\r\n".utf8))
      _ = peer.isEnded()
    }
    await #expect(throws: InspectionError.noGreeting) {
      try await client().sources().get()
    }
    withExtendedLifetime(other) {}
  }

  @Test func `An answer that is too long is not read`() async throws {
    let long = try server([0x7F, 0xFF, 0xFF, 0xFF])
    await #expect(throws: InspectionError.tooLarge(limit: 1 << 20)) {
      try await client().sources().get()
    }
    withExtendedLifetime(long) {}
  }

  private func framed(_ text: String) -> [UInt8] {
    UInt32(text.utf8.count).bigEndianBytes + Array(text.utf8)
  }

  @Test(arguments: ["", "{}", "null", #"{"id":"x"}"#, String(repeating: "[", count: 50_000)])
  func `An invalid answer ends the connection`(_ text: String) async throws {
    let wrong = try server(framed(text))
    await #expect(throws: InspectionError.malformed("an answer is not valid")) {
      try await client().sources().get()
    }
    withExtendedLifetime(wrong) {}
  }

  @Test func `An unexpected answer is not mistaken for the expected one`() async throws {
    let wrong = try server(framed(#"{"id":77,"sources":[]}"#))
    await #expect(throws: InspectionError.timedOut) {
      try await client(timeLimit: 0.05).sources().get()
    }
    withExtendedLifetime(wrong) {}
  }

  @Test func `An answer without the requested content is an error`() async throws {
    let empty = try server(framed(#"{"id":1}"#))
    await #expect(throws: InspectionError.incompleteAnswer) {
      try await client().sources().get()
    }
    withExtendedLifetime(empty) {}
  }

  @Test func `Random answers are valid or errors, and never traps`() async throws {
    let answer = Array(
      #"{"id":1,"entries":[{"key":"a","size":1,"value":{"text":"x"},"cached":{"age":1,"timeToLive":2,"hits":0,"lastUsed":1,"cost":1}}],"isCut":true}"#
        .utf8)
    let seeds = Locked<UInt64>(0)
    let random = try HostileServer(folder.socket) { peer in
      var random = SeededGenerator(
        seed: seeds.withLock { seed in
          seed += 1
          return seed
        })
      _ = peer.receive(8)
      peer.send(Array("HINS".utf8) + [0, 1, 0, 0])
      _ = peer.message()
      var bytes = answer
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        guard let place = bytes.indices.randomElement(using: &random) else { break }
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      peer.send(UInt32(bytes.count).bigEndianBytes + bytes)
    }
    var answers = 0
    for _ in 0..<200 {
      let page = client().source("m").entries(KeySelection(), preview: 10)
      if (try? await page.get()) != nil { answers += 1 }
    }
    // Changes to nothing, or to a letter of a string, leave the answer valid.
    #expect((40..<200).contains(answers))
    withExtendedLifetime(random) {}
  }
}
