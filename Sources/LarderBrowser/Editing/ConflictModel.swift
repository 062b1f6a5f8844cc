import LarderFormats
package import LarderModel

/// A change that the store refused because the entry is not as it was read.
package struct ConflictModel: Sendable, Equatable {
  /// The refused change.
  package enum Attempt: Sendable, Equatable {
    case write(EditorModel)
    case delete(ConfirmModel)
    case replay(RefusedReplay)
  }

  package internal(set) var attempt: Attempt
  /// The entry as the store holds it now, or `nil` if it was deleted.
  package let theirs: Entry?
  /// The value that the user wanted to write or restore, or `nil` for a deletion.
  package let mine: StoredValue?
  /// Whether `theirs` is from the backing store of a cache rather than from the cache that was
  /// shown.
  package let isInBackingStore: Bool
  /// The number of the recorded change that made `theirs`, or `nil` if another program did or if it
  /// is not known yet.
  package internal(set) var author: Int64?
  /// The token of the search for that change, if any.
  var identifying: Int?
  /// A side-by-side comparison of the values.
  package let comparison: ValueComparison
  /// The first visible row, or `nil` to start at the first difference until the user scrolls.
  package var scroll: Int?

  package init(attempt: Attempt, theirs: Entry?, isInBackingStore: Bool = false) {
    self.isInBackingStore = isInBackingStore
    self.attempt = attempt
    self.theirs = theirs
    var missingMine = "delete"
    var names = ValueComparison.Names.conflict
    switch attempt {
    case .write(let editor):
      do {
        mine = try editor.value(over: theirs ?? editor.base)
      } catch {
        // If the column is gone, the typed text is shown within the row as it was read.
        mine = theirs == nil ? nil : try? editor.value(over: editor.base)
        missingMine = error.description
      }
    case .delete(let confirm):
      do {
        mine = confirm.member == nil ? nil : try theirs?.value.map(confirm.remainder)
      } catch {
        mine = nil
        missingMine = "\(error)"
      }
    case .replay(let replay):
      mine = replay.conflict.value(over: theirs?.value)
      author = replay.conflict.later
      missingMine = "nothing"
      names = .replay(isRedo: replay.isRedo)
    }
    comparison = ValueComparison(
      before: Self.base(of: attempt), theirs: theirs?.value, mine: mine, missingMine: missingMine,
      names: names)
  }

  /// The value as it was read, or `nil` for a new entry.
  package var base: StoredValue? { Self.base(of: attempt) }

  private static func base(of attempt: Attempt) -> StoredValue? {
    switch attempt {
    case .write(let editor): editor.base?.value
    case .delete(let confirm): confirm.base?.value
    case .replay(let replay): replay.conflict.expected.value
    }
  }

  /// The undo or redo that was refused, or `nil` for another attempt.
  package var replay: RefusedReplay? {
    if case .replay(let replay) = attempt { replay } else { nil }
  }

  /// The store that refused the change.
  var store: StoreReference {
    switch attempt {
    case .write(let editor): editor.store
    case .delete(let confirm): confirm.store
    case .replay(let replay): replay.store
    }
  }

  /// The key of the entry.
  var key: EntryKey {
    switch attempt {
    case .write(let editor): editor.key
    case .delete(let confirm): confirm.query.entryKey
    case .replay(let replay): replay.conflict.key
    }
  }

  /// The key as displayed.
  package var title: String {
    switch attempt {
    case .write(let editor): editor.title
    case .delete(let confirm): confirm.title
    case .replay(let replay): replay.title
    }
  }
}

extension EditorModel {
  /// Whether the array element that is edited, or gets a new member, has since changed or been
  /// moved by another program.
  func meetsOtherElement(in theirs: Entry?) -> Bool {
    let place = isNewMember ? part.container : part
    guard place.isInArray, let there = theirs?.value else { return false }
    return place.value(in: there) != base?.value.flatMap(place.value)
  }
}
