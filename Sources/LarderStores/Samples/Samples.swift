public import LarderModel

extension Stores {
  /// Creates a small sample store of every kind in a folder, for trying out larder.
  ///
  /// Existing samples are left unchanged, so that changes to them are preserved.
  ///
  /// - Parameter folder: The folder, which must exist.
  /// - Returns: The locations of the samples.
  /// - Throws: ``StoreError`` if a sample cannot be written.
  @concurrent public static func makeSamples(
    in folder: String
  ) async throws(StoreError) -> [String] {
    var locations: [String] = []
    for kind in StoreKinds.openable {
      if let location = try await kind.makeSample(in: folder) { locations.append(location) }
    }
    return locations
  }
}
