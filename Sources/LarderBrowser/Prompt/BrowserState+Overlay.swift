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
}
