import LarderDocuments
import Foundation
import Harmony
import LarderFormats
import LarderModel
import LarderOperations
import LarderStores
import LarderStoreBase

extension Subcommand {
  static let ls = Subcommand(
    name: "ls",
    usage: [
      .location, .optional(.prefix), .oneOf(ListCommand.match, ListCommand.regex),
      .optional(ListCommand.condition),
      .optional(ListCommand.inValues), .optional(ListCommand.limit), .optional(ListCommand.sort),
      .oneOf(ListCommand.expired, ListCommand.expiring), .optional(ListCommand.long),
      .optional(.json), .optional(ListCommand.null),
    ],
    summary: "list keys", isPaged: true,
    examples: [
      Example("The ten largest values:", "larder ls app.db#cache --sort size --limit 10 --long"),
      Example(
        "Find entries whose value contains “error”:",
        "larder ls app.db#log --match error --in-values"),
      Example("Find rows by their columns:", "larder ls shop.db#orders --filter 'total>100'"),
    ]
  ) { arguments, output in
    try arguments.expect(atMost: 1, isPrefix: true)
    return try await ListCommand(arguments).run(output)
  }
}

/// `larder ls`: pages through a store and prints each entry as it is read.
struct ListCommand {
  static let match = OptionSpec(
    name: "--match", value: "TEXT",
    help: "only keys containing TEXT; capitals make it case-sensitive", isPerCall: true,
    group: .selection)
  static let regex = OptionSpec(
    name: "--regex", value: "RE", help: "only keys matching a regular expression", isPerCall: true,
    group: .selection)
  static let condition = OptionSpec(
    name: "--filter", value: "FILTER",
    help: "only entries that match a browser filter: 'total>100'", isPerCall: true,
    group: .selection)
  static let inValues = OptionSpec(
    name: "--in-values", value: nil, help: "search the values instead of the keys", isPerCall: true,
    group: .selection)
  static let limit = OptionSpec(
    name: "--limit", value: "N", help: "list at most N keys", usual: "all",
    group: .selection)
  static let sort = OptionSpec(
    name: "--sort", value: "ORDER", help: "sort by key, size, modified, expires, used or hits",
    choices: ["key", "size", "modified", "expires", "used", "hits"],
    usual: "the order of the store", group: .output)
  static let expired = OptionSpec(
    name: "--expired", value: nil, help: "only expired entries", isPerCall: true, group: .selection)
  static let expiring = OptionSpec(
    name: "--expiring", value: "DURATION", help: "only entries that expire within DURATION",
    isPerCall: true, group: .selection)
  static let long = OptionSpec(
    name: "--long", value: nil, help: "also show type, size, modification time and expiry",
    group: .output)
  static let null = OptionSpec(
    name: "-0", value: nil, help: "end each key with a NUL byte, for xargs -0", group: .output)

  private static let pageSize = 4_000
  private let location: OpenedLocation
  private let arguments: Arguments
  private let limit: Int
  private let soonest: Date?
  private let now = Date()
  /// The entries that could not be tested against the filter.
  private let unreadable = Unreadable()
  /// The range in which the listed entries expire; nil for any.
  private let wanted: ExpiryRange?
  private let filter: EntryFilter?

  init(_ arguments: Arguments) async throws {
    self.arguments = arguments
    if arguments.has(Self.match), arguments.has(Self.regex) {
      throw Failure.together(Self.match, Self.regex)
    }
    if let pattern = arguments[Self.regex] {
      do {
        _ = try NSRegularExpression(pattern: pattern.isEmpty ? "(?:)" : pattern)
      } catch {
        throw Failure.notRegex(pattern)
      }
    }
    if arguments.has(Self.expired), arguments.has(Self.expiring) {
      throw Failure.together(Self.expired, Self.expiring)
    }
    limit = try arguments.count(Self.limit) ?? .max
    let within = try arguments.duration(Self.expiring)
    let (now, isExpired) = (now, arguments.has(Self.expired))
    soonest = isExpired ? now : within.map { now + $0.inSeconds }
    wanted = soonest.map { ExpiryRange(after: isExpired ? nil : now, upTo: $0) }
    for option in [Self.match, Self.regex, Self.inValues]
    where arguments.has(option) && arguments.has(Self.condition) {
      throw Failure.together(option, Self.condition)
    }
    location = try await OpenedLocation(arguments)
    filter = try Self.filter(arguments, for: location.store)
    if wanted != nil {
      try location.checkCertainty(Messages.nothingListed)
      location.reportAssumedZone()
    } else if [Self.long, .json].contains(where: arguments.has) || order == EntryOrder(.expires) {
      location.reportDoubts()
    }
  }

