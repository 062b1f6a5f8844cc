import Foundation
import Harmony
import HarmonyTesting
import Testing

/// Every source and every stack of decorators that must obey the laws.
private let lawful: [DataSourceFixture<Int>] = [
  .numbers("memory") { AnyDataSource(InMemoryDataSource()) },
  .numbers("mapper") {
    AnyDataSource(
      InMemoryDataSource<String>().withMapping(
        in: ClosureMapper { (number: Int) in String(number) },
        out: ClosureMapper { (text: String) in
          guard let number = Int(text) else { throw CoreError.DataSerialization() }
          return number
        }))
  },
  .numbers("JSON mapper") {
    AnyDataSource(
      DataSourceMapper(
        dataSource: InMemoryDataSource<Data>(), toInMapper: EncodableToDataMapper<Int>(),
        toOutMapper: DataToDecodableMapper<Int>()))
  },
  .numbers("validator") {
    AnyDataSource(
      DataSourceValidator(
        dataSource: InMemoryDataSource<Int>(), validator: DefaultObjectValidation()))
  },
  .numbers("cache") { AnyDataSource(TimedCacheDataSource(InMemoryDataSource<Int>())) },
  .numbers("small cache") {
    AnyDataSource(TimedCacheDataSource(InMemoryDataSource<Int>(), capacity: 2))
  },
  .numbers("cache without time") {
    AnyDataSource(TimedCacheDataSource(InMemoryDataSource<Int>(), expiryInterval: 0))
  },
  .numbers("retry") {
    AnyDataSource(
      RetryDataSource(
        FailingDataSource(InMemoryDataSource<Int>(), failing: 2), retryCount: 3,
        retryIf: { $0 is CoreError.Failed }))
  },
  .numbers("debug") {
    AnyDataSource(
      DebugDataSource(InMemoryDataSource<Int>(), delay: .async(0, .global())))
  },
  .numbers("assembler") { AnyDataSource(DataSourceAssembler(InMemoryDataSource<Int>())) },
  .numbers("spy") { AnyDataSource(DataSourceSpy(InMemoryDataSource<Int>())) },
  .numbers("stack") {
    AnyDataSource(
      RetryDataSource(
        TimedCacheDataSource(
          DataSourceValidator(
            dataSource: InMemoryDataSource<Int>(), validator: DefaultObjectValidation()))))
  },
]

@Suite struct LawTests {
  @Test(arguments: lawful)
  func `Sources and decorators obey the laws`(fixture: DataSourceFixture<Int>) async {
    #expect(await DataSourceLaws.check(fixture) == [])
  }

  @Test func `An unlawful source is found out`() async {
    let forgetful = DataSourceFixture.numbers("forgetful") {
      AnyDataSource(
        DataSourceAssembler(
          get: InMemoryDataSource<Int>(), put: InMemoryDataSource<Int>(),
          delete: InMemoryDataSource<Int>()))
    }
    let violations = await DataSourceLaws.check(forgetful, seed: 1, writers: 2)
    #expect(violations.contains { $0.contains("get after put answers the value") })
    #expect(violations.contains { $0.contains("seed 1") })
  }
}
