package import LarderModel
package import LarderOperations
import Harmony

extension EffectSlot {
  static let differences = EffectSlot("differences", isOfTab: true)
}

/// Compares all entries of two stores, which are opened if necessary.
package struct CompareStores: BrowserEffect {
  package let left: StoreReference
  package let right: StoreReference
  package let ticket: Ticket?
  package var slot: EffectSlot? { .differences }

  /// The progress or the end of the comparison.
  package enum Reply: Sendable {
    /// The differences since the last reply, with the current totals and stage.
    case found(
      [StoreDifferencesModel.Row], StoreDifferencesModel.Counts,
      ComparisonStage?)
    /// The comparison is complete, or has failed with an error.
    case ended(StoreError?)
  }

  /// The interval between progress reports.
  private static let interval = Duration.milliseconds(200)

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    var found: [StoreDifferencesModel.Row] = []
    var counts = StoreDifferencesModel.Counts()
    var told = ContinuousClock.now
    var listed = 0
    do {
      let sides = [left, right]
      for side in sides { _ = try await runner.open(side).get() }
      let stores = try sides.map { ComparedStore(try runner.opened($0).store) }
      if stores.contains(where: { $0.store?.hidesValues == true }) {
        throw StoreError.secrets("compare")
      }
      try await EntryComparison(stores[0], stores[1]).run { stage in
        let now = ContinuousClock.now
        guard now - told >= Self.interval else { return }
        told = now
        await reply(.found(found, counts, stage))
        found = []
      } _: { outcome in
        try Task.checkCancellation()
        switch outcome {
        case .same: counts.same += 1
        case .unreadable: counts.unreadable += 1
        case .differs(let difference):
          counts.changes[difference.change.change, default: 0] += 1
          guard listed < StoreDifferencesModel.maximumRowCount else {
            counts.unlisted += 1
            return
          }
          listed += 1
          found.append(
            .init(
              difference: ListedDifference(difference.change), left: difference.fingerprints.old,
              right: difference.fingerprints.new))
        }
      }
      await reply(.found(found, counts, nil))
      await reply(.ended(nil))
    } catch {
      await reply(.found(found, counts, nil))
      await reply(.ended(StoreError(error)))
    }
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    switch reply {
    case .found(let rows, let counts, let stage):
      state.storeDifferences?.add(rows, counts)
      state.storeDifferences?.stage = stage
    case .ended(let error):
      state.storeDifferences?.comparing = nil
      state.storeDifferences?.failure = error
      if let error, error != .cancelled { state.say(error.message, .error) }
    }
    return []
  }
}
