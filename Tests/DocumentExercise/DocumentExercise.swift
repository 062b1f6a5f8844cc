import LarderModel
import LarderDocuments
import LarderFormats

/// Parses bytes as a document, applies simple changes and parses the results.
///
/// Nothing may trap, and each result must contain exactly the change.
package enum DocumentExercise {
  /// A wrong result of a change.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Exercises the JSON parser.
  package static func json(_ bytes: [UInt8]) throws(Failure) {
    _ = JSONStart(bytes)
    _ = JSONDeviations(of: bytes)
    try exercise(JSONDocument.self, bytes)
  }

  /// Exercises the parsers of property lists, keyed archives and Android's preferences.
  package static func propertyList(_ bytes: [UInt8]) throws(Failure) {
    _ = PropertyListDocument.beginsOpenStep(bytes)
    _ = KeyedArchive.decode(bytes)
    try exercise(PropertyListDocument.self, bytes)
    try exercise(PreferencesDocument.self, bytes)
    try exercise(DataStoreDocument.self, bytes)
  }

  /// Exercises the image decoders and checks the dimensions of the picture.
  package static func image(_ bytes: [UInt8]) throws(Failure) {
    _ = ValueFormat.suitable(for: .data(bytes))
    guard let picture = PictureDecoder.decode(bytes).picture else { return }
    // One row of the screen shows two rows of pixels.
    guard picture.width > 0, picture.rows.count == (picture.height + 1) / 2,
      picture.rows.allSatisfy({ $0.count == picture.width })
    else { throw Failure(description: "a picture of another size; \(Base64.encode(bytes))") }
  }

  private static func exercise<D: Document>(
    _ type: D.Type, _ bytes: [UInt8]
  ) throws(Failure) {
    guard let document = try? D(parsing: bytes) else { return }
    func check(_ holds: Bool, _ claim: String, _ step: DocumentStep) throws(Failure) {
      guard !holds else { return }
      throw Failure(description: "\(type), member \(step): \(claim); \(Base64.encode(bytes))")
    }
    for step in document.members.prefix(8) {
      guard let old = try? document.value(at: [step]) else { continue }
      if let same = try? document.applying([.set([step], old)]) {
        try check(same == bytes, "a value set to itself changes bytes", step)
      }
      for value in [.text("é\u{1}"), .bool(true), .array([.text("x"), .integer(-1)]), old] {
        guard let changed = try? document.applying([.set([step], value)]) else { continue }
        let result = try? D(parsing: changed)
        try check(result != nil, "what was set cannot be read", step)
        try check((try? result?.value(at: [step])) == value, "another value was set", step)
        try check(result?.members == document.members, "setting changes members", step)
      }
      guard let removed = try? document.applying([.remove([step])]) else { continue }
      let left = (try? D(parsing: removed))?.members.count
      try check(left == document.members.count - 1, "removing does not remove one", step)
    }
  }
}
