import LarderDocuments
import LarderModel

/// One entry of a change, with its states before and after.
struct JournalItem: Sendable, Hashable {
  /// The key; the old one if the entry was renamed.
  var key: EntryKey
  /// The new key of a renamed entry, or nil if the key did not change.
  var newKey: EntryKey?
  /// The state before the change, or nil if the entry did not exist.
  var before: Side?
  /// The state after the change, or nil if the entry does not exist.
  var after: Side?
  /// Whether the store is known to hold the state after the change.
  var isDone = false
  /// Whether the key is an array index, and the change shifted the elements after it.
  var isShifted = false
  /// The aspect of the entry that the two states describe.
  var subject = Subject.value

  /// The state of an entry before or after a change.
  struct Side: Sendable, Hashable {
    /// The value, or a substitute for it: the digest of a renamed entry, or the data that
    /// ``JournalItem/subject`` refers to.
    var value: StoredValue
    /// The storage form of the value, as in ``Entry/form``.
    var form: String?
    /// The fingerprint of the entry if it differs from that of the value: two spellings of one
    /// value, or two types of one number, are not the same.
    var print: Fingerprint?
    /// Whether it is known if the entry has such a fingerprint.
    ///
    /// It is not known before the entry is written, and earlier versions of larder did not record
    /// it; then only values are compared.
    var isKnown = false
  }

  /// The aspect of its entries that a change affects.
  enum Subject: Sendable, Hashable {
    case value
    /// The columns of the entry that the store recorded.
    case recorded
    /// The expiry of the entry.
    case expiry
    /// The cached copy of the entry, with its times.
    case cached
  }

  /// The keys before and after the change, which are usually the same.
  var keys: Set<EntryKey> { [key, newKey ?? key] }

  /// The state after or before the change.
  subscript(after isAfter: Bool) -> Side? {
    get { isAfter ? after : before }
    set { if isAfter { after = newValue } else { before = newValue } }
  }

  /// The same item with keys that cannot be mistaken for JSON Pointers, where keys are key paths.
  ///
  /// A key that was typed as a pointer has been recorded as the key path it resolved to.
  var withExactKeys: JournalItem {
    var item = self
    item.key = key.exactPath
    item.newKey = newKey?.exactPath
    return item
  }

  /// Returns the state of an entry, to be compared with ``before`` and ``after``.
  func side(of entry: Entry?) -> Side? {
    switch subject {
    case .value: entry.flatMap { newKey == nil ? Side($0) : Side(digestOf: $0) }
    case .recorded: entry?.value.map { Side(value: recorded(of: $0)) }
    case .expiry: entry.map { time(of: $0) }
    case .cached: cachedSide(of: entry)
    }
  }

  /// Returns a row without the columns that the store did not record, which it computes.
  private func recorded(of found: StoredValue) -> StoredValue {
    guard case .record(let known) = (before ?? after)?.value, case .record(let fields) = found
    else { return found }
    return .record(fields.filter { field in known.contains { $0.name == field.name } })
  }

  /// Returns the recorded state that matches the found one, or the found state if neither does.
  ///
  /// The recorded state is preferred since one state can be expressed in several ways.
  func side(nearest found: Side, isSame: (Side) -> Bool) -> Side {
    (isDone ? [after, before] : [before, after]).compactMap(\.self).first(where: isSame) ?? found
  }

  /// Updates the key and one of the states to the entry that the store wrote.
  mutating func take(_ entry: Entry, after isAfter: Bool) {
    guard subject != .cached else {
      self[after: isAfter] = CachedValue(entry).map { Side(cached: $0) }
      return
    }
    if isAfter, newKey != nil { newKey = entry.key } else { key = entry.key }
    guard var side = side(of: entry) else { return }
    // Keep a form that the entry does not report, such as the rowid of a row.
    side.form = side.form ?? self[after: isAfter]?.form
    self[after: isAfter] = side
  }

  /// Adds the fingerprint of an entry to a state with the same value that was recorded without one.
  mutating func recognize(_ entry: Entry, after isAfter: Bool) {
    guard newKey == nil, var side = self[after: isAfter], entry.value == side.value else { return }
    (side.print, side.isKnown) = (entry.ownFingerprint, true)
    self[after: isAfter] = side
  }

  /// Returns the change that undoes or redoes this one for the entry.
  func change(isUndo: Bool) -> EntryChange {
    let (from, to) = (self[after: isUndo], self[after: !isUndo])
    return EntryChange(
      key, value: to?.value, expecting: from.map { $0.print ?? Fingerprint(of: $0.value) },
      form: to?.form)
  }

  /// Returns the rename that undoes or redoes this one, or nil if the entry was not renamed.
  func rename(isUndo: Bool) -> RenameQuery? {
    guard let newKey, let expected = self[after: isUndo]?.fingerprint else { return nil }
    let (from, to) = isUndo ? (newKey, key) : (key, newKey)
    return RenameQuery(from, to: to, expecting: expected)
  }
}

extension JournalItem {
  /// Creates an item for an entry that is written or removed.
  ///
  /// - Parameters:
  ///   - key: The requested key; that of the current entry takes precedence.
  ///   - current: The current entry, or nil if there is none.
  ///   - after: The new value, or nil to remove the entry.
  ///   - form: The storage form of the new value.
  init(_ key: EntryKey, was current: Entry?, after: StoredValue?, form: String? = nil) {
    self.init(
      key: current?.key ?? key, before: current.flatMap { Side($0) },
      after: after.map { Side(value: $0, form: form) })
  }
}

extension JournalItem.Side {
  /// Creates the state of an entry, or nil if it has no value.
  init?(_ entry: Entry) {
    guard let value = entry.value else { return nil }
    self.init(value: value, form: entry.form, print: entry.ownFingerprint, isKnown: true)
  }

  /// Creates the state of a renamed entry, which its digest is enough to recognize.
  init?(digestOf entry: Entry) {
    guard let fingerprint = entry.fingerprint else { return nil }
    self.init(value: .text(fingerprint.description), isKnown: true)
  }

  /// The fingerprint of a renamed entry, whose value is the digest.
  var fingerprint: Fingerprint? {
    if case .text(let digest) = value { Fingerprint(digest) } else { nil }
  }
}
