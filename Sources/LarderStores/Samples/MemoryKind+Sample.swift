import LarderModel

extension MemoryKind {
  /// Creates a seed with a value of every type that a seed can contain.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
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
    return "memory:" + (try SampleFile.make("seed.json", in: folder, seed.utf8))
  }
}
