import Testing

@testable import HarmonyRedis

struct HashSlotTests {
  @Test(arguments: [
    ("123456789", 12_739), ("foo", 12_182), ("", 0), ("{foo}bar", 12_182), ("a{foo}{x}", 12_182),
    ("user1000.following", 8_697), ("{user1000}.following", 3_443),
  ])
  func `A key has the slot that the specification gives it`(key: String, slot: Int) {
    #expect(HashSlot.of(Array(key.utf8)) == slot)
  }

  @Test func `Empty and open braces do not count`() {
    for key in ["{}foo", "foo{bar", "foo}bar{", "{{}"] {
      let parts = key == "{{}" ? "{" : key
      #expect(HashSlot.of(Array(key.utf8)) == HashSlot.of(Array(parts.utf8)), "\(key)")
    }
    #expect(HashSlot.of(Array("{}a".utf8)) != HashSlot.of(Array("{}b".utf8)))
  }

  private let seed = RedisAddress.tcp(host: "10.0.0.1", port: 7_000)

  private func range(_ first: Int64, _ last: Int64, _ host: RedisValue, _ port: Int64) -> RedisValue
  {
    .array([.integer(first), .integer(last), .array([host, .integer(port), .status("id")])])
  }

  @Test func `The slots of a cluster are read`() throws {
    let map = try ClusterMap(
      .array([
        range(0, 8_191, .null, 7_000), range(8_192, 16_382, .bytes(Array("b.example".utf8)), 7_001),
      ]), from: seed)
    #expect(map.masters == [seed, .tcp(host: "b.example", port: 7_001)])
    #expect(map.owner(of: 8_191) == seed)
    #expect(map.owner(of: 8_192) == .tcp(host: "b.example", port: 7_001))
    #expect(map.owner(of: 16_383) == nil)
  }

  @Test func `Invalid slots are refused`() {
    for reply in [
      RedisValue.null, .array([.null]), .array([range(0, 16_384, .null, 1)]),
      .array([range(5, 4, .null, 1)]), .array([range(-1, 4, .null, 1)]),
      .array([.array([.integer(0), .integer(1), .array([])])]),
    ] {
      #expect(throws: RedisError.self) { try ClusterMap(reply, from: seed) }
    }
  }

  @Test func `Redirections are read`() {
    let moved = Redirection(.init(code: "MOVED", message: "866 ::1:7002"), from: seed)
    #expect(moved?.address == .tcp(host: "::1", port: 7_002))
    #expect(moved?.isTemporary == false)
    let ask = Redirection(.init(code: "ASK", message: "866 :7002"), from: seed)
    #expect(ask?.address == .tcp(host: "10.0.0.1", port: 7_002))
    #expect(ask?.isTemporary == true)
    for message in [
      "", "1", "1 host", "99999 host:1", "-1 host:1", "1 host:0", "1 host:x", "1 host:99999",
    ] {
      #expect(Redirection(.init(code: "MOVED", message: message), from: seed) == nil)
    }
    #expect(Redirection(.init(code: "ERR", message: "1 host:1"), from: seed) == nil)
  }
}
