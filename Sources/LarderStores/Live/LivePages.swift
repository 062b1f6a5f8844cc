import Foundation
import Harmony
import HarmonyInspection
import LarderModel
import LarderStoreBase

/// A reader that lists the entries of a live source in batches.
struct LivePages: Sendable {
  let source: RemoteDataSource
  /// The name of the type of the values in the program.
  private let type: String
  /// The time by which all calls of the query have to be completed.
  let deadline: ContinuousClock.Instant

  /// The maximum number of entries to request with one message.
  private static let batch = 500
  /// The number of bytes of a value to request to determine its type.
  private static let preview = 256

  init(_ source: RemoteDataSource, type: String, patience: Duration) {
    self.source = source
    self.type = type
    deadline = .now + patience
  }

  /// Returns a page of entries.
  func page(_ query: EntryPageQuery) async throws -> [Entry] {
    guard let ordered = query.inKeyOrder else {
      let isWhole = query.filter?.readsValues == true || query.detail == .values
      let isSummary = query.order.needsFacts || query.expiring != nil || query.detail == .summary
      let detail: EntryPageQuery.Detail = isWhole ? .values : isSummary ? .summary : .keys
      return try OrderedPage(try await entries(below: query.prefix, detail, query.scan))
        .page(query)
    }
    guard ordered.filter != nil || ordered.expiring != nil else {
      return try await plain(ordered)
    }
    return try await filtered(ordered)
  }

  /// Returns an entry with the number of entries that match.
  func count(_ query: CountQuery) async throws -> Entry {
    if query.filter == nil {
      let selected = KeyRangeQuery(KeyRange(prefix: query.prefix))
      let count = try await source.countKeys(selected).getCancelling()
      // Measuring more of them would keep the program busy.
      guard query.measures, count <= Self.batch else { return CountQuery.answer(count) }
    }
    let isWhole = query.filter?.readsValues == true
    return try OrderedPage(
      try await entries(
        below: query.prefix, isWhole ? .values : query.measures ? .summary : .keys, query.scan)
    ).count(query)
  }

  /// Returns all entries with a prefix.
  func entries(
    below prefix: String, _ detail: EntryPageQuery.Detail, _ scan: Scan?
  ) async throws -> [Entry] {
    var all: [Entry] = []
    var selection = KeySelection(KeyRange(prefix: prefix))
    while true {
      let batch = try await self.batch(selection, detail)
      all += batch.entries
      guard let last = batch.last else { return all }
      try scan?.reportRead(all.count)
      selection.after = last
    }
  }

  /// Returns a page without a filter.
  private func plain(_ query: EntryPageQuery) async throws -> [Entry] {
    var page: [Entry] = []
    guard var selection = Self.selection(query) else { return [] }
    while page.count < query.limit {
      selection.limit = query.limit - page.count
      let batch = try await self.batch(selection, query.detail)
      page += batch.entries
      guard let last = batch.last else { break }
      selection.after = last
    }
    return page
  }

  /// Returns a page of the entries that match, or as many of them as are found within the query's
  /// time budget.
  private func filtered(_ query: EntryPageQuery) async throws -> [Entry] {
    let isWhole = query.filter?.readsValues == true
    let detail: EntryPageQuery.Detail =
      isWhole ? .values : query.expiring != nil ? .summary : query.detail
    let end = query.scan?.budget.map { ContinuousClock.now + $0 }
    var page: [Entry] = []
    var examined = 0
    guard var selection = Self.selection(query) else { return [] }
    while page.count < query.limit {
      let batch = try await self.batch(selection, detail)
      let scan = Scan()
      var part = query
      part.after = nil
      part.limit = query.limit - page.count
      part.scan = scan
      let ascending = query.direction == .forward ? batch.entries : batch.entries.reversed()
      page += try OrderedPage(ascending).page(part)
      examined += scan.examined
      query.scan?.addUnreadable(from: scan)
      guard scan.isComplete else {
        query.scan?.report(examined: examined, position: scan.position, isComplete: false)
        return page
      }
      guard let last = batch.last else {
        query.scan?.report(examined: examined, position: scan.position, isComplete: true)
        return page
      }
      if let end, ContinuousClock.now >= end {
        query.scan?.report(examined: examined, position: .text(last), isComplete: false)
        return page
      }
      selection.after = last
    }
    query.scan?.report(examined: examined, position: page.last?.key, isComplete: false)
    return page
  }

