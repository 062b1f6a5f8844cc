import LarderModel

extension JSONKind {
  /// Creates an editor's settings: comments, nested values, and numbers with digits to preserve.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
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
    return try SampleFile.make("settings.json", in: folder, text.utf8)
  }
}
