import LarderModel

extension LiveKind {
  /// Returns nil: such a store exists only while a program exposes it.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    nil
  }
}
