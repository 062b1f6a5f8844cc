import Foundation
import Harmony
import HarmonyTesting
import Testing

/// Creates a source of numbers stored in files.
private func files(
  _ encoding: FileSystemStorageDataSource.FileNameEncoding
) -> @Sendable () -> AnyDataSource<Int> {
  {
    AnyDataSource(
      FileSystemStorageDataSource(
        fileManager: .default, directory: StorePlaces.directory(), fileNameEncoding: encoding
      )
      .withMapping(in: EncodableToDataMapper<Int>(), out: DataToDecodableMapper<Int>()))
  }
}

private func defaults(_ type: DeviceStorageType) -> @Sendable () -> AnyDataSource<Int> {
  { AnyDataSource(DeviceStorageDataSource<Int>(StorePlaces.defaults(), storageType: type)) }
}

/// Creates a cache of files that stores its times beside them.
private func cachedFiles() -> AnyDataSource<Int> {
  let files = FileSystemStorageDataSource(
    fileManager: .default, directory: StorePlaces.directory())
  return AnyDataSource(
    TimedCacheDataSource(files, times: files.cacheTimes())
      .withMapping(in: EncodableToDataMapper<Int>(), out: DataToDecodableMapper<Int>()))
}

private let lawful: [DataSourceFixture<Int>] = [
  .numbers("defaults", make: defaults(.regular)),
  .numbers("defaults with a prefix", make: defaults(.prefix("a"))),
  .numbers("defaults with a root key", make: defaults(.rootKey("root"))),
  .numbers("files", make: files(.readable)),
  .numbers("files with SHA-256", make: files(.sha256)),
  .numbers("files with MD5", make: files(.md5)),
  .numbers("files behind a cache that keeps its times", make: cachedFiles),
  .numbers(
    "files with names of their own",
    make: files(
      .custom { key in key.utf8.map { String($0, radix: 16) }.joined(separator: "-") + "x" })),
]

@Suite struct StoreLawTests {
  @Test(arguments: lawful)
  func `Stores on disk obey the laws`(fixture: DataSourceFixture<Int>) async {
    let violations = await DataSourceLaws.check(fixture, writers: 100)
    #expect(violations == [])
  }

  @Test(arguments: lawful)
  func `Stores on disk hold the values written by each of many tasks`(
    fixture: DataSourceFixture<Int>
  ) async {
    let violations = await DataSourceLaws.stress(fixture, operations: Stress.operations(1_000))
    #expect(violations == [])
  }
}
