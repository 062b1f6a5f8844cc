#if Keychain
import Foundation
import Harmony
import HarmonyKeychain
import KeychainBench
import Testing

/// The examples in the documentation, run on a temporary keychain.
@Suite struct KeychainExamples {
  /// Replaces the service in the examples by one on the test's bus.
  private struct Examples {
    let bench: KeychainBench

    // swift-format-ignore: AlwaysUseLowerCamelCase
    func KeychainService(_ service: String) -> HarmonyKeychain.KeychainService {
      bench.keychain(service)
    }

    func tokens() async throws -> String {
      let keychain = KeychainService("com.example.app")
      let tokens = KeychainDataSource<String>(keychain)
      try await tokens.put("a token", forId: "session").get()
      let token = try await tokens.get("session").get()
      return token
    }

    func numbers() async throws -> Double {
      let source = KeychainDataSource<Double>(KeychainService("com.example.app"))
      try await source.put(3.14, forId: "pi").get()
      let pi = try await source.get("pi").get()
      return pi
    }

    func bytes() async throws -> Data? {
      let keychain = KeychainService("com.example.app")
      try await keychain.put(Data("secret".utf8), under: "token").get()
      let token = try await keychain.value(of: "token").get()
      return token
    }
  }

  @Test func `Storing in the keychain`() async throws {
    let examples = Examples(bench: try KeychainBench())
    #expect(try await examples.tokens() == "a token")
    #expect(try await examples.numbers() == 3.14)
    #expect(try await examples.bytes() == Data("secret".utf8))
  }
}
#endif
