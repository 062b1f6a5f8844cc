import Foundation
import Harmony
import HarmonyRedis
import LarderModel
import LarderStores
import RedisBench
import Testing

@testable import LarderRedis

/// The sources of the password of a server.
struct RedisPasswordTests {
  @Test func `a password that is required is asked for`() async throws {
    let server = try await onThread { try RedisServer(["--requirepass", "secret"]) }
    let asked = Locked<[String]>([])
    for password in ["secret", "wrong", nil] {
      var options = OpenOptions(busyTimeout: .seconds(20))
      options.passwordPrompt = PasswordPrompt { server in
        asked.withLock { $0.append(server) }
        return password
      }
      let open = try? await Stores.open("redis://127.0.0.1:\(server.port)/0", options: options)
      #expect((open != nil) == (password == "secret"))
      if let open {
        #expect(try await open.store(nil).source.entry(.text("k")) == nil)
      }
    }
    #expect(
      asked.withLock { $0 } == [String](repeating: "redis://127.0.0.1:\(server.port)", count: 3))
  }

  @Test func `the password comes from the environment or a file`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
    try "from a file\n".write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    func password(_ environment: [String: String], of server: String = "h") throws -> RedisPassword?
    {
      try RedisKind.password(for: RedisLocation("redis://\(server)"), environment)
    }
    let variable = "LARDER_REDIS_PASSWORD_FILE"
    #expect(try password([:]) == nil)
    #expect(try password(["LARDER_REDIS_PASSWORD": "a b"]) == "a b")
    #expect(try password([variable: file]) == "from a file")
    #expect(throws: StoreError.self) { try password([variable: file + ".missing"]) }
    try "redis://h first one\nvalkey://ada@h:7 second\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(try password([variable: file]) == "first one")
    #expect(try password([variable: file], of: "ada@H:7/3") == "second")
    #expect(try password([variable: file], of: "ada@h") == nil)
  }
}
