package import LarderModel
import Harmony

extension EffectSlot {
  static let branchCount = EffectSlot("branch count", isOfTab: true)
}

/// Finds out what is in branches, one after the other, and tells it in few replies.
package struct CountBranches: BrowserEffect {
  package let store: StoreReference
  package let branches: [EntryKey]
  package let ticket: Ticket?
  package var slot: EffectSlot? { .branchCount }

  /// What was found out.
  package enum Reply: Sendable, Equatable {
    /// What is in some branches; nil where the store cannot tell.
    case sizes([EntryKey: BranchSize?], isLast: Bool = false)
    /// So many entries of a branch have been looked at.
    case progress(EntryKey, examined: Int)
  }

  /// How long a branch may take before its keys are counted in front of whoever waits, and its values
  /// are measured once all branches are counted.
  private static let patience = Duration.milliseconds(100)
  /// How long the values of such a branch may take.
  private static let measuringPatience = Duration.seconds(10)
  /// How often it is told what was found.
  private static let interval = Duration.milliseconds(50)

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    var found: [EntryKey: BranchSize?] = [:]
    var told = ContinuousClock.now
    var large: [(branch: EntryKey, size: BranchSize)] = []
    // A program that is looked into has work of its own.
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

  /// What is in a branch; nil where the store cannot tell.
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
