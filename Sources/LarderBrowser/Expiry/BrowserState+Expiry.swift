import LarderModel
import LarderOperations
import LarderFormats
import Foundation

extension BrowserState {
  /// Asks for the expiry of entries, by default the selected or marked ones, or sets the one given.
  mutating func askForExpiry(_ typed: String, of entries: ChosenEntries? = nil) -> Effects {
    guard let model = keys, let chosen = entries ?? chosenEntries else { return [] }
    var expiry =
      switch chosen {
      case .keys(let keys):
        ExpiryModel(
          store: model.store.reference, keys: keys, fingerprints: chosenFingerprints,
          title: title(of: chosen))
      case .prefix(let prefix):
        ExpiryModel(
          store: model.store.reference, keys: [], prefix: prefix, fingerprints: [:],
          title: title(of: chosen))
      }
    expiry.doubt = listedExpiry?.deletionDoubt
    overlay = .prompt(PromptModel(expiry, text: typed))
    // A doubtful expiry must be confirmed by the user before it is written.
    let isQuestion = typed.isEmpty || expiry.doubt != nil
    return isQuestion ? [ReportDate(isWaited: false)] : setExpiry()
  }

  /// Sets the typed expiry.
  mutating func setExpiry() -> Effects {
    guard let prompt = typedLine, let expiry = prompt[ExpiryModel.self], expiry.running == nil
    else {
      return []
    }
    guard let wanted = ExpiryText(prompt.buffer.text) else {
      typedLine?[ExpiryModel.self]?.problem = ExpiryText.problem(of: prompt.buffer.text)
      return []
    }
    let ticket = ticket { $0.typedLine?[ExpiryModel.self]?.running }
    if expiry.isOfSeveral {
      let total = expiry.prefix == nil ? expiry.keys.count : nil
      guard begin(BulkChangeModel(token: ticket.token, total: total, .expiry)) else { return [] }
    }
    typedLine?[ExpiryModel.self]?.begin(ticket.token)
    let chosen = expiry.prefix.map { ChosenEntries.prefix($0) } ?? .keys(expiry.keys)
    return [
      SetExpiry(
        store: expiry.store, chosen: chosen, fingerprints: expiry.fingerprints, expiry: wanted,
        question: ticket)
    ]
  }

  mutating func expirySet(_ result: OperationAnswer<String?>) -> Effects {
    guard let prompt = typedLine, let expiry = prompt[ExpiryModel.self] else { return [] }
    if let count = endWork(expiry.running, result.failure?.reason) {
      overlay = nil
      return count == 0 ? [] : listChanged(expiry.store) + sumTimes()
    }
    switch result {
    case .success(let note):
      overlay = nil
      keys?.clearMarks()
      let spoken = ExpiryText(prompt.buffer.text)?.spoken ?? ""
      say(Messages.expirySet(expiry.title, spoken, note) + undoHint)
      return listChanged(expiry.store) + sumTimes()
    case .failure(let failure):
      var problem = text(of: failure, Messages.meanwhile)
      if case .conflict = failure.reason {
        problem += Messages.newVersion(expiry: settings.bindings.call("expiry"))
      }
      typedLine?[ExpiryModel.self]?.end(problem)
    }
    return []
  }
}
