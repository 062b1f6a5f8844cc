import LarderCore

/// One entry of a step: what it was, and what it became.
struct JournalItem: Sendable, Hashable {
  /// The key, the old one of an entry that got another.
  var key: EntryKey
  /// The key that the entry got, nil where it kept its own.
  var newKey: EntryKey?
  /// The value before, nil where there was none; of an entry that got another key its digest.
  var before: StoredValue?
  /// The value afterwards, nil where there is none; of an entry that got another key its digest.
  var after: StoredValue?
  /// Whether the store holds what the step made of it, as far as is known.
  var isDone = false
  /// Whether the key is a position, and the step moved what is behind it.
  var isShifted = false
  /// How the value before was kept, as ``Entry/form`` says it.
  var beforeForm: String?
  /// How the value afterwards is kept.
  var afterForm: String?
  /// The fingerprint of the entry before, where it is not that of the value: two spellings of one
  /// value, or two types of one number, are not the same.
  var beforePrint: Fingerprint?
  /// The fingerprint of the entry afterwards, where it is not that of the value.
  var afterPrint: Fingerprint?
  /// Of which state it is known whether it has such a fingerprint.
  var known: JournalSides = []
  /// Whether it was said until when the entry counts, which ``before`` and ``after`` are.
  var isTime = false
  /// Whether only what a cache holds was changed, which ``before`` and ``after`` are with its times.
  var isCached = false

  /// The same entry by keys that cannot be taken for pointers, where keys are paths.
  ///
  /// What was typed as a pointer was recorded as the path that it led to.
  var withExactKeys: JournalItem {
    var item = self
    item.key = key.exactPath
    item.newKey = newKey?.exactPath
    return item
  }

  /// The columns of a row that have another value in a later one.
  static func columns(from before: StoredValue?, to after: StoredValue?) -> [String] {
    guard case .record = before, case .record(let fields) = after else { return [] }
    return fields.filter { before?.field($0.name) != $0.value }.map(\.name)
  }

  /// Whether the step was asked to change the entry, and does not only move it.
  var isAskedFor: Bool { !isShifted || after == nil }

  /// What is compared of an entry with ``before`` and ``after``.
  func mark(of entry: Entry?) -> StoredValue? {
    if isTime { return entry.map { time(of: $0) } }
    if isCached { return cachedMark(of: entry) }
    return newKey == nil ? entry?.value : entry.flatMap(Self.digest)
  }

  /// What is compared of how an entry is spelled and kept, beside its value.
  func print(of entry: Entry) -> Fingerprint? {
    newKey == nil && !isTime && !isCached ? entry.ownFingerprint : nil
  }

  /// The digest of an entry's value: a rename needs no more to find out that it is the same.
  static func digest(of entry: Entry) -> StoredValue? {
    entry.fingerprint.map { .text($0.description) }
  }

  /// How the entry gets the value that the step gave it, or back the one before.
  func change(isUndo: Bool) -> EntryChange {
    let (from, to) = isUndo ? (after, before) : (before, after)
    let print = isUndo ? afterPrint : beforePrint
    return EntryChange(
      key, value: to, expecting: from.map { print ?? Fingerprint(of: $0) },
      form: isUndo ? beforeForm : afterForm)
  }

  /// How the entry gets the key that the step gave it, or back the one before; nil where the step
  /// did not rename it.
  func rename(isUndo: Bool) -> RenameQuery? {
    guard let newKey, case .text(let digest)? = isUndo ? after : before,
      let expected = Fingerprint(digest)
    else { return nil }
    let (from, to) = isUndo ? (newKey, key) : (key, newKey)
    return RenameQuery(from, to: to, expecting: expected)
  }
}
