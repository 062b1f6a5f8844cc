import LarderModel

extension BrowserState {
  /// The line that is typed, where one is.
  var typedLine: PromptModel? {
    get { if case .prompt(let prompt) = overlay { prompt } else { nil } }
    set { if let newValue, case .prompt = overlay { overlay = .prompt(newValue) } }
  }

  /// The editor on top, where one is.
  var editor: EditorModel? { if case .editor(let editor) = overlay { editor } else { nil } }

  /// The question whether to delete, where it is asked.
  var question: ConfirmModel? { if case .confirm(let confirm) = overlay { confirm } else { nil } }

  /// What was seen under the keys that are marked, or else under the selected one.
  var chosenFingerprints: [EntryKey: Fingerprint] {
    guard let model = keys, model.marked.isEmpty else { return keys?.fingerprints ?? [:] }
    guard let entry = value?.entry.value else { return model.fingerprints }
    return [entry.key: entry.fingerprint].compactMapValues { $0 }
  }
}
