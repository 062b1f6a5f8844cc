import Foundation
import Harmony
import LarderModel
import LarderStoreBase

/// A location whose kind of store has been recognized.
struct StoreRecognition: Sendable {
  let probe: StoreProbe
  let kind: any OpenableKind.Type
  let evidence: String

  /// The maximum time to wait for a program that is just writing the file.
  private static let patience = Duration.milliseconds(300)

  /// Recognizes the kind of store at a location.
  ///
  /// Many programs truncate a file before they write it, so an unrecognized file that was modified
  /// within the last second is examined again for a while.
  ///
  /// - Throws: ``StoreError`` if nothing is there, or no kind recognizes it.
  static func find(_ location: StoreLocation) async throws(StoreError) -> StoreRecognition {
    let end = ContinuousClock.now + patience
    while true {
      let probe = try look(location)
      if let found = StoreRecognition(probe) { return found }
      guard probe.isFresh, ContinuousClock.now < end, !Task.isCancelled else {
        throw probe.refusal
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  private static func look(_ location: StoreLocation) throws(StoreError) -> StoreProbe {
    var probe = try StoreProbe(StoreLocation(path: location.path))
    probe.collection = location.collection
    return probe
  }

  private init?(_ probe: StoreProbe) {
    for kind in StoreKinds.known {
      guard let evidence = kind.recognize(probe) else { continue }
      self.probe = probe
      self.kind = kind
      self.evidence = evidence
      return
    }
    return nil
  }
}

extension StoreProbe {
  /// Creates a probe by examining a location, without changing it.
  init(_ location: StoreLocation) throws(StoreError) {
    try self.init(
      location, scheme: StoreKinds.scheme(of: location.path),
      isRestorable: PreferencesKind.isToBeRestored)
  }

  /// The error for a location that no kind recognizes, with the list of kinds.
  var refusal: StoreError {
    guard case .file(let bytes, let size) = target else {
      return .unknownKind(location.path)
    }
    guard size > 0 else {
      return .empty(location.path)
    }
    return .unknownKind(location.path, Self.look(of: bytes), of: StoreKinds.all.map(\.name))
  }

  /// Describes a file as text, or by its first bytes in hexadecimal, which often indicate the
  /// format.
  ///
  /// The text itself is not included: an error may end up in logs, and a file that was named by
  /// mistake could contain a password.
  private static func look(of bytes: [UInt8]) -> String {
    if isText(bytes.prefix(lookSize), isCut: bytes.count > lookSize) {
      return Messages.textOfNoKind
    }
    return Messages.bytesOfNoKind(bytes.prefix(8))
  }

  /// The number of bytes to examine.
  private static let lookSize = 32

  /// Returns whether bytes are text; the last character may be truncated.
  private static func isText(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> Bool {
    let text = (0..<(isCut ? min(4, bytes.count) : 1)).lazy.compactMap { cut in
      String(validating: bytes.dropLast(cut), as: UTF8.self)
    }.first
    return text?.unicodeScalars.allSatisfy { scalar in
      "\n\r\t".unicodeScalars.contains(scalar)
        || ![.control, .format, .unassigned, .privateUse].contains(
          scalar.properties.generalCategory)
    } ?? false
  }
}
