#if Keychain
import Harmony
import KeychainBench
import LarderModel
import LarderStoreBase
import Testing

@testable import LarderStores

/// The entries of a keychain.
struct KeychainTests {
  @Test func `A prefix deletion that is stopped tells how many entries it deleted`() async throws {
    let bench = try KeychainBench()
    let source = KeychainEntrySource(
      bench.keychain(), at: StoreLocation(path: "keychain:stopped"), isReadOnly: false,
      salt: SecretSalt(path: bench.folder + "/salt"))
    for key in ["a1", "a2", "a3", "b"] {
      try await source.put(Entry(key: .null, value: .text("x")), in: IdQuery(key)).get()
    }
    let stopping = Scan { if $0.changed == 1 { $0.stop() } }
    await #expect(throws: CancellationError.self) {
      try await source.delete(PrefixQuery("a", scan: stopping)).get()
    }
    #expect(stopping.examined == 1)
    #expect(stopping.changed == 1)
    let left = try await source.getAll(EntryPageQuery(limit: 10)).get()
    #expect(left.map(\.key) == [.text("a2"), .text("a3"), .text("b")])
    let scan = Scan()
    try await source.delete(PrefixQuery("a", scan: scan)).get()
    #expect(scan.isComplete && scan.examined == 2)
  }
}
#endif
