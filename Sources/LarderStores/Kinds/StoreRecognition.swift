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
  /// within the last second is examined again when it changes.
  ///
  /// - Throws: ``StoreError`` if nothing is there, or no kind recognizes it.
  static func find(_ location: StoreLocation) async throws(StoreError) -> StoreRecognition {
    let first = try look(location)
    if let found = StoreRecognition(first) { return found }
    guard first.isFresh else { throw first.refusal }
    let end = ContinuousClock.now + patience
    let watch = FileWatcher([.file(location.path)], interval: 0.02)
    while true {
      // Look again in the first round too: the file may have changed before the watch began.
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

  /// Waits for a change or for the end of the time.
  private static func wait(_ watch: FileWatcher, until end: ContinuousClock.Instant) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = try? await watch.next().getCancelling() }
      group.addTask { try? await Task.sleep(until: end, clock: .continuous) }
      await group.next()
      group.cancelAll()
    }
  }
}
