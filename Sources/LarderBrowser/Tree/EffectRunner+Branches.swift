import LarderModel
import Harmony

extension EffectRunner {
  /// How long a branch may take before its keys are counted in front of whoever waits, and its values
  /// are measured once all branches are counted.
  private static let patience = Duration.milliseconds(100)
  /// How long the values of such a branch may take.
  private static let measuringPatience = Duration.seconds(10)
  /// How often it is told what was found.
  private static let interval = Duration.milliseconds(50)

  /// Finds out what is in branches, one after the other, and tells it in few replies.
  func countBranches(
    _ reference: StoreReference, _ branches: [EntryKey], token: Int, send: @escaping Send
  ) async {
    var found: [EntryKey: BranchSize?] = [:]
    var told = ContinuousClock.now
    var large: [(branch: EntryKey, size: BranchSize)] = []
    // A program that is looked into has work of its own.
    let measuresLarge = registry.store(reference)?.store.capabilities.contains(.departs) == false
    for branch in branches {
      guard let prefix = branch.branchPrefix else { continue }
      let scan = Scan(budget: Self.patience)
      let query = CountQuery(prefix: prefix, measures: true, scan: scan)
      var size = await branchSize(query, in: reference)
      if size != nil, scan.isReported, !scan.isComplete {
        if !found.isEmpty { await send(.branchesCounted(token: token, found)) }
        found = [:]
        size = await telling(send: send) { scan in
          .branchProgressed(token: token, branch, examined: scan.examined)
        } work: { scan in
          await branchSize(CountQuery(prefix: prefix, scan: scan), in: reference)
        }
        if measuresLarge {
          size?.isMeasuring = true
          if let size { large.append((branch, size)) }
        }
      }
      guard !Task.isCancelled else { return }
      found.updateValue(size, forKey: branch)
      if ContinuousClock.now - told >= Self.interval {
        await send(.branchesCounted(token: token, found))
        (found, told) = ([:], .now)
      }
    }
    for (branch, counted) in large {
      await send(.branchesCounted(token: token, found))
      let scan = Scan(budget: Self.measuringPatience)
      let query = CountQuery(prefix: branch.branchPrefix ?? "", measures: true, scan: scan)
      let measured = await branchSize(query, in: reference)
      guard !Task.isCancelled else { return }
      let isDone = !scan.isReported || scan.isComplete
      found = [branch: isDone ? measured : BranchSize(count: counted.count)]
    }
    await send(.branchesCounted(token: token, found, isLast: true))
  }

  /// What is in a branch; nil where the store cannot tell.
  private func branchSize(_ query: CountQuery, in reference: StoreReference) async -> BranchSize? {
    guard let answer = await answer(query, in: reference),
      case .integer(let count)? = answer.value
    else { return nil }
    return BranchSize(count: Int(count), bytes: query.measures ? answer.size : nil)
  }

  /// The answer to a question for a number; nil where the store has none.
  func answer(_ query: CountQuery, in reference: StoreReference) async -> Entry? {
    try? await registry.store(reference)?.store.source.get(query).getCancelling()
  }
}
