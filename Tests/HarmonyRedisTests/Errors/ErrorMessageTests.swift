import Foundation
import Harmony
import TestCatalogues
import Testing

@testable import HarmonyRedis

/// Renders each message of the catalogue.
struct ErrorMessageTests {
  private static let address = RedisAddress.tcp(host: "localhost", port: 6_379)
  private static let problems: [EncryptionProblem] = [
    .setup, .noAuthorities(file: nil), .noAuthorities(file: "/a"), .noCertificate(file: "/a"),
    .noKey(file: "/a"), .notServerName("a"), .outOfMemory(address), .encryption(address),
    .handshake(address),
  ]

  private static let errors: [RedisError] =
    [
      .noAddress, .closed, .notSocketPath("/a"), .notAddress(address), .notFound("h", EAI_NONAME),
      .unreachable(address, .system(.connect, ECONNREFUSED)), .timedOut(address), .noOpenSSL,
      .noServerName(address), .untrusted(address, "expired"), .tooLarge(RedisLimits()),
      .forbiddenSlots, .noSlots, .circularRedirection, .movingKeys, .changed("user:7"),
    ]
    + SystemAction.allCases.map { .system($0, ENOMEM) }
    + ConnectionLoss.allCases.map { .disconnected(address, $0) }
    + ProtocolFault.allCases.map { .malformed($0) }
    + problems.flatMap { [.insecure($0, nil), .insecure($0, "no such file")] }

  private static let texts: [String] =
    errors.map(\.description) + [
      CoreError.DataSerialization.notText(keysWith: "a:").description,
      CoreError.IllegalArgument.noValue.description,
      CoreError.IllegalArgument.unequalCounts.description,
      RedisError.unknownOutcome("no answer"), RedisServerError.hidden,
    ]
    + ServerAdvice.allCases.map { advice in
      RedisError.refusal(RedisServerError(code: "ERR", message: "a"), "GET") + advice.rawValue
    }

  @Test func `Each message is well-formed`() throws {
    let rules = try TextRules()
    for text in Self.texts {
      #expect(rules.fault(of: text) == nil && !text.contains("  "), "\(text)")
      #expect(!text.hasSuffix(".") && !text.hasSuffix(";") && !text.hasSuffix(" "), "\(text)")
    }
  }

  @Test func `Each member of the catalogue is rendered, and no sentence is elsewhere`() throws {
    let tests = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    #expect(try MessageSources("HarmonyRedis/Errors").unrendered(in: tests) == [])
    let sentences = try MessageSources("HarmonyRedis").sentences(except: [:])
    // A script is not a message.
    #expect(sentences.filter { !$0.contains("redis.call") } == [])
  }
}
