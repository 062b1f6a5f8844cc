import HarmonyTesting
import Testing

@testable import HarmonyRedis

struct RESPParserTests {
  /// Parses bytes that arrive in pieces; the messages end with an error if there is one.
  private func parse(
    _ bytes: [UInt8], pieces: Int, limits: RedisLimits = RedisLimits(), hiding secret: String? = nil
  ) -> (messages: [RESPParser.Message], error: RedisError?) {
    var parser = RESPParser(limits: limits, hiding: secret.map { Array($0.utf8) })
    var messages: [RESPParser.Message] = []
    do throws(RedisError) {
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        parser.append(bytes[start..<min(start + pieces, bytes.count)])
        while let message = try parser.next() { messages.append(message) }
      }
      return (messages, nil)
    } catch {
      return (messages, error)
    }
  }

  private func value(_ text: String) -> RedisValue? {
    let (messages, error) = parse(Array(text.utf8), pieces: 1)
    guard error == nil, messages.count == 1, case .reply(let value) = messages[0] else {
      return nil
    }
    return value
  }

  private static let examples: [(String, RedisValue)] = [
    ("+OK\r\n", .status("OK")),
    ("-WRONGTYPE no list\r\n", .failure(RedisServerError(code: "WRONGTYPE", message: "no list"))),
    ("-no code\r\n", .failure(RedisServerError(code: "ERR", message: "no code"))),
    ("!8\r\nOOM full\r\n", .failure(RedisServerError(code: "OOM", message: "full"))),
    (":-42\r\n", .integer(-42)),
    ("$5\r\na\r\nbc\r\n", .bytes(Array("a\r\nbc".utf8))),
    ("$0\r\n\r\n", .bytes([])),
    ("$-1\r\n", .null), ("*-1\r\n", .null), ("_\r\n", .null),
    ("#t\r\n", .integer(1)), ("#f\r\n", .integer(0)),
    (",1.5\r\n", .double(1.5)), (",-inf\r\n", .double(-.infinity)),
    ("(123456789012345678901\r\n", .bytes(Array("123456789012345678901".utf8))),
    ("=7\r\ntxt:abc\r\n", .bytes(Array("abc".utf8))),
    ("*0\r\n", .array([])),
    ("*2\r\n:1\r\n*2\r\n$1\r\na\r\n_\r\n", .array([.integer(1), .array([.bytes([97]), .null])])),
    ("~1\r\n:1\r\n", .array([.integer(1)])),
    ("%1\r\n+a\r\n:1\r\n", .array([.status("a"), .integer(1)])),
    ("|1\r\n+ttl\r\n:1\r\n:7\r\n", .integer(7)),
    ("*2\r\n|1\r\n+a\r\n*1\r\n:1\r\n:7\r\n:8\r\n", .array([.integer(7), .integer(8)])),
  ]

  @Test(arguments: examples)
  func `Each type of reply is read`(text: String, expected: RedisValue) {
    #expect(value(text) == expected)
  }

  @Test func `A push message is not a reply`() {
    let (messages, _) = parse(Array(">2\r\n+message\r\n+a\r\n+OK\r\n".utf8), pieces: 3)
    #expect(messages == [.push([.status("message"), .status("a")]), .reply(.status("OK"))])
  }

  @Test(arguments: [
    "HTTP/1.1 400 Bad Request\r\n", "\r\n", ":x\r\n", "$-2\r\n", "$1\r\nab\r\n", ":1\n", ",\r\n",
    "#x\r\n", "$99999999999999999999\r\n", "*x\r\n", "*1\r\n>1\r\n:1\r\n", "$?\r\n", "_x\r\n",
    String(repeating: "*1\r\n", count: 33) + ":1\r\n", "+" + String(repeating: "a", count: 70_000),
  ])
  func `An invalid reply is an error`(text: String) {
    for pieces in [1, 7, 100_000] {
      #expect(parse(Array(text.utf8), pieces: pieces).error?.reason == .malformed)
    }
  }

  @Test(arguments: [
    "*9223372036854775807\r\n", "%9223372036854775807\r\n", "*101\r\n", "%51\r\n",
    "$9223372036854775807\r\n", "$1001\r\n", "=2000\r\n", "*2\r\n$600\r\n",
    "*60\r\n*60\r\n",
  ])
  func `An announced size above the limit is refused before it arrives`(text: String) {
    var text = text
    if text.hasSuffix("$600\r\n") {
      text += String(repeating: "a", count: 600) + "\r\n$600\r\n"
    }
    let limits = RedisLimits(replyBytes: 1_000, replyElements: 100)
    #expect(parse(Array(text.utf8), pieces: 5, limits: limits).error?.reason == .tooLarge)
  }

  @Test func `Errors repeat neither arguments nor the password`() throws {
    let echo = "-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `hunter2`\r\n"
    let (first, _) = parse(Array(echo.utf8), pieces: 9, hiding: "hunter2")
    #expect(
      first == [
        .reply(.failure(RedisServerError(code: "ERR", message: "unknown command `HELLO`")))
      ])
    let (second, _) = parse(
      Array("-ERR not hunter2\u{1B}[2J\r\n".utf8), pieces: 9, hiding: "hunter2")
    #expect(!"\(second)".contains("hunter2"))
    let (third, _) = parse(Array("-ERR a\u{1B}[2Jb\r\n".utf8), pieces: 9)
    #expect(third == [.reply(.failure(RedisServerError(code: "ERR", message: "a [2Jb")))])
  }

  @Test(arguments: 0..<20)
  func `Mutated replies are read the same in pieces of any size`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let texts = Self.examples.map { Array($0.0.utf8) }
    for _ in 0..<400 {
      var bytes = (0..<4).flatMap { _ in texts[Int.random(in: texts.indices, using: &random)] }
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default:
          bytes.insert(
            Array("0159$*%~>|:+-\r\n".utf8).randomElement(using: &random) ?? 0, at: index)
        }
      }
      let limits = RedisLimits(replyBytes: 500, replyElements: 50)
      let whole = parse(bytes, pieces: bytes.count + 1, limits: limits)
      for pieces in [1, 2, Int.random(in: 3...20, using: &random)] {
        let parts = parse(bytes, pieces: pieces, limits: limits)
        // NaN is not equal to itself.
        #expect("\(parts.messages)" == "\(whole.messages)", "seed \(seed): \(bytes)")
        #expect(parts.error?.reason == whole.error?.reason, "seed \(seed): \(bytes)")
      }
    }
  }

  @Test(arguments: 0..<4)
  func `Random bytes do not crash`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      _ = parse(bytes, pieces: 5)
    }
  }

  @Test func `A long reply in small pieces takes linear time`() {
    let count = 200_000
    let text = "*\(count)\r\n" + String(repeating: ":1\r\n", count: count)
    let start = ContinuousClock.now
    let (messages, _) = parse(Array(text.utf8), pieces: 11)
    #expect(messages == [.reply(.array(Array(repeating: .integer(1), count: count)))])
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