  func run(_ output: Output) async throws -> ExitCode {
    let task = LongTask(order == nil ? "listed" : "examined", arguments, isPrinting: true)
    defer { task.end() }
    task.endsAtOnce()
    if filter == nil, wanted == nil, limit == .max {
      task.expectCount(of: location.store, prefix: arguments[.prefix] ?? "")
    }
    let progress = task.progress
    let count =
      if let order {
        try await sorted(by: order, output, progress)
      } else {
        try await stream(output, progress)
      }
    output.flush()
    let isNarrowed =
      [Self.match, Self.regex, Self.condition, .prefix, Self.expired, Self.expiring].contains(
        where: arguments.has)
    let unreadable = unreadable.names
    if unreadable.count > 0 {
      Output.complain(Messages.incompleteList(unreadable))
      return .store
    }
    return count == 0 && isNarrowed ? .nothing : .done
  }

  /// The sort order; nil for that of the store.
  private var order: EntryOrder? {
    switch arguments[Self.sort] {
    case "size": EntryOrder(.size, isDescending: true)
    case "modified": EntryOrder(.modified, isDescending: true)
    case "expires": EntryOrder(.expires)
    case "used": EntryOrder(.used, isDescending: true)
    case "hits": EntryOrder(.hits, isDescending: true)
    default: nil
    }
  }

  /// The expiry range for the store to filter by; nil if the store has no expiry.
  private var span: ExpiryRange? {
    location.store.capabilities.contains(.expiry) ? wanted : nil
  }

  private static func filter(_ arguments: Arguments, for store: Store) throws -> EntryFilter? {
    let field: EntryFilter.Field = arguments.has(inValues) ? .values : .keys
    if let text = arguments[match] { return EntryFilter(.text(text), in: field) }
    if let pattern = arguments[regex] { return EntryFilter(.regex(pattern), in: field) }
    guard let typed = arguments[condition] else { return nil }
    let text = FilterText(
      typed, keyColumns: store.keyColumns, columns: store.columns, valueField: store.valueField)
    if let name = text.unknownColumn {
      throw Failure.noColumn(name, in: store.location, columns: text.columns)
    }
    guard let filter = text.filter else { throw Failure.incompleteFilter(typed) }
    if let remark = filter.textComparison { Output.complain(remark) }
    return filter
  }

  private var detail: EntryPageQuery.Detail {
    // Secrets are only read one at a time, by `get`.
    if arguments.has(.json) { return location.store.hidesValues ? .summary : .values }
    let needsMore = arguments.has(Self.long) || arguments.has(Self.sort) || soonest != nil
    return needsMore ? .summary : .keys
  }

  /// Calls the closure with each page, until it returns false or there are no more entries.
  private func forEachPage(_ take: ([Entry]) throws -> Bool) async throws {
    var query = EntryPageQuery(
      prefix: arguments[.prefix] ?? "", filter: filter, limit: Self.pageSize, detail: detail)
    query.expiring = span
    if soonest == nil, order == nil {
      query.limit = max(1, min(query.limit, limit))
    }
    if filter != nil { query.scan = Scan() }
    defer { unreadable.add(query.scan, location.store.keyStyle) }
    for try await page in EntryPages(of: location.store.source, query, readsAhead: true) {
      guard try take(page) else { return }
    }
  }

  private func stream(_ output: Output, _ progress: Progress) async throws -> Int {
    let isSummary = arguments.has(.json) && soonest == nil && location.timeToLive == nil
    if detail == .keys || isSummary && !location.store.hidesValues {
      do {
        return try await streamText(output, progress)
      } catch is CoreError.QueryNotSupported {
        // The store has no fast path; nothing has been printed yet.
      }
    }
    return try await streamEntries(output, progress)
  }

