import Foundation
package import LarderModel
import LarderDocuments
import LarderFormats
import Harmony

/// Writes the entries of a store as lines of text, in constant memory.
///
/// Entries that an import could not restore are left out and listed in the report.
package struct Export: Sendable {
  /// The entries to export.
  package enum Selection: Sendable {
    /// All entries whose keys have a prefix.
    case prefix(String)
    /// The entries with the given keys, in order.
    case keys([EntryKey])
  }

  private let selection: Selection
  private let store: Store
  private let format: EntriesText.Format
  private let timeToLive: Duration?
  private static let keysAtOnce = 500

  /// Creates an export.
  ///
  /// - Parameters:
  ///   - selection: The entries.
  ///   - store: The store.
  ///   - format: The format of the lines.
  ///   - timeToLive: The TTL, counted from the last write, of entries without an expiry; nil for
  ///     none.
  package init(
    _ selection: Selection, from store: Store, as format: EntriesText.Format = .json,
    timeToLive: Duration? = nil
  ) {
    self.selection = selection
    self.store = store
    self.format = format
    self.timeToLive = timeToLive
  }

  /// Reads the entries and passes their lines to a closure.
  ///
  /// - Parameters:
  ///   - scan: The scan that receives the number of exported entries and can stop the export.
  ///   - write: Called with whole lines, many at a time. An error that it throws ends the export.
  /// - Returns: The report.
  /// - Throws: ``StoreError`` if the store cannot be read, `CancellationError` if the export was
  ///   stopped, or the error of `write`.
  package func run(
    _ scan: Scan, _ write: ([UInt8]) throws -> Void
  ) async throws -> ExportReport {
    var lines = Lines(
      text: EntriesText(format, store.keyStyle, store.valueColumns), scan: scan,
      report: ExportReport(store))
    switch selection {
    case .keys(let keys): try await append(keys, to: &lines, write)
    case .prefix(let prefix):
      do {
        try await writeText(of: prefix, &lines, write)
      } catch is CoreError.QueryNotSupported {
        // The store has no fast path; nothing has been written yet.
        try await append(below: prefix, to: &lines, write)
      }
    }
    try lines.flush(write)
    return lines.report
  }

  /// The lines that have not been written yet.
  private struct Lines: ~Copyable {
    var buffer = ByteBuffer()
    let text: EntriesText
    let scan: Scan
    var report: ExportReport
    private static let pieceSize = 1 << 16

    init(text: EntriesText, scan: Scan, report: ExportReport) {
      self.text = text
      self.scan = scan
      self.report = report
    }

    mutating func append(_ entry: Entry, _ write: ([UInt8]) throws -> Void) throws {
      text.append(entry, to: &buffer)
      report.count += 1
      if buffer.count >= Self.pieceSize { try flush(write) }
    }

    mutating func flush(_ write: ([UInt8]) throws -> Void) throws {
      if buffer.count > 0 {
        try write(buffer.bytes)
        buffer.truncate(to: 0)
      }
      try scan.reportRead(report.count)
    }
  }

  /// Writes lines as encoded by the store, without creating entries.
  private func writeText(
    of prefix: String, _ lines: inout Lines, _ write: ([UInt8]) throws -> Void
  ) async throws {
    guard format == .json else { throw CoreError.QueryNotSupported() }
    let query = EntryTextQuery(
      EntryPageQuery(prefix: prefix, limit: .max), style: store.keyStyle, form: .lines)
    try await store.forEachText(query) { page in
      for text in page.texts { try write(text) }
      lines.report.count += page.count
      try lines.scan.reportRead(lines.report.count)
    }
  }

  private func append(
    below prefix: String, to lines: inout Lines, _ write: ([UInt8]) throws -> Void
  ) async throws {
    var lastKey: EntryKey?
    let query = EntryPageQuery(prefix: prefix, limit: PageLimit.maximum, detail: .values)
    for try await page in EntryPages(of: store.source, query, readsAhead: true) {
      for entry in page {
        // Entries are sorted by key.
        if entry.key == lastKey {
          lines.report.leaveOut(entry, .repeatedKey)
        } else {
          try await append(entry, to: &lines, write)
        }
        lastKey = entry.key
      }
      try lines.flush(write)
    }
  }

  private func append(
    _ keys: [EntryKey], to lines: inout Lines, _ write: ([UInt8]) throws -> Void
  ) async throws {
    var rest = keys[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(Self.keysAtOnce))
      var found: [Entry] = []
      do {
        found = try await store.source.getAll(EntriesQuery(some)).getCancelling()
      } catch  where StoreError(error) != .cancelled {
        // Reading the keys individually identifies those that fail.
      }
      if found.isEmpty { found = some.map { Entry(key: $0) } }
      for entry in found { try await append(entry, to: &lines, write) }
      rest.removeFirst(min(found.count, rest.count))
      try lines.flush(write)
    }
  }

  private func append(
    _ listed: Entry, to lines: inout Lines, _ write: ([UInt8]) throws -> Void
  ) async throws {
    guard format != .json || listed.canBeRecreated else {
      lines.report.leaveOut(listed, listed.hasInvalidName ? .invalidName : .unknownType)
      return
    }
    guard var entry = try await whole(listed, &lines.report) else { return }
    if format == .json, !entry.canBeRecreated {
      lines.report.leaveOut(entry, .unknownType)
      return
    }
    if let timeToLive, entry.expires == nil, let modified = entry.modified {
      entry.expires = modified.addingTimeInterval(timeToLive.inSeconds)
    }
    entry.expires = entry.expiresAt(in: store)
    if let loss = entry.loss { lines.report.add(loss, of: entry) }
    try lines.append(entry, write)
  }

  /// Returns an entry with its whole value; nil if it was deleted or its value cannot be read.
  private func whole(_ entry: Entry, _ report: inout ExportReport) async throws -> Entry? {
    if entry.value != nil, entry.isWhole { return entry }
    if entry.specialType == "folder" {
      report.leaveOut(entry, .unreadable, because: Messages.closedFolder)
      return nil
    }
    do {
      // The list does not give the reason, and the problem may have been temporary.
      let found = try await store.source.get(EntryQuery(entry.key, readsFiles: true))
        .getCancelling()
      if found.value != nil, found.isWhole { return found }
      report.leaveOut(entry, .withoutValue)
    } catch StoreError.notSupported {
      // Stores list some entries without a value, such as special files.
      report.leaveOut(entry, .withoutValue)
    } catch {
      switch StoreError(error) {
      case .cancelled: throw error
      case .notFound: if case .keys = selection { report.leaveOut(entry, .gone) }
      case let reason: report.leaveOut(entry, .unreadable, because: reason)
      }
    }
    return nil
  }
}

extension Store {
  /// Passes pages of encoded entries to a closure, and prefetches the next page meanwhile.
  ///
  /// - Throws: The error of the store; `QueryNotSupported`, before the first page, if it has no
  ///   fast path.
  package func forEachText(
    _ query: EntryTextQuery, _ take: (EntryTextQuery.Page) throws -> Void
  ) async throws {
    var query = query
    var coming = source.get(query)
    while true {
      guard let page = EntryTextQuery.Page(try await coming.getCancelling()) else {
        throw CoreError.DataSerialization()
      }
      let next = query.next(page)
      if let next {
        query = next
        coming = source.get(next)
      }
      try take(page)
      if next == nil { return }
    }
  }
}
