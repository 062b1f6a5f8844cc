import Foundation
import Harmony
import HarmonyTesting
import Testing

/// The sources and stacks of decorators that must obey the laws.
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

/// Stacks whose innermost source occasionally fails before it does anything.
private let failing: [DataSourceFixture<Int>] = {
  typealias Failing = FailingDataSource<InMemoryDataSource<Int>, Int>
  @Sendable func source() -> Failing { Failing(InMemoryDataSource(), share: 0.2, seed: 5) }
  let words = ClosureMapper { (number: Int) in String(number) }
  let numbers = ClosureMapper { (text: String) in
    guard let number = Int(text) else { throw CoreError.DataSerialization() }
    return number
  }
  return [
    .numbers("failures", mayFail: true) { AnyDataSource(source()) },
    .numbers("cache of failures", mayFail: true) { AnyDataSource(TimedCacheDataSource(source())) },
    .numbers("small cache of failures", mayFail: true) {
      AnyDataSource(TimedCacheDataSource(source(), capacity: 2))
    },
    .numbers("cache of a cache of failures", mayFail: true) {
      AnyDataSource(TimedCacheDataSource(TimedCacheDataSource(source(), capacity: 1)))
    },
    .numbers("retry of failures", mayFail: true) { AnyDataSource(RetryDataSource(source())) },
    .numbers("retry of a cache of failures", mayFail: true) {
      AnyDataSource(RetryDataSource(TimedCacheDataSource(source()), retryCount: 2))
    },
    .numbers("cache of a retry of failures", mayFail: true) {
      AnyDataSource(TimedCacheDataSource(RetryDataSource(source())))
    },
    .numbers("validator of failures", mayFail: true) {
      AnyDataSource(
        DataSourceValidator(dataSource: source(), validator: DefaultObjectValidation()))
    },
    .numbers("mapper of failures", mayFail: true) {
      AnyDataSource(
        source().withMapping(in: numbers, out: words).withMapping(in: words, out: numbers))
    },
    .numbers("debug of a cache of failures", mayFail: true) {
      AnyDataSource(DebugDataSource(TimedCacheDataSource(source()), delay: .async(0, .global())))
    },
    .numbers("assembler of failures", mayFail: true) {
      AnyDataSource(DataSourceAssembler(source()))
    },
    .numbers("cache of a mapper of a cache of failures", mayFail: true) {
      AnyDataSource(
        TimedCacheDataSource(
          TimedCacheDataSource(source()).withMapping(in: numbers, out: words)
            .withMapping(in: words, out: numbers)))
    },
  ]
}()

@Suite struct LawTests {
  @Test(arguments: lawful)
  func `Sources and decorators obey the laws`(fixture: DataSourceFixture<Int>) async {
    let violations = await DataSourceLaws.check(fixture)
    #expect(violations == [])
  }

  @Test(arguments: lawful)
  func `Sources and decorators hold the values written by each of many tasks`(
    fixture: DataSourceFixture<Int>
  ) async {
    let violations = await DataSourceLaws.stress(fixture, operations: Stress.operations(10_000))
    #expect(violations == [])
  }

  @Test(arguments: failing)
  func `A failure of the backing store changes nothing`(fixture: DataSourceFixture<Int>) async {
    let violations = await DataSourceLaws.check(fixture, sequences: 40, length: 100)
    #expect(violations == [])
  }

  @Test func `A source that breaks the laws is detected`() async {
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
