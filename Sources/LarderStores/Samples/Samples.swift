public import LarderModel

extension Stores {
  /// Makes a small store of every kind in a folder, for trying larder out.
  ///
  /// A sample that is there already is left as it is, so that what was changed in it stays.
  ///
  /// - Parameter folder: The folder, which must exist.
  /// - Returns: The locations of the samples.
  /// - Throws: ``StoreError`` where a sample cannot be written.
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
