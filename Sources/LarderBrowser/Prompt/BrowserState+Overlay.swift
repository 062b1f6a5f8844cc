import LarderModel

extension BrowserState {
  /// The open prompt, if any.
  var typedLine: PromptModel? {
    get { if case .prompt(let prompt) = overlay { prompt } else { nil } }
    set { if let newValue, case .prompt = overlay { overlay = .prompt(newValue) } }
  }

  /// The open editor, if any.
  var editor: EditorModel? { if case .editor(let editor) = overlay { editor } else { nil } }

  /// The open confirmation of a deletion, if any.
  var question: ConfirmModel? { if case .confirm(let confirm) = overlay { confirm } else { nil } }
}
