#if Keychain
import Foundation
import Harmony
import HarmonyKeychain
import HarmonyTesting
import KeychainBench
import Testing

struct KeychainLawTests {
  @Test func `A keychain obeys the laws`() async throws {
    let bench = try KeychainBench()
    let fixture = DataSourceFixture.numbers("keychain") {
      AnyDataSource(KeychainDataSource<Int>(bench.keychain()))
    }
    let violations = await DataSourceLaws.check(fixture, sequences: 2, length: 30, writers: 30)
    #expect(violations == [])
  }

  @Test func `Strings of any kind obey the laws`() async throws {
    let bench = try KeychainBench()
    let samples = ["", "é", "e\u{301}", "a\0b", "harmony-list:[1]", "harmony-value:x"]
    let fixture = DataSourceFixture("keychain of texts", samples: samples) {
      AnyDataSource(KeychainDataSource<String>(bench.keychain()))
    }
    let violations = await DataSourceLaws.check(fixture, sequences: 2, length: 30, writers: 30)
    #expect(violations == [])
  }

  @Test func `A cache and a mapper over a keychain obey the laws`() async throws {
    let bench = try KeychainBench()
    let fixture = DataSourceFixture.numbers("keychain behind a cache") {
      AnyDataSource(
        TimedCacheDataSource(
          DataSourceMapper(
            dataSource: KeychainDataSource<Data>(bench.keychain()),
            toInMapper: EncodableToDataMapper<Int>(), toOutMapper: DataToDecodableMapper<Int>())))
    }
    let violations = await DataSourceLaws.check(fixture, sequences: 2, length: 30, writers: 30)
    #expect(violations == [])
  }

  @Test func `A keychain holds the values written by each of eight tasks`() async throws {
    let bench = try KeychainBench()
    let fixture = DataSourceFixture.numbers("keychain") {
      AnyDataSource(KeychainDataSource<Int>(bench.keychain()))
    }
    let violations = await DataSourceLaws.stress(fixture, operations: 200)
    #expect(violations == [])
  }
}
#endif
