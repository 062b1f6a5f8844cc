import Foundation
@testable import HarmonyRedis
import LarderModel
import TestCatalogues
import Testing

@testable import LarderRedis

/// Renders each message of the catalogue.
struct RedisMessageTests {
  private static let key = EntryKey.text("user:7")

  private static let passwords: [StoreError] = ["redis://h", "redis://s3cret@h"].flatMap { text in
    (try? RedisLocation(text)).map { place in
      [
        .noPassword(for: place), .wrongPassword(for: place, from: "/a"),
        .wrongPassword(for: place, from: nil),
      ]
    } ?? []
  }

  @Test func `a password that was given as the name of a user is not repeated`() {
    #expect(Self.passwords.count == 6)
    #expect(Set(Self.passwords.map(\.message)).count == 6)
    for error in Self.passwords {
      #expect(error.code == "cannotOpen" && !error.message.contains("s3cret"))
    }
  }

  private static let rendered: [String] =
    ([
      .invalidRedisLocation, .passwordInLocation, .unreadablePasswordFile("/a"),
      .tooLargeToRead(key, 9, 1 << 20), .keepsChanging(key), .redisKeysAreText(.integer(1)),
      .notOfRedis(key, .null), .notInRedis(key, "[0]", .array), .noScore(key, "ada"),
      .repeated("\"ada\"", in: key),
      .emptyInRedis(key), .notAppended(key, "1-1"), .notRewritable(key, Messages.namesNotText),
      .pastExpiry(key), .expiredSince(key),
    ] as [StoreError] + passwords).map(\.message)
    + RedisError.Reason.allCases.map { reason in
      StoreError(
        redis: RedisError(reason, "localhost:6379: no answer"),
        at: StoreLocation(path: "redis://localhost:6379")
      ).message
    } + [
      Messages.cluster, Messages.streamEntries, Messages.expiringFields(1),
      Messages.expiringFields(2), Messages.changesNotCounted, Messages.hits(0, misses: 0),
      Messages.hits(9, misses: 1),
    ]

  @Test(arguments: RedisError.Reason.allCases)
  func `a write that may have been executed has an unknown outcome`(_ reason: RedisError.Reason) {
    let error = StoreError(
      redis: RedisError(reason, "no answer").afterSending(), at: StoreLocation(path: "redis://h"))
    #expect(error.code == "unknownOutcome")
  }

  @Test func `Each message is well-formed`() throws {
    let rules = try TextRules()
    for text in Self.rendered {
      #expect(rules.fault(of: text) == nil && !text.contains("  "), "\(text)")
      #expect(!text.hasSuffix(".") && !text.hasSuffix(";") && !text.hasSuffix(" "), "\(text)")
      #expect(text.first?.isUppercase != true, "\(text)")
    }
  }

  @Test func `Each member of the catalogue is rendered`() throws {
    let tests = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    #expect(try MessageSources("LarderRedis/Messages").unrendered(in: tests) == [])
  }
}
