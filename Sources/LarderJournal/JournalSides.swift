import Harmony
import LarderCore

/// Of which of its two states it is known how an entry of a step is spelled and kept.
///
/// Of what is about to be written it is not known yet, and an earlier larder did not record it. Then
/// a missing fingerprint does not say that it is that of the value, and only values are compared.
struct JournalSides: OptionSet, Sendable, Hashable {
  /// As the journal's file has it; the numbers never change.
  let rawValue: Int64

  /// The state before the step.
  static let before = JournalSides(rawValue: 1)
  /// The state afterwards.
  static let after = JournalSides(rawValue: 2)
  static let both: JournalSides = [.before, .after]

  /// The state that an entry is in when a step is taken back or made again.
  static func left(byUndo isUndo: Bool) -> JournalSides { isUndo ? .after : .before }
}

extension JournalItem {
  /// An entry that gets another value, or is removed.
  ///
  /// - Parameters:
  ///   - key: The key that was asked for, which an entry that is there may know better.
  ///   - current: What is there, nil for nothing.
  ///   - after: The value that it gets, nil for none.
  ///   - form: How that is kept.
  init(_ key: EntryKey, was current: Entry?, after: StoredValue?, form: String? = nil) {
    self.init(
      key: current?.key ?? key, before: current?.value, after: after, beforeForm: current?.form,
      afterForm: form, beforePrint: current?.ownFingerprint, known: .before)
  }

  /// Takes over how an entry, which has the value of a state, is spelled and kept.
  mutating func setPrint(_ print: Fingerprint?, of side: JournalSides) {
    if side.contains(.before) { beforePrint = print }
    if side.contains(.after) { afterPrint = print }
    known.formUnion(side)
  }
}

extension JournalTable.Step {
  /// The keys under which there are the values of the state that the step is not known to be in, in a
  /// spelling that neither the step nor its replay gives them: others have written them.
  ///
  /// A replay writes the bytes that there were, or the value as a new one.
  func keysOfOthers(_ found: JournalMarks) -> Set<EntryKey> {
    var keys: Set<EntryKey> = []
    for item in items where item.newKey == nil && !item.isTime && !item.isCached {
      let side: JournalSides = item.isDone ? .before : .after
      let (value, form, print) =
        side == .before
        ? (item.before, item.beforeForm, item.beforePrint)
        : (item.after, item.afterForm, item.afterPrint)
      guard item.known.contains(side), let value, found.values[item.key] == value else { continue }
      let usual = form.map { Fingerprint(of: value, spelled: nil, form: $0) }
      if ![print, usual].contains(found.prints[item.key]) { keys.insert(item.key) }
    }
    return keys
  }
}

extension JournaledWriter {
  /// The entries of a step as it is to be replayed: where it is not known how the store kept what
  /// the step left, that which has the value is taken for it.
  func withPrints(_ items: [JournalItem], isUndo: Bool) async throws -> [JournalItem] {
    // Of others a fingerprint is that of the value.
    guard kind.keysArePaths else { return items }
    let side = JournalSides.left(byUndo: isUndo)
    var items = items
    let places = items.indices.filter { !items[$0].known.contains(side) && !items[$0].isTime }
    let keys = places.map { items[$0].keyNow(isUndo: isUndo).exactPath }
    try await source.forEachEntry(keys) { index, entry in
      let place = places[index]
      guard let entry else { return }
      items[place].recognise(entry, as: side)
    }
    return items
  }
}

extension JournalItem {
  /// The key that the entry has when the step is taken back or made again.
  fileprivate func keyNow(isUndo: Bool) -> EntryKey { isUndo ? newKey ?? key : key }

  /// Takes over how an entry is kept, if apart from that it is what the step left.
  fileprivate mutating func recognise(_ entry: Entry, as side: JournalSides) {
    guard let value = entry.value else { return }
    let expected = side == .after ? after : before
    if newKey == nil {
      guard value == expected else { return }
      return setPrint(entry.ownFingerprint, of: side)
    }
    // The digest of an earlier larder told nothing of the type.
    guard .text(Fingerprint(of: value).description) == expected else { return }
    let digest = Self.digest(of: entry)
    if side == .after { after = digest } else { before = digest }
  }
}
