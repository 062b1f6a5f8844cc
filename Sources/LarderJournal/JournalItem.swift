import LarderDocuments
import LarderModel

/// One entry of a step: what it was, and what it became.
struct JournalItem: Sendable, Hashable {
  /// The key, the old one of an entry that got another.
  var key: EntryKey
  /// The key that the entry got, nil where it kept its own.
  var newKey: EntryKey?
  /// The state before the step; nil where there was no entry.
  var before: Side?
  /// The state afterwards; nil where there is no entry.
  var after: Side?
  /// Whether the store holds what the step made of it, as far as is known.
  var isDone = false
  /// Whether the key is a position, and the step moved what is behind it.
  var isShifted = false
  /// What the two states are of.
  var subject = Subject.value

  /// One of the two states of an entry.
  struct Side: Sendable, Hashable {
    /// The value, or what stands for it: the digest of an entry that got another key, and what
    /// ``JournalItem/subject`` says.
    var value: StoredValue
    /// How the value is kept, as ``Entry/form`` says it.
    var form: String?
    /// The fingerprint of the entry, where it is not that of the value: two spellings of one value, or
    /// two types of one number, are not the same.
    var print: Fingerprint?
    /// Whether it is known if it has such a fingerprint.
    ///
    /// Of what is about to be written it is not known yet, and an earlier larder did not record it: then
    /// only values are compared.
    var isKnown = false
  }

  /// What a step changes of its entries.
  enum Subject: Sendable, Hashable {
    case value
    /// When the entry expires.
    case expiry
    /// What a cache holds of it, with its times.
    case cached
  }

  /// The state that an entry is in, or gets, when its step is undone or redone.
  subscript(after isAfter: Bool) -> Side? {
    get { isAfter ? after : before }
    set { if isAfter { after = newValue } else { before = newValue } }
  }

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

  /// What is compared of an entry with the values of ``before`` and ``after``.
  func mark(of entry: Entry?) -> StoredValue? {
    switch subject {
    case .value: newKey == nil ? entry?.value : entry.flatMap(Self.digest)
    case .expiry: entry.map { time(of: $0) }
    case .cached: cachedMark(of: entry)
    }
  }

  /// What is compared of how an entry is spelled and kept, beside its value.
  func print(of entry: Entry) -> Fingerprint? {
    newKey == nil && subject == .value ? entry.ownFingerprint : nil
  }

  /// The value of the state that an entry is in, as far as that is said in a way that varies; else what
  /// is found.
  func value(nearest found: Side, isSame: (Side) -> Bool) -> StoredValue {
    (isDone ? [after, before] : [before, after]).compactMap(\.self).first(where: isSame)?.value
      ?? found.value
  }

  /// The digest of an entry's value: a rename needs no more to find out that it is the same.
  static func digest(of entry: Entry) -> StoredValue? {
    entry.fingerprint.map { .text($0.description) }
  }

  /// Takes over what the store made of the entry, and of its key, when it got one of its states.
  mutating func take(_ entry: Entry, after isAfter: Bool) {
    guard subject != .cached else {
      self[after: isAfter] = CachedValue(entry).map { Side(cached: $0) }
      return
    }
    if isAfter, newKey != nil { newKey = entry.key } else { key = entry.key }
    guard let mark = mark(of: entry) else { return }
    // A form that an entry does not show, such as the rowid of a row, stays the one to ask for.
    self[after: isAfter] = Side(
      value: mark, form: entry.form ?? self[after: isAfter]?.form, print: print(of: entry),
      isKnown: true)
  }

  /// Takes over how an entry is kept, if apart from that it is in a state of which this is not known.
  mutating func recognise(_ entry: Entry, after isAfter: Bool) {
    guard let value = entry.value, var side = self[after: isAfter] else { return }
    if newKey == nil {
      guard value == side.value else { return }
      (side.print, side.isKnown) = (entry.ownFingerprint, true)
    } else if .text(Fingerprint(of: value).description) == side.value,
      let digest = Self.digest(of: entry)
    {
      // The digest of an earlier larder told nothing of the type.
      side.value = digest
    }
    self[after: isAfter] = side
  }

  /// How the entry gets the value that the step gave it, or back the one before.
  func change(isUndo: Bool) -> EntryChange {
    let (from, to) = (self[after: isUndo], self[after: !isUndo])
    return EntryChange(
      key, value: to?.value, expecting: from.map { $0.print ?? Fingerprint(of: $0.value) },
      form: to?.form)
  }

  /// How the entry gets the key that the step gave it, or back the one before; nil where the step
  /// did not rename it.
  func rename(isUndo: Bool) -> RenameQuery? {
    guard let newKey, let expected = self[after: isUndo]?.fingerprint else { return nil }
    let (from, to) = isUndo ? (newKey, key) : (key, newKey)
    return RenameQuery(from, to: to, expecting: expected)
  }
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
      key: current?.key ?? key, before: current.flatMap { Side($0) },
      after: after.map { Side(value: $0, form: form) })
  }
}

extension JournalItem.Side {
  /// The state of an entry that was read; nil where it has no value.
  init?(_ entry: Entry) {
    guard let value = entry.value else { return nil }
    self.init(value: value, form: entry.form, print: entry.ownFingerprint, isKnown: true)
  }

  /// The fingerprint of an entry that got another key, of which the digest is kept.
  var fingerprint: Fingerprint? {
    if case .text(let digest) = value { Fingerprint(digest) } else { nil }
  }
}
