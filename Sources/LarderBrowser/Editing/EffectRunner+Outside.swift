import LarderModel
import Foundation

extension EffectRunner {
  /// Has a text edited, and keeps a draft that says where it is meanwhile.
  func editOutside(_ text: OutsideText, _ draft: Draft?, token: Int) async -> OutsideOutcome {
    await environment.editor.edit(text) { [drafts = environment.drafts] step in
      guard var draft else { return }
      draft.date = Date()
      switch step {
      case .given(let path): draft.outside?.path = path
      case .taken(let result):
        draft.text = text.taken(result)
        draft.outside = nil
      }
      // What cannot be kept now is kept, or said to be lost, once larder has the text again.
      try? drafts?.keep(draft, number: token)
    }
  }

  /// What earlier runs have left of all stores in a file, with what is in the files of their editors.
  func draftsLeft(inFile path: String) -> [Draft] {
    guard let drafts = environment.drafts else { return [] }
    return drafts.left(inFile: path).compactMap { draft in
      guard let completed = withRest(draft) else {
        drafts.drop(draft.id)
        return nil
      }
      return completed
    }
  }

  /// A draft with what an editor has left of it; nil where nobody has changed anything.
  private func withRest(_ draft: Draft) -> Draft? {
    guard let outside = draft.outside else { return draft }
    var typed: Draft? { outside.isTyped ? draft.withoutFile : nil }
    switch environment.editor.left(outside.path) {
    case .gone: return typed
    case .unreadable: return draft
    case .text(let text, let isAll):
      var changed = draft
      changed.text = OutsideText(name: "", text: draft.text).taken(text)
      if isAll {
        guard !changed.text.hasBytes(of: draft.text) else {
          environment.editor.discard(outside.path, text)
          return typed
        }
        changed.outside?.found = text
      }
      return changed
    }
  }
}

extension Draft {
  fileprivate var withoutFile: Draft {
    var draft = self
    draft.outside = nil
    return draft
  }
}
