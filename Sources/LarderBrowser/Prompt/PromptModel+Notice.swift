import LarderModel
import LarderFormats

extension PromptModel {
  /// Something to say above the line that is typed.
  package struct Notice: Sendable, Equatable {
    package var text: String
    /// Whether it says why the line cannot be taken.
    package var isProblem = false
    /// Whether it is about something that cannot be missed.
    package var isDangerous = false
  }

  /// What the line would do, or why it cannot be taken; nil where there is nothing to say.
  package var notice: Notice? {
    switch purpose {
    case .command, .filter, .goTo, .location, .compare, .theme, .sort, .bookmark, .search: nil
    case .newKey(let look): notice(of: look)
    case .newMember(let member):
      if let problem = member.problem {
        Notice(text: problem, isProblem: true)
      } else {
        Notice(text: "a new member of \(member.title)")
      }
    case .rename(let rename): notice(of: rename)
    case .renameMarked(let rename):
      if rename.renaming != nil {
        Notice(text: "renaming…")
      } else if let problem = rename.problem {
        Notice(text: problem, isProblem: true)
      } else {
        Notice(text: rename.notice(for: buffer.text))
      }
    case .expiry(let expiry):
      if expiry.writing != nil {
        Notice(text: "writing…")
      } else if let problem = expiry.problem {
        Notice(text: problem, isProblem: true)
      } else {
        notice(of: expiry)
      }
    case .transfer(let transfer):
      if transfer.running != nil {
        Notice(text: transfer.order.isMove ? "moving…" : "copying…")
      } else if let problem = transfer.problem {
        Notice(text: problem, isProblem: true)
      } else {
        notice(of: transfer)
      }
    case .deletePrefix(let deletion): notice(of: deletion)
    }
  }

  private func notice(of expiry: ExpiryModel) -> Notice {
    let wanted = ExpiryText(buffer.text).map { "Enter writes for \(expiry.title): \($0.spoken)" }
    let question =
      "until when \(expiry.title) \(expiry.isOfSeveral ? "count" : "counts"): \(ExpiryText.forms)"
    let doubt = expiry.doubt.map { ". Note that \($0)" } ?? ""
    return Notice(text: (wanted ?? question) + doubt, isDangerous: expiry.doubt != nil)
  }

  private func notice(of transfer: TransferModel) -> Notice {
    let name = transfer.target(named: buffer.text)?.name ?? chosenName
    let isPrecious = name.flatMap(transfer.target(named:))?.isPrecious == true
    return Notice(text: transfer.notice(name), isDangerous: isPrecious)
  }

  private func notice(of look: NewKeyModel) -> Notice? {
    if look.present != nil {
      return Notice(text: "\(NewKeyModel.taken); Tab goes to it", isProblem: true)
    }
    if let problem = look.problem { return Notice(text: problem, isProblem: true) }
    if look.isSubmitted { return Notice(text: "looking whether the key is free…") }
    return look.beside.map { Notice(text: "a new entry beside \($0), and not a member of it") }
  }

  private func notice(of rename: RenameModel) -> Notice? {
    if rename.renaming != nil { return Notice(text: rename.isCopy ? "copying…" : "renaming…") }
    return rename.problem.map { Notice(text: $0, isProblem: true) }
  }

  private func notice(of deletion: PrefixDeletionModel) -> Notice? {
    if deletion.deleting != nil { return Notice(text: "deleting…", isDangerous: true) }
    if let problem = deletion.problem { return Notice(text: problem, isProblem: true) }
    guard let match = deletion.match else { return Notice(text: "counting…") }
    let entries = PrefixDeletionModel.entries(match.count)
    guard let prefix = deletion.prefix else {
      return Notice(
        text: match.count == 0
          ? "no key begins with this" : "Enter asks to delete \(entries): \(deletion.examples)")
    }
    let keys = match.count == 1 ? "key begins" : "keys begin"
    return Notice(
      text: "Delete \(entries) whose \(keys) with “\(prefix)” from \(deletion.place)? "
        + "\(deletion.examples) – type \(Thousands.text(match.count)) and Enter to delete, Esc to keep",
      isDangerous: true)
  }
}
