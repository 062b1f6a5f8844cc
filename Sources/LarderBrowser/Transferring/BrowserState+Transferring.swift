package import LarderModel
import LarderOperations

extension BrowserState {
  /// Asks for the store to which to copy or move the marked entries or the selected one, or uses
  /// the given store.
  mutating func askToTransfer(_ typed: String, isMove: Bool) -> Effects {
    guard let model = keys, !chosenKeys.isEmpty else { return [] }
    let transfer = TransferModel(
      source: model.store.reference,
      order: TransferOrder(keys: chosenKeys, fingerprints: chosenFingerprints, isMove: isMove),
      examples: PrefixDeletionModel.list(chosenKeys, model.store.keyStyle),
      targets: openStores.filter { $0.store != model.store.reference })
    guard !transfer.targets.isEmpty else {
      say(Messages.noOtherStore(open: settings.bindings.call("open-store")), .warning)
      return []
    }
    let only = transfer.targets.count == 1 ? transfer.targets.first : nil
    overlay = .prompt(PromptModel(transfer, text: typed.isEmpty ? only?.name ?? "" : typed))
    // A store given without seeing the list must have a unique name, and a protected one needs
    // confirmation.
    let isProtected = transfer.target(named: typed)?.isProtected == true
    return typed.isEmpty || isProtected ? [] : self.transfer(needsName: true)
  }

  /// Copies or moves the entries to the typed store.
  ///
  /// - Parameter needsName: Whether the text must identify one store, rather than just match one.
  /// - Returns: The effects.
  mutating func transfer(needsName: Bool = false) -> Effects {
    guard let transfer = typedLine?[TransferModel.self], transfer.running == nil,
      let prompt = typedLine
    else { return [] }
    guard
      let target = transfer.target(named: prompt.buffer.text)
        ?? (needsName ? nil : prompt.chosenName.flatMap({ transfer.target(named: $0) }))
    else {
      let isOwn = openStores.named(prompt.buffer.text)?.store == transfer.source
      let problem =
        isOwn
        ? Messages.sameTarget
        : prompt.suggestions.isEmpty
          ? Messages.noTarget(open: settings.bindings.call("open-store"))
          : Messages.ambiguousTarget
      typedLine?[TransferModel.self]?.problem = problem
      return []
    }
    let token = newToken()
    guard
      begin(
        BulkChangeModel(
          token: token, total: transfer.order.keys.count, transfer.order.isMove ? .move : .copy))
    else { return [] }
    typedLine?[TransferModel.self]?.begin(token)
    typedLine?[TransferModel.self]?.chosen = target
    return [
      TransferEntries(
        order: transfer.order, source: transfer.source, target: target.store, token: token)
    ]
  }

  mutating func transferred(
    token: Int, _ result: OperationAnswer<Transfer.Outcome>
  ) -> Effects {
    if work?.report.token == token { work = nil }
    guard let transfer = typedLine?[TransferModel.self], transfer.running == token else {
      return []
    }
    if storeDifferences != nil { return differenceCopied(transfer, result) }
    let isMove = transfer.order.isMove
    switch result {
    case .success(let outcome) where outcome.isStopped:
      overlay = nil
      say(transfer.text(ofStopped: outcome))
      return outcome.deleted > 0 ? listChanged(transfer.source) : []
    case .success(let outcome):
      overlay = nil
      let remarks = remarks(
        on: outcome.left, otherExpiries: outcome.otherExpiries.count, same: outcome.same)
      var text =
        Messages.transferred(outcome.copied, to: transfer.chosen?.name ?? "", isMove: isMove)
        + remarks.text
      if outcome.losses.count > 0 { text += Messages.partlyCopied("\(outcome.losses)") }
      if outcome.change != nil {
        text += Messages.undoTransfer(isMove: isMove, undo: settings.bindings.call("undo"))
      }
      say(text, remarks.areNone && outcome.losses.count == 0 ? .info : .warning)
      if isMove { keys?.clearMarks() }
      return isMove ? listChanged(transfer.source) : []
    case .failure(let failure) where failure.reason == .cancelled:
      overlay = nil
      say(Messages.stopped(failure.outcome))
      return []
    case .failure(let failure):
      let problem = text(of: failure, Messages.meanwhile)
      typedLine?[TransferModel.self]?.end(problem)
      return isMove ? listChanged(transfer.source) : []
    }
  }

