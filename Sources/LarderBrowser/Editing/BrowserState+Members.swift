import LarderDocuments
import LarderModel
import LarderFormats

extension BrowserState {
  /// Adds a member to the selected container, or else a new entry.
  mutating func addChosen(_ typed: String) -> Effects {
    // Input typed ahead is meant for the value that is still loading.
    if typed.isEmpty, focus == .value, case .running? = value?.entry {
      say(Messages.stillReading, .error)
      return []
    }
    guard typed.isEmpty, let store = keys?.store, isInTree, !store.hidesValues,
      let entry = try? wholeEntry(), let container = value?.selectedContainer
    else { return askForNewEntry(typed) }
    guard (entry.size ?? 0) <= EditorModel.maximumSize else {
      say(Messages.tooLargeToAddMember, .warning)
      return []
    }
    if !container.part.isWhole, let obstacle = entry.editObstacle {
      say(Messages.fixedValue(obstacle), .warning)
      return []
    }
    switch container.value {
    case .array(let values):
      addMember(container.part.member(.index(values.count)), to: entry)
    case .dictionary(let fields):
      overlay = .prompt(PromptModel(newMember(of: container.part, fields, in: entry)))
    default: return askForNewEntry(typed)
    }
    return []
  }

  /// Returns the prompt model for a member to be added to a dictionary.
  func newMember(of container: ValuePart, _ fields: [StoredValue.Field], in entry: Entry)
    -> NewMemberModel
  {
    let title = keys.map { subject(container, of: text(of: entry.key), in: $0.store.reference) }
    return NewMemberModel(
      entry: entry, container: container, names: Set(fields.map { ExactText($0.name) }),
      title: title ?? "")
  }

  /// Asks for the key of a new entry if the store accepts one.
  ///
  /// The availability check of `add` skips this condition when a member might be added.
  private mutating func askForNewEntry(_ typed: String) -> Effects {
    if let reason = Command.needsRoom(self) {
      say(reason, .error)
      return []
    }
    return keys?.store.hasRows == true ? askForNewRow(typed) : askForNewKey(typed)
  }

  /// Whether the selection is in a value tree.
  package var isInTree: Bool { focus == .value && value?.tree != nil }

  /// Opens the editor for a new member, which has an index or a name that was typed in a prompt.
  private mutating func addMember(
    _ part: ValuePart, to entry: Entry, typedIn line: PromptModel? = nil
  ) {
    guard let store = keys?.store else { return }
    var editor = EditorModel(
      store: store.reference, entry: entry, title: text(of: entry.key), part: part,
      isNewMember: true, keepsDigits: store.kind.keepsDigits)
    editor.isNullable = canBeNull(part, in: store)
    editor.hasTypedName = line != nil
    editor.draft = line?.draft
    overlay = .editor(editor)
  }

  /// Checks whether the typed member name is taken.
  mutating func lookAtNewMember() -> Effects {
    guard case .prompt(var prompt) = overlay, let member = prompt[NewMemberModel.self] else {
      return []
    }
    let isTaken = member.names.contains(ExactText(prompt.buffer.text))
    prompt[NewMemberModel.self]?.problem = isTaken ? Messages.memberTaken : nil
    overlay = .prompt(prompt)
    return []
  }

  /// Accepts the typed name unless another member has it, and opens the editor for the value.
  mutating func submitNewMember() -> Effects {
    guard case .prompt(let prompt) = overlay, let member = prompt[NewMemberModel.self],
      member.problem == nil
    else { return [] }
    overlay = nil
    guard !prompt.buffer.text.isEmpty else {
      say(Messages.noName)
      return []
    }
    addMember(
      member.container.member(.name(prompt.buffer.text)), to: member.entry, typedIn: prompt)
    return scheduleAutosave()
  }

  /// Asks for confirmation before the selected member is deleted; returns `nil` if no member is
  /// selected.
  mutating func askToDeleteMember() -> Effects? {
    guard let store = keys?.store, isInTree, !store.hidesValues, let entry = try? wholeEntry(),
      let part = value?.selectedPart, part.member != nil
    else { return nil }
    guard (entry.size ?? 0) <= EditorModel.maximumSize else {
      say(Messages.tooLargeToDeleteMember, .warning)
      return []
    }
    var confirm = ConfirmModel(
      store: store.reference, query: EntryQuery(entry.key, expecting: entry.fingerprint),
      title: subject(part, of: text(of: entry.key), in: store.reference), place: storeTitle,
      base: entry)
    confirm.member = part
    overlay = .confirm(confirm)
    return []
  }

  /// Writes the entry without the member whose deletion was confirmed.
  mutating func deleteMember(_ confirm: ConfirmModel, from entry: Entry) -> Effects {
    var confirm = confirm
    guard let value = entry.value else { return [] }
    do {
      let rest = try confirm.remainder(of: value)
      let ticket = ticket { $0.question?.deleting }
      confirm.base = entry
      confirm.query.expecting = entry.fingerprint
      confirm.deleting = ticket.token
      overlay = .confirm(confirm)
      return [
        WriteEntry(
          store: confirm.store, entry: Entry(key: entry.key, value: rest),
          query: ReplaceQuery(entry.key, expecting: entry.fingerprint), ticket: ticket)
      ]
    } catch {
      overlay = nil
      say(Messages.notDeleted(confirm.title, error.description), .error)
      return listChanged(confirm.store, around: entry.key)
    }
  }

  /// Handles the result of deleting a member.
  mutating func deletedMember(_ result: Answer<Entry>) -> Effects {
    guard let confirm = question else { return [] }
    switch result {
    case .success(let entry):
      overlay = nil
      say(Messages.deleted(confirm.title) + undoHint)
      return changed(entry, of: confirm.store, wasChangedByOthers: confirm.wasChangedByOthers)
    case .failure(let error): return deleted(confirm.query.entryKey, error)
    }
  }
}
