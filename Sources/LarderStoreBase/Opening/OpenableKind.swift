package import LarderModel

/// A kind of store that can be recognized and opened.
package protocol OpenableKind: SendableMetatype {
  /// The description of the kind.
  static var kind: StoreKind { get }

  /// The URL schemes of its locations, without the colon; none if these are paths.
  static var schemes: [String] { get }

  /// Returns the location by which the journal identifies a store with a URL scheme; nil for one
  /// that is distinct each time it is opened.
  ///
  /// - Throws: ``StoreError`` if the location is not valid.
  static func resolved(_ location: StoreLocation) throws(StoreError) -> StoreLocation?

  /// Whether its sources can return the key tree themselves.
  static var answersTrees: Bool { get }

  /// Returns the evidence that a location is of this kind, as a clause, or nil if it is not.
  static func recognize(_ probe: StoreProbe) -> String?

  /// Opens a location of this kind, off the calling actor.
  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore

  /// The sample store of the kind, or nil if it is not made of files, or of more than these.
  static var sample: Sample? { get }

  /// Creates a small sample store in a folder, unless it exists, and returns its location, or nil
  /// if the kind has no sample; by default, the sample is ``sample``.
  static func makeSample(in folder: String) async throws(StoreError) -> String?
}

extension OpenableKind {
  package static var schemes: [String] { [] }

  package static func resolved(_ location: StoreLocation) -> StoreLocation? { nil }

  package static var answersTrees: Bool { false }

  package static var sample: Sample? { nil }

  package static func makeSample(in folder: String) async throws(StoreError) -> String? {
    try await sample?.make(in: folder)
  }
}
