import Foundation
import Harmony
import LarderModel

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
    for kind in StoreKinds.openable {
      guard let evidence = kind.recognise(probe) else { continue }
      self.probe = probe
      self.kind = kind
      self.evidence = evidence
      return
    }
    return nil
  }
}
