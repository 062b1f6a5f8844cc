package import LarderModel
import Harmony

extension EffectSlot {
  static let branchCount = EffectSlot("branch count", isOfTab: true)
}

/// Computes the sizes of branches, one after the other, and combines them into a few replies.
package struct CountBranches: BrowserEffect {
  package let store: StoreReference
  package let branches: [EntryKey]
  package let ticket: Ticket?
  package var slot: EffectSlot? { .branchCount }

  /// The progress or result.
  package enum Reply: Sendable, Equatable {
    /// The sizes of some branches, which are `nil` if the store cannot tell.
    case sizes([EntryKey: BranchSize?], isLast: Bool = false)
    /// The number of entries of a branch examined so far.
    case progress(EntryKey, examined: Int)
  }

  /// The maximum duration of measuring a branch at first.
  ///
  /// If that is exceeded, its keys are counted with visible progress, and its values are measured
  /// once all branches are counted.
  private static let patience = Duration.milliseconds(100)
  /// The maximum duration of measuring the values of such a branch.
  private static let measuringPatience = Duration.seconds(10)
  /// The minimum time between two replies with sizes.
  private static let interval = Duration.milliseconds(50)

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    var found: [EntryKey: BranchSize?] = [:]
    var told = ContinuousClock.now
    var large: [(branch: EntryKey, size: BranchSize)] = []
    // Measuring large branches would take time from a live process.
    let measuresLarge = runner.registry.store(store)?.store.capabilities.contains(.departs) == false
    for branch in branches {
      guard let prefix = branch.branchPrefix else { continue }
      let scan = Scan(budget: Self.patience)
      let query = CountQuery(prefix: prefix, measures: true, scan: scan)
      var size = await self.size(query, runner)
      if size != nil, scan.isReported, !scan.isComplete {
        if !found.isEmpty { await reply(.sizes(found)) }
        found = [:]
        size = await runner.telling(
          { Reply.progress(branch, examined: $0.examined) }, to: reply
        ) { scan in
          await self.size(CountQuery(prefix: prefix, scan: scan), runner)
        }
        if measuresLarge {
          size?.isMeasuring = true
          if let size { large.append((branch, size)) }
        }
      }
      guard !Task.isCancelled else { return }
      found.updateValue(size, forKey: branch)
      if ContinuousClock.now - told >= Self.interval {
        await reply(.sizes(found))
        (found, told) = ([:], .now)
      }
    }
    for (branch, counted) in large {
      await reply(.sizes(found))
      let scan = Scan(budget: Self.measuringPatience)
      let query = CountQuery(prefix: branch.branchPrefix ?? "", measures: true, scan: scan)
      let measured = await size(query, runner)
      guard !Task.isCancelled else { return }
      let isDone = !scan.isReported || scan.isComplete
      found = [branch: isDone ? measured : BranchSize(count: counted.count)]
    }
    await reply(.sizes(found, isLast: true))
  }

  /// Returns the size of a branch, or `nil` if the store cannot tell.
  private func size(_ query: CountQuery, _ runner: EffectRunner) async -> BranchSize? {
    guard let answer = await runner.answer(query, in: store),
      case .integer(let count)? = answer.value
    else { return nil }
    return BranchSize(count: Int(count), bytes: query.measures ? answer.size : nil)
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    switch reply {
    case .sizes(let sizes, let isLast): state.branchesCounted(sizes, isLast: isLast)
    case .progress(let branch, let examined): state.branchProgressed(branch, examined: examined)
    }
  }
}
