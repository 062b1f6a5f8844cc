import Foundation
import Harmony
import HarmonyTesting
import Testing

@testable import HarmonyInspection

/// Strings that are canonically equivalent but have different bytes.
@Suite struct BytesTests {
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"

  @Test func `Two sources with canonically equivalent names are distinct`() async throws {
    let shown = try Shown()
    for name in [Self.composed, Self.decomposed] {
      let memory = InMemoryDataSource<String>()
      try await memory.put(String(name.utf8.count), forId: "bytes").get()
      shown.inspector.expose(memory, as: name)
    }
    let names = try await shown.client.sources().get().map { Array($0.name.utf8) }
    #expect(names == [Array(Self.decomposed.utf8), Array(Self.composed.utf8)])
    for name in [Self.composed, Self.decomposed] {
      let value = try await shown.source(name).get(IdQuery("bytes")).get()
      #expect(value == .text(String(name.utf8.count)))
    }
    shown.inspector.conceal(Self.composed)
    #expect(try await shown.client.sources().get().count == 1)
  }

  @Test func `A canonically equivalent value is not the expected one`() async throws {
    let shown = try Shown()
    let memory = InMemoryDataSource<String>()
    try await memory.put(Self.decomposed, forId: "a").get()
    shown.inspector.expose(memory, as: "m", isWritable: true)
    await #expect(throws: InspectionError.conflict) {
      try await shown.source("m").replace(
        "a", with: .text("new"), expecting: .value(.text(Self.composed))
      ).get()
    }
    try await shown.source("m").replace(
      "a", with: .text("new"), expecting: .value(.text(Self.decomposed))
    ).get()
    #expect(try await memory.get(IdQuery("a")).get() == "new")
  }

  @Test func `Repeated pages of the same keys are an error`() async throws {
    let folder = try SocketFolder()
    let numbers = Locked(0)
    let endless = try HostileServer(folder.socket) { peer in
      _ = peer.receive(8)
      peer.send(Array("HINS".utf8) + [0, 1, 0, 0])
      while peer.message() != nil {
        let id = numbers.withLock { number in
          number += 1
          return number
        }
        let answer = "{\"id\":\(id),\"keys\":[\"a\"],\"isCut\":true}"
        peer.send(message: answer)
      }
    }
    let client = InspectionClient(socket: folder.socket, timeLimit: 600)
    await #expect(throws: InspectionError.repeatedKeys) {
      try await client.source("m").getKeys(AllObjectsQuery()).get()
    }
    withExtendedLifetime(endless) {}
  }

  @Test func `The process at the other end is identified, and its exit is noticed`() async throws {
    let folder = try SocketFolder()
    let inspector = try Inspector(socket: folder.socket)
    let client = InspectionClient(socket: folder.socket, timeLimit: 600)
    let process = try await client.process().get()
    #expect(process.id == getpid())
    #expect(process.user == geteuid())
    #expect(process.program?.hasPrefix("/") == true)
    let departure = client.departure()
    #expect(try await client.sources().get() == [])
    inspector.close()
    try await departure.get()
  }
}
