import Foundation
package import LarderModel
import Harmony

extension EffectSlot {
  static let history = EffectSlot("history", isOfTab: true)
  static let historyDetails = EffectSlot("history details", isOfTab: true)
  static let historyCheck = EffectSlot("history check", isOfTab: true)
}

extension EffectRunner {
  /// Returns the history of a store.
  fileprivate func history(of store: StoreReference) throws -> any StoreHistory {
    guard let history = try opened(store).store.history else {
      throw StoreError.notSupported(Messages.noJournal)
    }
    return history
  }
}

/// Reads a page of the changes in the journal of a store.
package struct ReadHistory: BrowserEffect {
  package let store: StoreReference
  package let offset: Int
  package let ticket: Ticket?
  package var slot: EffectSlot? { .history }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        try await runner.history(of: store).page(from: offset, limit: HistoryModel.pageLength)
      })
  }

  package func receive(_ reply: Answer<HistoryPage>, in state: inout BrowserState) -> Effects {
    state.historyRead(reply)
  }
}

/// Reads the entries of a change and compares them before and after it.
package struct ReadChange: BrowserEffect {
  package let store: StoreReference
  package let step: ChangeSummary
  /// The description of the change.
  package let title: String
  package let ticket: Ticket?
  package var slot: EffectSlot? { .historyDetails }

  /// The maximum number of entries to compare.
  static let entryLimit = 50

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let result = await runner.result {
      let entries = try await runner.history(of: store).entries(
        of: step.number, limit: Self.entryLimit)
      let style = try runner.opened(store).store.keyStyle
      let model = await Background.runCancelling { isCancelled in
        ComparisonModel(
          step, title: title, entries, style, isCancelled: isCancelled)
      }
      try Task.checkCancellation()
      guard let model else { throw CancellationError() }
      return model
    }
    await reply(result)
  }

  package func receive(_ reply: Answer<ComparisonModel>, in state: inout BrowserState) -> Effects {
    state.changeRead(ChangeDetails(number: step.number, comparison: reply))
  }
}

/// Checks which changes can be undone, or redone if they are undone.
package struct CheckUndo: BrowserEffect {
  package let store: StoreReference
  package let requests: [ReplayRequest]
  package let ticket: Ticket?
  package var slot: EffectSlot? { .historyCheck }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    for request in requests {
      guard let number = request.step, !Task.isCancelled else { return }
      var outlook = UndoOutlook.possible
      do {
        let conflicts = try await runner.history(of: store).conflicts(of: request, limit: 1)
        if let conflict = conflicts.first {
          outlook = .changed(conflict.key, later: conflict.later)
        }
      } catch {
        outlook = .refused(StoreError(error))
      }
      await reply((number, outlook))
    }
  }

  package func receive(
    _ reply: (number: Int64, outlook: UndoOutlook), in state: inout BrowserState
  ) -> Effects {
    guard reply.outlook != .refused(.cancelled) else { return [] }
    state.visibleHistory?.outlooks[reply.number] = reply.outlook
    return []
  }
}