  /// Prints keys or summaries as encoded by the store, without creating entries.
  private func streamText(_ output: Output, _ progress: Progress) async throws -> Int {
    guard limit > 0 else { return 0 }
    let scan = filter.map { _ in Scan() }
    defer { unreadable.add(scan, location.store.keyStyle) }
    let query = EntryTextQuery(
      EntryPageQuery(prefix: arguments[.prefix] ?? "", filter: filter, limit: limit, scan: scan),
      style: location.store.keyStyle,
      form: arguments.has(.json)
        ? .summaries(collection: location.store.location.collection, now: now)
        : .keys(terminator: terminator))
    try await location.store.forEachText(query) { page in
      page.texts.forEach(output.write)
      progress.add(page.count)
    }
    return progress.count
  }

  /// Returns the names that several members of a document share; their keys sort after all names.
  private func repeatedNames() async throws -> Set<EntryKey> {
    guard location.store.kind.keysArePaths else { return [] }
    var names: Set<EntryKey> = []
    var query = EntryPageQuery(limit: Self.pageSize, detail: .keys)
    query.after = .composite([])
    for try await page in EntryPages(of: location.store.source, query) {
      names.formUnion(page.compactMap(\.key.nameOfSecond))
    }
    return names
  }

  private func streamEntries(_ output: Output, _ progress: Progress) async throws -> Int {
    let repeated = try await repeatedNames()
    let (lines, location, wanted, limit) = (lines(to: output), location, wanted, limit)
    var count = 0
    try await forEachPage { page in
      // Entries of this page are printed before waiting for the next one.
      defer { lines.flush() }
      for entry in page {
        let entry = location.timed(entry)
        guard wanted?.contains(entry.expires) ?? true else { continue }
        guard count < limit else { return false }
        count += 1
        lines.add(entry.telling(repeated))
      }
      progress.set(count)
      return count < limit
    }
    return count
  }

  /// Prints all entries in the given order.
  ///
  /// They are sorted in an ``EntrySorter``, as each sorted page of the store would scan all
  /// entries.
  private func sorted(
    by order: EntryOrder, _ output: Output, _ progress: Progress
  ) async throws -> Int {
    let repeated = try await repeatedNames()
    let (lines, location, wanted, limit) = (lines(to: output), location, wanted, limit)
    var sorter = EntrySorter(order, first: limit)
    try await forEachPage { page in
      for entry in page.lazy.map(location.timed) where wanted?.contains(entry.expires) ?? true {
        try sorter.add(entry)
      }
      progress.add(page.count)
      return true
    }
    var count = 0
    try sorter.forEach { entry in
      guard count < limit else { return false }
      count += 1
      lines.add(entry.telling(repeated))
      return true
    }
    lines.flush()
    return count
  }

  private func lines(to output: Output) -> ListedLines {
    let form: ListedLines.Form =
      arguments.has(.json) ? .objects : arguments.has(Self.long) ? .columns : .keys
    return ListedLines(form, of: location.store, now: now, terminator: terminator, output)
  }

  private var terminator: UInt8 { arguments.has(Self.null) ? 0 : UInt8(ascii: "\n") }
}

extension Entry {
  /// Returns the entry under a key that distinguishes it from later members of the same name.
  fileprivate func telling(_ repeated: Set<EntryKey>) -> Entry {
    guard repeated.contains(key) else { return self }
    var entry = self
    entry.key = .composite([key, .null, .integer(0)])
    return entry
  }
}

/// Collects the entries that could not be tested against a filter.
private final class Unreadable {
  private(set) var names = NameList()
  private var keys: Set<EntryKey> = []

  /// Adds the unreadable entries of a scan, which may have visited an entry twice.
  func add(_ scan: Scan?, _ style: KeyStyle) {
    for (key, reason) in scan?.unreadable ?? [] where keys.insert(key).inserted {
      names.add(unreadable: key, style, reason)
    }
  }
}
