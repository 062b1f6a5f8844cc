import LarderFormats
package import LarderModel

/// A write or deletion that the store refused, as the entry is not what was read.
package struct ConflictModel: Sendable, Equatable {
  /// What was about to be done.
  package enum Attempt: Sendable, Equatable {
    case write(EditorModel)
    case delete(ConfirmModel)
    case replay(RefusedReplay)
  }

  package internal(set) var attempt: Attempt
  /// What the store holds now, or nil if the entry is gone.
  package let theirs: Entry?
  /// What the user was about to write, or to bring back; nil for a deletion.
  package let mine: StoredValue?
  /// Whether that is the backing store of a cache, which is not what was shown before.
  package let isInBackingStore: Bool
  /// The values beside each other.
  package let comparison: ValueComparison
  /// The first row that is shown; nil until the user scrolls, for the first that differs.
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
        // What was typed into a column that is gone is shown among those that there were.
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
      missingMine = "nothing"
      names = .replay(isRedo: replay.isRedo)
    }
    comparison = ValueComparison(
      before: Self.base(of: attempt), theirs: theirs?.value, mine: mine, missingMine: missingMine,
      names: names)
  }

  /// What was read before, or nil for a new entry.
  package var base: StoredValue? { Self.base(of: attempt) }

  private static func base(of attempt: Attempt) -> StoredValue? {
    switch attempt {
    case .write(let editor): editor.base?.value
    case .delete(let confirm): confirm.base?.value
    case .replay(let replay): replay.conflict.expected.value
    }
  }

  /// What was to be taken back, or made again; nil for another attempt.
  package var replay: RefusedReplay? {
    if case .replay(let replay) = attempt { replay } else { nil }
  }

  /// The store that refused.
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

  /// The key as it is shown.
  package var title: String {
    switch attempt {
    case .write(let editor): editor.title
    case .delete(let confirm): confirm.title
    case .replay(let replay): replay.title
    }
  }
}

extension EditorModel {
  /// Whether in the place of an element that is edited, or gets a new member, is something else by
  /// now: another element, as others have moved it, or what they made of it.
  func meetsOtherElement(in theirs: Entry?) -> Bool {
    let place = isNewMember ? part.container : part
    guard place.isInArray, let there = theirs?.value else { return false }
    return place.value(in: there) != base?.value.flatMap(place.value)
  }
}
