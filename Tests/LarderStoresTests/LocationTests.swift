import Foundation
import LarderCore
import Testing

@testable import LarderStores

/// What is known of a location before anything in it is read.
struct LocationTests {
  @Test func aLocationIsTheSameUnderEveryName() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(v)", name: "real.db")
    let link = folder.file("link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.db")
    let first = try await Stores.open(path).resolvedPath
    #expect(first?.hasSuffix("/real.db") == true)
    for other in [link, "\(folder.path)/./real.db", "\(path)#t"] {
      #expect(try await Stores.open(other).resolvedPath == first)
    }
    #expect(try await Stores.open(folder.path + "/").resolvedPath.map { $0 + "/real.db" } == first)
    #expect(try await Stores.open("memory:").resolvedPath == nil)
  }
}