  /// Returns the keys to list for a page, or nil if the page is certain to be empty.
  private static func selection(_ query: EntryPageQuery) -> KeySelection? {
    let isBackward = query.direction == .backward
    let whole = KeyRange(prefix: query.prefix)
    guard case .malformedText(let bytes)? = query.after else {
      return KeySelection(whole, after: query.after?.liveKey, isDescending: isBackward)
    }
    // A tree skips past all keys with a prefix by a key that is not valid UTF-8.
    let behind = KeyRange(prefix: bytes.beginning).upperBound
    guard isBackward else {
      guard let behind else { return nil }
      let from = whole.lowerBound.map { $0.isBefore(behind) ? behind : $0 } ?? behind
      return KeySelection(KeyRange(from: from, upTo: whole.upperBound))
    }
    let upTo = whole.upperBound.map { bound in
      behind.map { $0.isBefore(bound) ? $0 : bound } ?? bound
    }
    return KeySelection(
      KeyRange(from: whole.lowerBound, upTo: upTo ?? behind), isDescending: true)
  }

  /// A batch of entries, with the key to continue after if there may be more.
  private struct Batch {
    var entries: [Entry]
    var last: String?
  }

  /// Returns the first entries of a selection.
  private func batch(
    _ selection: KeySelection, _ detail: EntryPageQuery.Detail
  ) async throws -> Batch {
    guard ContinuousClock.now < deadline else { throw InspectionError.timedOut }
    var asked = selection
    asked.limit = min(selection.limit ?? Self.batch, Self.batch)
    let keys: [String]
    let entries: [Entry]
    var isCut = false
    if detail == .keys {
      keys = try await source.getKeys(LiveSelectionQuery(selection: asked)).getCancelling()
      entries = keys.map { Entry(key: .text($0)) }
    } else {
      let preview = detail == .values ? Int(Int32.max) : Self.preview
      let answer = try await source.entries(asked, preview: preview).getCancelling()
      let now = Date()
      keys = answer.entries.map(\.key)
      // Skip entries that were deleted since their keys were listed.
      entries = try answer.entries.filter { $0.value != nil }
        .map { try $0.entry(isWhole: detail == .values, type: type, at: now) }
      isCut = answer.isCut
    }
    try Self.check(keys, of: asked)
    let isFull = keys.count == asked.limit
    let wantsMore = selection.limit.map { keys.count < $0 } ?? true
    guard (isFull && wantsMore) || isCut, let last = keys.last else {
      return Batch(entries: entries, last: nil)
    }
    return Batch(entries: entries, last: last)
  }

  /// Throws an error for keys out of order or range: continuing after them might never end.
  private static func check(
    _ keys: [String], of selection: KeySelection
  ) throws(InspectionError) {
    var before = selection.after
    for key in keys {
      let isInOrder = before.map { before in
        selection.isDescending
          ? EntryKey.text(key) < .text(before) : .text(before) < EntryKey.text(key)
      }
      guard isInOrder ?? true, selection.range.contains(key) else {
        throw .unsortedKeys
      }
      before = key
    }
    guard keys.count <= selection.limit ?? .max else {
      throw .surplusKeys
    }
  }
}

/// A query for some keys of a live source.
private struct LiveSelectionQuery: KeySelectionQuery {
  let selection: KeySelection
}

extension String {
  /// Returns whether this string precedes another in the order of their UTF-8 bytes.
  fileprivate func isBefore(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension [UInt8] {
  /// The longest prefix of the bytes that is valid UTF-8.
  fileprivate var beginning: String {
    var count = count
    while count > 0 {
      if let text = String(validating: self[..<count], as: UTF8.self) { return text }
      count -= 1
    }
    return ""
  }
}

extension EntryKey {
  /// The key of a live source, which is a string, or nil if the key is not valid there.
  var liveKey: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }
}
