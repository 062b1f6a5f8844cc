import Harmony
import HarmonyInspection

/// An inspector and a client, both in this process.
final class Shown: Sendable {
  let folder: SocketFolder
  let inspector: Inspector
  let client: InspectionClient

  init(limits: InspectionLimits = InspectionLimits()) throws {
    folder = try SocketFolder()
    inspector = try Inspector(socket: folder.socket, limits: limits)
    // A long time limit, so that no test depends on the speed of the machine.
    client = InspectionClient(socket: folder.socket, timeLimit: 600)
  }

  func source(_ name: String) -> RemoteDataSource { client.source(name) }
}

/// A remote source that keeps its inspector alive.
final class RemoteFixture: GetDataSource, PutDataSource, DeleteDataSource, KeyListingDataSource {
  private let shown: Shown
  private let remote: RemoteDataSource

  /// Exposes a source.
  ///
  /// - Parameter expose: Exposes the source under the name `it`.
  /// - Throws: An error if the socket cannot be created.
  init(_ expose: (Inspector) -> Void) throws {
    shown = try Shown()
    expose(shown.inspector)
    remote = shown.source("it")
  }

  func get(_ query: any Query) -> Future<InspectedValue> { remote.get(query) }

  func getAll(_ query: any Query) -> Future<[InspectedValue]> { remote.getAll(query) }

  @discardableResult
  func put(_ value: InspectedValue?, in query: any Query) -> Future<InspectedValue> {
    remote.put(value, in: query)
  }

  @discardableResult
  func putAll(_ array: [InspectedValue], in query: any Query) -> Future<[InspectedValue]> {
    remote.putAll(array, in: query)
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> { remote.delete(query) }

  func getKeys(_ query: any Query) -> Future<[String]> { remote.getKeys(query) }

  func countKeys(_ query: any Query) -> Future<Int> { remote.countKeys(query) }
}
