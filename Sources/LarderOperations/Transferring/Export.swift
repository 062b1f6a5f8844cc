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

  /// A closure that writes whole lines, many at a time.
  package typealias Write = ([UInt8]) throws -> Void

  private let selection: Selection
  private let store: Store
  private let format: EntriesText.Format
  private let timeToLive: Duration?
  private let withSecrets: Bool

  /// Creates an export.
  ///
  /// - Parameters:
  ///   - selection: The entries.
  ///   - store: The store.
  ///   - format: The format of the lines.
  ///   - timeToLive: The TTL, counted from the last write, of entries without an expiry; nil for
  ///     none.
  ///   - withSecrets: Whether to export values that the store hides.
  package init(
    _ selection: Selection, from store: Store, as format: EntriesText.Format = .json,
    timeToLive: Duration? = nil, withSecrets: Bool = false
  ) {
    self.selection = selection
    self.store = store
    self.format = format
    self.timeToLive = timeToLive
    self.withSecrets = withSecrets
  }

  /// Reads the entries and passes their lines to a closure.
  ///
  /// - Parameters:
  ///   - scan: The scan that receives the number of exported entries and can stop the export.
  ///   - write: Writes the lines. An error that it throws ends the export.
  /// - Returns: The report.
  /// - Throws: ``StoreError`` if the store as a whole cannot be read or its values are secrets,
  ///   `CancellationError` if the export was stopped, or the error of `write`.
  package func run(
    _ scan: Scan, _ write: Write
  ) async throws -> ExportReport {
    if store.hidesValues, !withSecrets { throw StoreError.exportedSecrets }
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

    mutating func append(_ entry: Entry, _ write: Write) throws {
      text.append(entry, to: &buffer)
      report.count += 1
      if buffer.count >= Self.pieceSize { try flush(write) }
    }

    mutating func flush(_ write: Write) throws {
      if buffer.count > 0 {
        try write(buffer.bytes)
        buffer.truncate(to: 0)
      }
      try scan.reportRead(report.count)
    }
  }

  /// Writes lines as encoded by the store, without creating entries.
  private func writeText(
    of prefix: String, _ lines: inout Lines, _ write: Write
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
    below prefix: String, to lines: inout Lines, _ write: Write
  ) async throws {
    var lastKey: EntryKey?
    let query = EntryPageQuery(prefix: prefix, limit: PageLimit.maximum, detail: .values)
    for try await page in EntryPages(of: store.source, query, readsAhead: true) {
      for entry in page {
        // Entries are sorted by key.
        if entry.key == lastKey {
          lines.report.leaveOut(entry, .repeatedKey)
        } else if let whole = try await whole(entry, &lines.report) {
          try append(whole: whole, to: &lines, write)
        }
        lastKey = entry.key
      }
      try lines.flush(write)
    }
  }

  private func append(
    _ keys: [EntryKey], to lines: inout Lines, _ write: Write
  ) async throws {
    try await store.source.forEachEntry(
      keys, readsFiles: true,
      skip: { try lines.report.leaveOut(Entry(key: keys[$0]), because: $1) },
      { place, entry in
        guard let entry else {
          lines.report.leaveOut(Entry(key: keys[place]), .gone)
          return
        }
        guard entry.value != nil, entry.isWhole else {
          lines.report.leaveOut(entry, .withoutValue)
          return
        }
        try append(whole: entry, to: &lines, write)
      })
  }

  private func append(whole entry: Entry, to lines: inout Lines, _ write: Write) throws {
    guard format != .json || entry.canBeRecreated else {
      lines.report.leaveOut(entry, entry.hasInvalidName ? .invalidName : .unknownType)
      return
    }
    var entry = entry.timed(timeToLive)
    entry.expires = entry.expiresAt(in: store)
    if let loss = entry.loss { lines.report.add(loss, of: entry) }
    try lines.append(entry, write)
  }

  /// Returns a listed entry with its whole value; nil if it was deleted or its value cannot be read.
  private func whole(_ entry: Entry, _ report: inout ExportReport) async throws -> Entry? {
    // The reason is not the lack of a value.
    if entry.value != nil && entry.isWhole || format == .json && !entry.canBeRecreated {
      return entry
    }
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
    } catch StoreError.notFound {
      // It was deleted after it was listed.
    } catch {
      try report.leaveOut(entry, because: error)
    }
    return nil
  }
}
