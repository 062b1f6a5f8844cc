import Foundation
import Harmony
import Testing

@Suite struct DiskStoreExamples {
  struct User: Codable, Equatable, Sendable {
    var name: String
  }

  @Test func `Storing in the defaults`() async throws {
    StorePlaces.removeStandardLater()
    let source = DeviceStorageDataSource<Double>(prefix: "geometry")
    try await source.put(3.14159265359, forId: "pi").get()

    let texts = DeviceStorageDataSource<String>(prefix: "geometry")
    let pi = try await texts.get("pi").get()
    #expect(pi == "3.14159265359")
    try await source.delete("pi").get()

    let window = DeviceStorageDataSource<Int>(.standard, storageType: .rootKey("window"))
    try await window.putAll([640, 480], in: IdsQuery(["width", "height"])).get()
    let sizes = try await window.getAll(AllObjectsQuery()).get()
    try await window.delete(AllObjectsQuery()).get()
    #expect(sizes == [480, 640])
  }

  @Test func `Times of a cache over defaults`() async throws {
    let defaults = StorePlaces.defaults()
    let rates = DeviceStorageDataSource<Double>(defaults, prefix: "rates")
    let cache = TimedCacheDataSource(rates, expiryInterval: 3_600, times: try rates.cacheTimes())
    try await cache.put(1.1, forId: "EUR").get()
    #expect(try rates.cacheTimes().times(of: "EUR")?.expires != nil)
    try rates.cacheTimes().forgetTimes()
  }

  @Test func `Storing in files`() async throws {
    let directory = StorePlaces.directory()
    let source = FileSystemStorageDataSource(fileManager: .default, directory: directory)
    try await source.put(Data("hello".utf8), forId: "greeting").get()

    let users = DataSourceMapper(
      dataSource: source,
      toInMapper: EncodableToDataMapper<User>(), toOutMapper: DataToDecodableMapper<User>())
    try await users.put(User(name: "Ada"), forId: "ada").get()
    #expect(try await users.get("ada").get() == User(name: "Ada"))
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["ada", "greeting"])

    let other = StorePlaces.directory()
    let digests = FileSystemStorageDataSource(
      fileManager: .default, directory: other, fileNameEncoding: .sha256)
    try await digests.putAll([Data([1]), Data([2])], in: IdsQuery(["a", "b"])).get()
    let keys = try await digests.getKeys(AllObjectsQuery()).get()
    #expect(keys == ["a", "b"])
  }
}
