import Foundation
import LarderStores

/// Finds the stores in the current folder, for a browser started without a location.
enum NearbyStores {
  /// The maximum number of files to examine.
  private static let maximum = 500

  /// Returns each recognized store in the folder, followed by the folder itself.
  static func stores() async -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    var stores: [String] = []
    for name in names.sorted().prefix(maximum) where !name.hasPrefix(".") {
      if Stores.recognizes(file: "./" + name) { stores.append("./" + name) }
    }
    return stores + ["."]
  }
}
