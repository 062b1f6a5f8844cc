import Foundation
import Harmony
import LarderModel
import LarderOperations

extension Subcommand {
  static let rm = Subcommand(
    name: "rm",
    usage: [
      .location,
      .either([.word("KEY…", .key), .option(.prefix), .option(ListCommand.expired)]),
      .optional(RemoveCommand.cacheOnly), .optional(.dryRun), .optional(.yes), .optional(.json),
    ],
    summary: "delete entries",
    examples: [
      Example("Preview what would be deleted:", "larder rm cache.db --expired --dry-run")
    ]
  ) { arguments, output in
    // Deleted entries are printed even if a later deletion fails.
    defer { output.flush() }
    return try await RemoveCommand(arguments).run(output)
  }
}

/// `larder rm`: deletes named keys immediately, and a prefix or all expired entries after
/// confirming.
struct RemoveCommand {
  static let cacheOnly = OptionSpec(
    name: "--cache-only", value: nil,
    help: "evict from a process's cache, not from its backing store", isPerCall: true,
    group: .safety)

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try arguments.location()
    let ways = [
      arguments.words.count > 1, arguments.has(.prefix), arguments.has(ListCommand.expired),
    ]
    guard ways.count(where: \.self) == 1 else {
      throw Failure.nothingChosenToDelete
    }
    if arguments[.prefix] == "" {
      throw Failure.empty(OptionSpec.prefix.name, which: "delete")
    }
  }

  func run(_ output: Output) async throws -> ExitCode {
    let location = try await OpenedLocation.toChange(arguments, isTrial: arguments.has(.dryRun))
    if arguments.has(Self.cacheOnly) { try location.checkCache() }
    if arguments.has(ListCommand.expired) {
      try location.checkCertainty(Deletion.nothing, isToDelete: true)
    }
    if arguments.has(.prefix) || arguments.has(ListCommand.expired) {
      return try await removeMany(location, output)
    }
    return try await removeNamed(location, output)
  }

  private func removeNamed(_ location: OpenedLocation, _ output: Output) async throws -> ExitCode {
    var missing: [Failure] = []
    var entries: [Entry] = []
    var unread: [Entry] = []
    // All are looked up first: in an array, a deletion shifts the keys of later members.
    for typed in arguments.words.dropFirst() {
      do {
        let shown = try await location.entry(
          typed, isToChange: true,
          maximumSize: location.maximumSize ?? OpenedLocation.maximumCompared)
        let isCacheOnly = arguments.has(Self.cacheOnly)
        let base = isCacheOnly ? shown : try await location.store.base(shown.key, shown: shown)
        var entry = base ?? shown
        // Only its fingerprint is compared, and all values together might not fit into memory.
        entry.value = nil
        if !entries.contains(where: { $0.key == entry.key }) { entries.append(entry) }
      } catch let failure as Failure where failure.code == .nothing {
        missing.append(failure)
      } catch {
        // Deleting it does not require reading it, unless it has to be restorable.
        guard let listed = await location.listed(typed, unreadableFor: error) else { throw error }
        if !entries.contains(where: { $0.key == listed.key }) { entries.append(listed) }
        unread.append(listed)
      }
    }
    if arguments.has(.dryRun) {
      try checkDeletable(unread, of: location)
      try await tryOut(entries, location)
      list(entries, location, output)
      missing.forEach(Output.report)
    } else {
      do {
        if location.store.hidesValues, !entries.isEmpty {
          try arguments.confirm(
            Messages.deleteSecrets(entries.count, in: location.store.location),
            refusal: Deletion.nothing)
        }
        try await remove(entries, location, output)
      } catch {
        missing.forEach(Output.report)
        throw error
      }
      let names = NameList(entries.map { $0.key.notation(location.store.keyStyle) })
      missing.dropLast().forEach(Output.report)
      if let last = missing.last {
        Output.report(last.saying("\(last.message); \(Messages.deleted(names))"))
      }
    }
    return missing.isEmpty ? .done : .nothing
  }

  /// Prints a line for each entry that was deleted, or would be.
  private func list(_ entries: [Entry], _ location: OpenedLocation, _ output: Output) {
    if !arguments.has(.dryRun) { Output.noteChange() }
    for (place, entry) in entries.enumerated() {
      if arguments.has(.json) {
        let warnings = location.warnings(forEntry: place, of: entries.count)
        output.plainLine(EntryJSON.line(entry, in: location.store, warnings: warnings))
      } else {
        output.line(entry.key.notation(location.store.keyStyle))
      }
    }
  }

  /// Refuses entries that cannot be read in the same cases in which deleting them would be refused.
  private func checkDeletable(_ unread: [Entry], of location: OpenedLocation) throws {
    let isFinal = arguments.journal == nil || location.store.hidesValues
    let refused = unread.first { entry in
      // Without undo, a link or a file that is too large can be deleted unread.
      !isFinal || entry.specialType.map { $0 != "link" } == true
    }
    if let refused { throw StoreError.cannotRestore(refused) }
  }

  /// Rehearses the deletion, if the store supports that.
  ///
  /// Reports the side effects, and fails if the deletion would be refused. Entries that were not
  /// read, such as those that are too large to be compared, are not part of it.
  private func tryOut(_ entries: [Entry], _ location: OpenedLocation) async throws {
    guard !arguments.has(Self.cacheOnly) else { return }
    let changes = entries.filter { $0.fingerprint != nil }.map {
      EntryChange($0.key, value: nil, expecting: $0.fingerprint)
    }
    do {
      _ = try await location.store.trial(changes)
    } catch StoreError.conflict where arguments.has(ListCommand.expired) {
      // The actual deletion checks again which entries are still expired.
    } catch {
      throw location.failure(OperationFailure(error, outcome: Deletion.nothing))
    }
  }

  private func remove(
    _ entries: [Entry], _ location: OpenedLocation, _ output: Output
  ) async throws {
    let isCacheOnly = arguments.has(Self.cacheOnly)
    let task = LongTask(isCacheOnly ? "evicted" : "deleted", arguments)
    defer { task.end() }
    task.progress.expect(entries.count)
    if isCacheOnly {
      // Entries evicted before a failure stay evicted, so they are printed.
      let gone = Locked<Set<EntryKey>>([])
      defer {
        let gone = gone.withLock { $0 }
        if arguments.has(.json) {
          list(entries.filter { gone.contains($0.key) }, location, output)
        }
      }
      return try await task.changing {
        location.outcome("evicted", stoppedAt: $0)
      } _: { scan in
        let keys = entries.map(\.key)
        let cache = try location.cache
        try await Future {
          try await cache.evict(keys, scan) { key in gone.withLock { _ = $0.insert(key) } }
        }.get()
      }
    }
    do {
      try await task.changing { scan in
        try await Deletion(in: location.store).run(entries, scan) { deleted in
          if arguments.has(.json) { list(deleted, location, output) }
        }
      }
    } catch {
      throw location.failure(error)
    }
  }

  private func removeMany(_ location: OpenedLocation, _ output: Output) async throws -> ExitCode {
    if let prefix = arguments[.prefix], let count = try await count(of: prefix, location) {
      return try await remove(prefix: prefix, of: count, location)
    }
    let entries = try await matching(location)
    guard !entries.isEmpty else { throw Failure.noMatch(in: location.store.location) }
    if arguments.has(.dryRun) {
      try checkDeletable(entries.filter { $0.specialType != nil }, of: location)
      if arguments.has(ListCommand.expired) { location.reportDoubts() }
      try await tryOut(entries, location)
      list(entries, location, output)
      return .done
    }
    if arguments.has(Self.cacheOnly) {
      try arguments.confirm(
        Messages.evict(entries.count, in: location.store.location), refusal: Messages.nothingDone)
      try await remove(entries, location, output)
      Output.complain(Messages.evicted(entries.count, in: location.store.location))
      return .done
    }
    guard let prefix = arguments[.prefix] else {
      try confirm(entries.count, location)
      return try await removeExpired(entries, location, output)
    }
    guard arguments.has(.json) else {
      return try await remove(prefix: prefix, of: entries.count, location)
    }
    try confirm(entries.count, location)
    // The printed entries must be those deleted, even if another program adds more meanwhile.
    try await remove(entries, location, output)
    Output.complain(Messages.deleted(entries.count, in: location.store.location))
    return .done
  }

  private func confirm(_ count: Int, _ location: OpenedLocation) throws {
    try arguments.confirm(
      Messages.delete(
        count, in: location.store.location,
        doubts: arguments.has(ListCommand.expired) ? location.doubts : [],
        isFinal: location.store.hidesValues), refusal: Deletion.nothing)
    if arguments.has(ListCommand.expired), arguments.has(.yes) { location.reportDoubts() }
  }

  /// Returns the number of entries with a prefix; nil if they have to be listed.
  ///
  /// Counting needs no list, which might not fit into memory.
  private func count(of prefix: String, _ location: OpenedLocation) async throws -> Int? {
    guard location.store.kind.isAtomic, location.store.capabilities.contains(.prefixes),
      ![OptionSpec.json, .dryRun, ListCommand.expired, Self.cacheOnly].contains(
        where: arguments.has)
    else { return nil }
    let task = LongTask("counted", arguments)
    defer { task.endBeforeChange(arguments) }
    task.endsAtOnce { Deletion.nothing }
    do {
      let answer = try await location.store.source.get(CountQuery(prefix: prefix)).getCancelling()
      guard case .integer(let count)? = answer.value else { throw CoreError.DataSerialization() }
      return Int(count)
    } catch is CoreError.QueryNotSupported {
      return nil
    }
  }

  /// Deletes all entries with a prefix, after confirming.
  private func remove(
    prefix: String, of total: Int, _ location: OpenedLocation
  ) async throws -> ExitCode {
    guard total > 0 else { throw Failure.noMatch(in: location.store.location) }
    try confirm(total, location)
    let task = LongTask("deleted", arguments)
    defer { task.end() }
    task.progress.expect(total)
    do {
      let count = try await task.changing { scan in
        // Entries may have been added or deleted while the question was open.
        try await Deletion(in: location.store).run(prefix: prefix, of: total, scan)
      }
      task.end()
      Output.complain(Messages.deleted(count, in: location.store.location))
      return .done
    } catch {
      throw location.failure(error)
    }
  }

  /// Deletes, in one change, those entries that are still expired and unchanged.
  private func removeExpired(
    _ entries: [Entry], _ location: OpenedLocation, _ output: Output
  ) async throws -> ExitCode {
    let task = LongTask("deleted", arguments)
    defer { task.end() }
    task.progress.expect(entries.count)
    do {
      let count = try await task.changing { scan in
        try await Deletion(in: location.store).run(
          expired: entries, timeToLive: location.timeToLive, at: Date.init, scan
        ) { deleted in
          if arguments.has(.json) { list(deleted, location, output) }
        }
      }
      Output.complain(
        Messages.deleted(count, in: location.store.location, of: entries.count))
      return .done
    } catch {
      throw location.failure(error)
    }
  }

  private func matching(_ location: OpenedLocation) async throws -> [Entry] {
    let isExpired = arguments.has(ListCommand.expired)
    // A dry run rehearses the deletion, which compares the values.
    let isTried =
      arguments.has(.dryRun) && !location.store.hidesValues
      && !location.store.capabilities.contains(.cache)
    // Summaries also tell which entries cannot be deleted.
    var query = EntryPageQuery(
      prefix: arguments[.prefix] ?? "", limit: 10_000,
      detail: isExpired || arguments.has(.dryRun) ? .summary : .keys)
    if arguments.has(.json) || isTried {
      (query.limit, query.detail) = (PageLimit.maximum, .values)
    }
    var entries: [Entry] = []
    let task = LongTask("examined", arguments)
    // Eviction is not a change that could be stopped halfway.
    defer { arguments.has(Self.cacheOnly) ? task.end() : task.endBeforeChange(arguments) }
    task.endsAtOnce { Deletion.nothing }
    let now = Date()
    if isExpired, location.store.capabilities.contains(.expiry) {
      query.expiring = ExpiryRange(upTo: now)
    }
    for try await page in EntryPages(of: location.store.source, query) {
      for entry in page.map(location.timed)
      where !isExpired || entry.expires.map({ $0 <= now }) == true {
        // The values are no longer needed, and all of them would not fit into memory.
        var entry = entry
        entry.value = nil
        entries.append(entry)
      }
      task.progress.add(page.count)
    }
    return entries
  }
}
