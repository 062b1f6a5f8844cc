import Foundation
import LarderModel

extension MemoryKind {
  /// Creates a seed with a value of every type that a seed can contain.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let path = folder + "/seed.json"
    if !FileManager.default.fileExists(atPath: path) {
      let seed = """
        {
          "Double.pi": 3.14159265359,
          "Int.pi": 3,
          "feature.dark": true,
          "profile": {"name": "Ada", "tags": ["math", "engine"]},
          "session:1:token": "t-7919",
          "session:2:token": "t-15838",
          "token": {"base64": "AAECAw=="},
          "nothing": null
        }

        """
      do {
        try Data(seed.utf8).write(to: URL(fileURLWithPath: path))
      } catch {
        throw .failed("the sample \(path) cannot be made: \(error.localizedDescription)")
      }
    }
    return "memory:" + path
  }
}
