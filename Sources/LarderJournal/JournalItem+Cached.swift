import Foundation
import LarderCore

/// What a timed cache held of an entry, as the journal keeps it: the value and its times.
extension JournalItem {
  private enum Field {
    static let value = "value"
    static let stored = "stored"
    static let expires = "expires"
  }

  /// An entry of a step that changes what a cache holds, and nothing underneath.
  init(_ key: EntryKey, cached before: CachedValue?, new after: CachedValue?) {
    self.init(
      key: key, before: before.map(Self.mark), after: after.map(Self.mark),
      beforeForm: before?.form, afterForm: after?.form, isCached: true)
  }

  /// What is kept of what is cached.
  private static func mark(_ cached: CachedValue) -> StoredValue {
    var fields = [StoredValue.Field(Field.value, cached.value)]
    if let times = cached.times {
      if let stored = times.stored { fields.append(.init(Field.stored, .date(stored))) }
      fields.append(.init(Field.expires, times.expires.map { .date($0) } ?? .null))
    }
    return .record(fields)
  }

  /// What was cached, by what is kept of it.
  private static func cached(_ mark: StoredValue?, form: String?) -> CachedValue? {
    guard let mark, let value = mark.field(Field.value) else { return nil }
    var cached = CachedValue(value, form: form)
    if let expires = mark.field(Field.expires) {
      cached.times = CachedValue.Times(
        stored: date(mark.field(Field.stored)), expires: date(expires))
    }
    return cached
  }

  private static func date(_ value: StoredValue?) -> Date? {
    if case .date(let date)? = value { date } else { nil }
  }

  /// What is cached of an entry: what was before the step, or what it made of it, if it is that.
  func cachedMark(of entry: Entry?) -> StoredValue? {
    guard let found = entry.flatMap({ CachedValue($0) }) else { return nil }
    let (old, new) = ((before, beforeForm), (after, afterForm))
    for (mark, form) in isDone ? [new, old] : [old, new]
    where Self.cached(mark, form: form)?.isMet(by: found) == true {
      return mark
    }
    return Self.mark(found)
  }

  /// Takes over what the step made of an entry: what a cache was to read anew may not be there any
  /// more.
  mutating func finish(cached entry: Entry?) {
    after = entry.flatMap { CachedValue($0) }.map(Self.mark)
    afterForm = entry?.form
  }

  /// Concludes from what is cached whether the step has changed an entry, of which nothing was told.
  mutating func settle(cached entry: Entry?) {
    let found = mark(of: entry)
    if found == before {
      isDone = false
    } else if found == after || after != nil {
      // What was read anew may be any value.
      isDone = true
      finish(cached: entry)
    }
  }

  /// What is kept of an entry that the step has just written: also when a cache will forget it.
  func result(of entry: Entry) -> StoredValue? {
    isCached ? CachedValue(entry).map(Self.mark) : mark(of: entry)
  }

  /// How the cache gets what the step gave it, or back what it held before.
  func exchange(isUndo: Bool) -> CacheExchange {
    let old = Self.cached(before, form: beforeForm)
    let new = Self.cached(after, form: afterForm)
    return CacheExchange(key, expecting: isUndo ? new : old, new: isUndo ? old : new)
  }
}
