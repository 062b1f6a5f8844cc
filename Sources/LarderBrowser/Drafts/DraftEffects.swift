package import LarderModel
package import Foundation

extension EffectSlot {
  static let waitToAutosave = EffectSlot("autosave", isInBackground: true)
  static let drafts = EffectSlot("drafts")
}

/// Reports the time after one interval of the autosave timer.
package struct WaitToAutosave: BrowserEffect {
  package var slot: EffectSlot? { .waitToAutosave }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard (try? await runner.environment.sleep(BrowserState.autosaveInterval)) != nil else {
      return
    }
    await reply(Date())
  }

  package func receive(_ date: Date, in state: inout BrowserState) -> Effects {
    state.autosaveDue(at: date)
  }
}

/// Saves a draft in case the program exits, replacing an older one.
package struct SaveDraft: BrowserEffect {
  package let draft: Draft
  package let old: Draft?
  package let token: Int
  package var isWrite: Bool { true }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let (drafts, editor) = (runner.environment.drafts, runner.environment.editor)
    let result = await runner.result { try drafts?.keep(draft, number: token) }
    if result.failure == nil, let old {
      drafts?.drop(old.id)
      if let file = old.outside, let text = file.found { editor.discard(file.path, text) }
    }
    await reply(result.failure?.message)
  }

  package func receive(_ problem: String?, in state: inout BrowserState) -> Effects {
    state.draftSaved(token: token, problem)
    return []
  }
}

/// Deletes a draft.
package struct DeleteDraft: BrowserEffect {
  package let id: String
  package var isWrite: Bool { true }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    runner.environment.drafts?.drop(id)
  }
}

/// Finds the drafts of a store from earlier runs.
package struct FindDrafts: BrowserEffect {
  package let store: StoreReference
  package let place: StoreLocation
  package var slot: EffectSlot? { .drafts }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(runner.draftsLeft(inFile: place.path))
  }

  package func receive(_ drafts: [Draft], in state: inout BrowserState) -> Effects {
    state.draftsFound(store, drafts)
  }
}

extension EffectRunner {
  /// Returns the drafts from earlier runs for all stores in a file, including text from the files
  /// of external editors.
  fileprivate func draftsLeft(inFile path: String) -> [Draft] {
    guard let drafts = environment.drafts else { return [] }
    return drafts.left(inFile: path).compactMap { draft in
      guard let completed = withRest(draft) else {
        drafts.drop(draft.id)
        return nil
      }
      return completed
    }
  }

  /// Returns a draft with the text from the file of its external editor, or `nil` if nothing was
  /// changed.
  private func withRest(_ draft: Draft) -> Draft? {
    guard let outside = draft.outside else { return draft }
    var typed: Draft? { outside.isTyped ? draft.withoutFile : nil }
    switch environment.editor.left(outside.path) {
    case .gone: return typed
    case .unreadable: return draft
    case .text(let text, let isAll):
      var changed = draft
      changed.text = ExternalText(name: "", text: draft.text).taken(text)
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
