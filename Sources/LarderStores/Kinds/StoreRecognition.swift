import Foundation
import Harmony
import LarderModel

/// A location of which it is known what kind of store it is.
struct StoreRecognition: Sendable {
  let probe: StoreProbe
  let kind: any OpenableKind.Type
  let evidence: String

  /// How long to wait for a program that writes a file just now.
  private static let patience = Duration.milliseconds(300)

  /// Looks at a location.
  ///
  /// Many programs empty a file before they write it; one that nothing is seen in, and that was
  /// touched just now, is looked at again when it changes.
  ///
  /// - Throws: ``StoreError`` where there is nothing, or nothing that larder knows.
  static func find(_ location: StoreLocation) async throws(StoreError) -> StoreRecognition {
    let first = try look(location)
    if let found = StoreRecognition(first) { return found }
    guard first.isFresh else { throw first.refusal }
    let end = ContinuousClock.now + patience
    let watch = PlaceWatch([.file(location.path)], interval: 0.02)
    while true {
      // Also the first time: it may have changed before the watch began.
      let probe = try look(location)
      if let found = StoreRecognition(probe) { return found }
      guard probe.isFresh, ContinuousClock.now < end else { throw probe.refusal }
      await wait(watch, until: end)
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

  /// Waits for a change, but not for ever.
  private static func wait(_ watch: PlaceWatch, until end: ContinuousClock.Instant) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = try? await watch.next().getCancelling() }
      group.addTask { try? await Task.sleep(until: end, clock: .continuous) }
      await group.next()
      group.cancelAll()
    }
  }
}
