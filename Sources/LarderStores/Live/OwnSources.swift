import Harmony
package import HarmonyInspection
package import LarderModel
import LarderStoreBase

/// Access to the live sources of the current process.
package enum OwnSources {
  /// Opens sources that this process exposes to itself, without a socket.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - name: The name of the sources on screen.
  ///   - options: The options, such as whether writing is allowed and how long to wait for an
  ///     answer.
  /// - Returns: A location whose collections are the sources.
  /// - Throws: ``StoreError`` if the sources do not respond.
  @concurrent package static func open(
    _ sources: ExposedSources, named name: String, options: OpenOptions = OpenOptions()
  ) async throws(StoreError) -> OpenStore {
    let client = InspectionClient(sources, timeLimit: options.busyTimeout.inSeconds)
    let place = StoreLocation(path: name)
    var open = try await LiveKind.open(
      client, at: place, named: place, evidence: Messages.ownSources,
      options: options)
    let original = open.opening
    open.opening = { try await original($0, $1).summarisingPrefixes() }
    return open
  }
}