  /// Returns what follows the number of copied or imported entries, and whether they are exactly as
  /// before.
  func remarks(
    on left: TransferReport, otherExpiries: Int, same: Int
  ) -> (text: String, areNone: Bool) {
    var text = ""
    if left.dataAsText > 0 { text += Messages.dataAsText }
    if !left.isEmpty { text += Messages.left(left.list) }
    if otherExpiries > 0 { text += Messages.otherExpiries(otherExpiries) }
    if same > 0 { text += Messages.alreadyThere(same) }
    return (text, left.isEmpty && otherExpiries == 0)
  }

  /// Returns a message with the reason why an operation failed and its outcome.
  func text(of failure: OperationFailure, _ since: String) -> String {
    switch failure.reason {
    case .conflict(let theirs?) where !failure.isTaken:
      "\(changedByOthers(text(of: theirs.key), theirs, since)); \(failure.outcome)"
    case .conflict(nil): "\(Messages.entryDeletedByOthers(since)); \(failure.outcome)"
    default: failure.message
    }
  }
}

/// A request to copy or move entries to another store.
package struct TransferOrder: Sendable, Equatable {
  /// The keys of the entries.
  package var keys: [EntryKey]
  /// The fingerprints of the entries that the user has seen, as far as they are known.
  package var fingerprints: [EntryKey: Fingerprint]
  /// Whether to delete the original entries.
  package var isMove: Bool
  /// The fingerprints of the entries to replace, each `nil` if its entry must be missing.
  ///
  /// If the whole dictionary is `nil`, no entry with a different value is replaced.
  package var replaced: [EntryKey: Fingerprint?]?
}

/// The prompt for the store to which to copy or move entries.
package struct TransferModel: PromptWork {
  /// The store of the entries.
  package var source: StoreReference
  package var order: TransferOrder
  /// The first keys, as a list.
  package var examples: String
  /// The stores to choose from.
  package var targets: [NamedStore]
  /// The chosen store.
  package var chosen: NamedStore?
  /// The reason why the operation is not possible, if it is known.
  package var problem: String?
  /// The token of the operation, once it has started.
  package var running: Int?

  package var label: String {
    order.isMove ? Messages.Label.moveToStore : Messages.Label.copyToStore
  }
  package var isChoice: Bool { true }
  var progress: String { order.isMove ? Messages.moving : Messages.copying }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    Suggestion.names(targets.map(\.name), matching: line.wordToMatch)
  }

  func plan(for line: PromptModel) -> PromptModel.Notice {
    let name = target(named: line.buffer.text)?.name ?? line.chosenName
    let isProtected = name.flatMap(target(named:))?.isProtected == true
    return PromptModel.Notice(text: notice(name), isDangerous: isProtected)
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.transfer()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say(Messages.nothing(order.isMove ? "moved" : "copied"))
    return []
  }

  /// Returns the store with a name, or the only one whose name ends with it.
  func target(named name: String) -> NamedStore? { targets.named(name) }

  /// Returns a message about a move that was stopped.
  func text(ofStopped outcome: Transfer.Outcome) -> String {
    Messages.moveStopped(
      order.keys.count, in: chosen?.name ?? "", deleted: outcome.deleted)
  }

  /// Returns a sentence that describes the planned operation.
  private func notice(_ name: String?) -> String {
    Messages.transfers(
      order.keys.count, to: name,
      isProtected: name.flatMap { target(named: $0) }?.isProtected == true,
      isMove: order.isMove, examples)
  }
}
