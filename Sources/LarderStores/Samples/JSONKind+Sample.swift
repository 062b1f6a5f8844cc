import Foundation
import LarderCore

extension JSONKind {
  /// An editor's settings: comments, nested values, and digits that are worth keeping.
  static func makeSample(in folder: String) async throws(StoreError) -> String {
    let path = folder + "/settings.json"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let text = """
      {
        // Comments and the layout stay as they are.
        "editor.fontSize": 13,
        "editor.lineHeight": 1.50,
        "editor.rulers": [80, 100],
        "files.exclude": {
          "**/.git": true,
          "**/.build": true,
        },
        "profiles": [
          {"name": "Ada", "theme": "larder-dark"},
          {"name": "Zoë", "theme": "larder-light"}
        ],
        "telemetry": null,
      }

      """
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    } catch {
      throw .failed("the sample \(path) cannot be made: \(error.localizedDescription)")
    }
    return path
  }
}
