import Harmony
package import HarmonyInspection
package import LarderModel

/// Opens the live sources of this process itself.
package enum OwnSources {
  /// Opens sources that this process shows to itself, without a socket.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - name: What they are called on screen.
  ///   - options: Whether anything may be written later, and how long to wait for an answer.
  /// - Returns: A location whose collections are the sources.
  /// - Throws: ``StoreError`` where they do not answer.
  @concurrent package static func open(
    _ sources: ExposedSources, named name: String, options: OpenOptions = OpenOptions()
  ) async throws(StoreError) -> OpenStore {
    let client = InspectionClient(sources, timeLimit: options.busyTimeout.inSeconds)
    let place = StoreLocation(path: name)
    var open = try await LiveKind.open(
      client, at: place, named: place, evidence: "the program shows its own sources",
      options: options)
    let original = open.store
    open.store = { try await original($0).summarisingPrefixes() }
    return open
  }
}
