/// A deletion that waits for a yes.
package struct ConfirmModel: Sendable, Equatable {
  package var store: StoreReference
  package var query: EntryQuery
  /// The key as it is shown.
  package var title: String
  /// The name of the store that the entry is deleted from.
  package var place: String
  /// What was read under the key.
  package var base: Entry
  /// The token of the deletion, once it is under way.
  package var deleting: Int?
}

/// A write or deletion that the store refused, as the entry is not what was read.
package struct ConflictModel: Sendable, Equatable {
  /// What was about to be done.
  package enum Attempt: Sendable, Equatable {
    case write(EditorModel)
    case delete(ConfirmModel)
  }

  package var attempt: Attempt
  /// What the store holds now, or nil if the entry is gone.
  package var theirs: Entry?

  /// What the person was about to write, or nil for a deletion.
  package var mine: StoredValue? {
    if case .write(let editor) = attempt {
      try? editor.value(over: theirs ?? editor.base)
    } else {
      nil
    }
  }

  /// What was read before, or nil for a new entry.
  package var base: StoredValue? {
    switch attempt {
    case .write(let editor): editor.base?.value
    case .delete(let confirm): confirm.base.value
    }
  }

  /// The key as it is shown.
  package var title: String {
    switch attempt {
    case .write(let editor): editor.title
    case .delete(let confirm): confirm.title
    }
  }
}

/// What lies over the panes and takes the keys.
package enum Overlay: Sendable, Equatable {
  case help(scroll: Int)
  case prompt(PromptModel)
  case editor(EditorModel)
  case confirm(ConfirmModel)
  case conflict(ConflictModel)
}
