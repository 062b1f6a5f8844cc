import Foundation
import LarderStores

/// The stores in the current folder, for a browser that was given no location.
enum Nearby {
  /// The maximum number of files that are looked at.
  private static let maximum = 500

  /// The folder itself, and before it each file in it that is recognised as a store.
  static func stores() async -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    var stores: [String] = []
    for name in names.sorted().prefix(maximum) where !name.hasPrefix(".") {
      if Stores.recognises(file: "./" + name) { stores.append("./" + name) }
    }
    return stores + ["."]
  }
}
