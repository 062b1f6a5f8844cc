import LarderModel

extension LiveKind {
  /// None: such a store lasts only as long as a program that shows it.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    nil
  }
}
