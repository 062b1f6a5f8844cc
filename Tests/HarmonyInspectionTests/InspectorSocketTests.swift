import Foundation
import Harmony
import Testing

@testable import HarmonyInspection

@Suite struct InspectorSocketTests {
  private let folder: SocketFolder

  init() throws {
    folder = try SocketFolder()
  }

  private func mode(_ path: String) throws -> mode_t {
    var facts = stat()
    try #require(lstat(path, &facts) == 0)
    return facts.st_mode
  }

  @Test func `Only the user can connect, regardless of the umask`() throws {
    let inspector = try Inspector(socket: folder.socket)
    #expect(try mode(folder.socket) == S_IFSOCK | 0o600)
    inspector.close()
    #expect(!FileManager.default.fileExists(atPath: folder.socket))
    inspector.close()
  }

  @Test(
    arguments: [
      (1_000, 1_000, false, true), (1_000, 1_000, true, true), (1_001, 1_000, false, false),
      (1_001, 1_000, true, false), (0, 1_000, false, true), (0, 1_000, true, true),
      (1_000, 0, false, false), (1_000, 0, true, true),
    ] as [(uid_t, uid_t, Bool, Bool)])
  func `Other users are refused`(peer: uid_t, user: uid_t, isClient: Bool, isRight: Bool) {
    #expect(Descriptor.mayTalk(to: peer, as: user, isClient: isClient) == isRight)
  }

  @Test func `The process at the other end is identified`() throws {
    let inspector = try Inspector(socket: folder.socket)
    let socket = try Descriptor.socket()
    #expect(try SocketAddress(folder.socket).call { connect(socket.number, $0, $1) } == 0)
    #expect(try socket.peer() == geteuid())
    withExtendedLifetime(inspector) {}
  }

  @Test func `A socket left behind by a killed process is replaced`() async throws {
    do {
      let left = try Descriptor.socket()
      #expect(try SocketAddress(folder.socket).call { bind(left.number, $0, $1) } == 0)
    }
    #expect(FileManager.default.fileExists(atPath: folder.socket))
    let inspector = try Inspector(socket: folder.socket)
    #expect(try await InspectionClient(socket: folder.socket, timeLimit: 600).sources().get() == [])
    withExtendedLifetime(inspector) {}
  }

  @Test func `The socket of a live process is not replaced`() async throws {
    let first = try Inspector(socket: folder.socket)
    #expect(throws: InspectionError.inUse(folder.socket)) { try Inspector(socket: folder.socket) }
    #expect(try await InspectionClient(socket: folder.socket, timeLimit: 600).sources().get() == [])
    withExtendedLifetime(first) {}
  }

  @Test func `A file that is not a socket is left alone`() throws {
    try Data("mine".utf8).write(to: URL(filePath: folder.socket))
    #expect(throws: InspectionError.noSocket(folder.socket)) {
      try Inspector(socket: folder.socket)
    }
    #expect(try Data(contentsOf: URL(filePath: folder.socket)) == Data("mine".utf8))
  }

  @Test func `A file that replaced the socket is not removed`() throws {
    let inspector = try Inspector(socket: folder.socket)
    try FileManager.default.removeItem(atPath: folder.socket)
    try Data("mine".utf8).write(to: URL(filePath: folder.socket))
    inspector.close()
    #expect(try Data(contentsOf: URL(filePath: folder.socket)) == Data("mine".utf8))
  }

  @Test(arguments: ["", String(repeating: "x", count: 108), "/nowhere/at/all.sock"])
  func `An impossible path is an error`(_ path: String) async {
    #expect(throws: InspectionError.self) { try Inspector(socket: path) }
    await #expect(throws: InspectionError.self) {
      try await InspectionClient(socket: path).sources().get()
    }
  }

  @Test func `A path of the maximum length is supported`() async throws {
    let name = String(repeating: "n", count: SocketAddress.longestPath - folder.path.utf8.count - 1)
    let path = folder.path + "/" + name
    #expect(path.utf8.count == 107)
    let inspector = try Inspector(socket: path)
    #expect(try await InspectionClient(socket: path).sources().get() == [])
    withExtendedLifetime(inspector) {}
  }
}
