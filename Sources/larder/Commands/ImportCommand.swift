import LarderDocuments
import LarderOperations
import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import LarderStoreBase
import Synchronization

extension Subcommand {
  static let `import` = Subcommand(
    name: "import",
    usage: [
      .location, .optional(.word("FILE", .path)), .optional(ImportCommand.replace),
      .optional(ImportCommand.dryRun), .optional(.json),
    ],
    summary: "write entries from JSON Lines"
  ) { arguments, output in
    try arguments.expect(atMost: 2)
    return try await ImportCommand(arguments).run(output)
  }
}

/// `larder import`: writes all entries, or none if the store has transactions.
struct ImportCommand {
  static let replace = OptionSpec(
    name: "--replace", value: nil, help: "overwrite existing entries that have a different value",
    isPerCall: true,
    group: .safety)
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "show what would be imported, and write nothing",
    group: .safety)

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try arguments.location()
  }

  func run(_ output: Output) async throws -> ExitCode {
    // Reports a missing file before the store is touched.
    let lines = try EntryLineReader(
      path: arguments.words.dropFirst().first, interruption: Interruption(),
      isQuiet: arguments.has(.quiet))
    let isDry = arguments.has(Self.dryRun)
    let location = try await OpenedLocation.toChange(arguments, isTrial: isDry)
    var left = TransferReport()
    var (written, code) =
      isDry || location.store.capabilities.contains(.undo)
      ? try await together(
        lines, location, limit: arguments.journal?.limit, leaving: &left, output)
      : try await stream(lines, location, leaving: &left, output)
    left.add(lines.left)
    let same = lines.count - written
    if written > 0, !isDry { Output.noteChange() }
    if location.sayLeft(left), code == .done { code = .store }
    if arguments.has(.json) { report(written, same, location, output) }
    Output.complain(
      Messages.imported(written, into: location.store.location, same: same, isDry: isDry))
    return code
  }

  /// Prints the result as one JSON object.
  private func report(_ written: Int, _ same: Int, _ location: OpenedLocation, _ output: Output) {
    var fields: [StoredValue.Field] = [
      .init("imported", .integer(Int64(written))), .init("same", .integer(Int64(same))),
      .init("location", .text(location.store.location.path)),
    ]
    if let name = location.store.location.collection {
      fields.append(.init("collection", .text(name)))
    }
    let warnings = location.warnings()
    if !warnings.isEmpty { fields.append(.init("remarks", .array(warnings.map { .text($0) }))) }
    output.plainLine(JSONText.encode(.dictionary(fields)))
    output.flush()
  }

  /// Writes entries as they are read, in one transaction if the store has them.
  private func stream(
    _ lines: EntryLineReader, _ location: OpenedLocation, leaving left: inout TransferReport,
    _ output: Output
  ) async throws -> (Int, ExitCode) {
    let replaces = arguments.has(Self.replace)
    let scan = Scan()
    lines.stops(scan)
    // With a transaction, a repeated key may be detected as late as the end, as all is rolled back.
    let seen = Mutex(
      location.store.kind.isAtomic ? SeenKeys() : SeenKeys(inMemory: .max))
    // One at a time, so that the last line read is the one being written.
    let query = ImportQuery(replaces: replaces, scan: scan) {
      let entries = try lines.entries(atMost: 1, for: location.store)
      for entry in entries ?? []
      where try !seen.withLock({ try $0.insert(entry.key, line: lines.number) }) {
        throw repetition(of: entry.key, lines, location)
      }
      if entries == nil, let (line, former) = try seen.withLock({ try $0.repetition() }) {
        throw InputError.repeatedKey(
          Messages.itsKey, lines.place(ofLine: line), afterLine: former)
      }
      return entries
    }
    do {
      let answer = try await location.store.source.put(nil, in: query).get()
      guard case .integer(let count) = answer.value else { throw CoreError.DataSerialization() }
      if location.store.setsExpiriesAfterWriting {
        for _ in 0..<lines.expiries { left.addExpiry() }
      }
      return (Int(count), .done)
    } catch is CoreError.QueryNotSupported {
      return try await together(lines, location, limit: nil, leaving: &left, output)
    } catch {
      let others = lines.count - (error is InputError ? 0 : 1)
      let current = lines.isFinished || lines.count == 0 ? nil : lines.number
      throw ImportFailure(lines, location, replaces: replaces)
        .failure(
          error, line: scan.fault.flatMap { key in seen.withLock { $0.line(of: key) } } ?? current,
          outcome: Messages.importedBefore(scan.changed, of: others))
    }
  }

  /// Returns the error for a repeated key, with which one of the two entries would be lost.
  private func repetition(
    of key: EntryKey, _ lines: EntryLineReader, _ location: OpenedLocation
  ) -> InputError {
    .repeatedKey(
      Messages.key(key.notation(location.store.keyStyle)), lines.place(ofLine: lines.number))
  }

  /// Reads all entries and writes them as one change.
  private func together(
    _ lines: EntryLineReader, _ location: OpenedLocation, limit: Int?,
    leaving left: inout TransferReport, _ output: Output
  ) async throws -> (Int, ExitCode) {
    let problem = ImportFailure(lines, location, replaces: arguments.has(Self.replace))
    var changes: [EntryChange] = []
    var numbers: [EntryKey: Int] = [:]
    // All are read first, as their total size can be checked well before each key is looked up.
    let lined = try read(lines, problem, limit: limit, for: location.store)
    let entries = zip(try await location.store.imported(lined.map(\.entry)), lined.map(\.line)).map
    {
      (entry: $0, line: $1)
    }
    let replaces = arguments.has(Self.replace)
    var taken = 0
    do {
      try await location.store.forEachBase(entries.map(\.entry.key), readsFiles: true) {
        place, current in
        try lines.checkInterruption()
        let (entry, line) = entries[place]
        if let first = numbers[entry.key] {
          throw Failure.repeatedKey(
            entry.key.notation(location.store.keyStyle), afterLine: first)
        }
        numbers[entry.key] = line
        let change = try entry.importChange(
          over: current, replaces: replaces, restoring: location.store.kind.restoredForms,
          keepsDigits: location.store.kind.keepsDigits)
        if let change {
          changes.append(change)
        }
        taken = place + 1
      }
    } catch {
      throw problem.failure(
        error, line: entries.indices.contains(taken) ? entries[taken].line : nil)
    }
    guard !changes.isEmpty else { return (0, .done) }
    if arguments.has(Self.dryRun) {
      do {
        _ = try await location.store.trial(changes, areExact: true)
      } catch {
        throw problem.failure(error, line: nil)
      }
      for change in changes where !arguments.has(.json) {
        output.line(change.key.notation(location.store.keyStyle))
      }
      output.flush()
      return (changes.count, .done)
    }
    // Ctrl-C is honored until the last change.
    let scan = Scan { scan in if lines.isInterrupted { scan.stop() } }
    lines.stops(scan)
    do {
      let query = ChangesQuery(changes, scan: scan, areExact: true)
      let written = try await location.store.source.putAll([], in: query).getCancelling()
      let imported = entries.map(\.entry)
      location.complain(
        ofExpiries: await location.store.setExpiries(
          of: written, as: imported, leaving: &left))
      // Invalid text is written because an export of such a file must be importable.
      if let odd = changes.first(where: { location.store.isUnreadable($0.value) }) {
        location.warn(Messages.notValidText(odd.key.notation(location.store.keyStyle)))
      }
      let others = location.store.keysWithOtherExpiries(written, than: imported)
      return (changes.count, location.complain(ofOtherExpiries: others))
    } catch {
      var key = scan.fault
      if key == nil { key = await ImportSearch(location, arguments).key(error, of: changes) }
      let written = location.store.changesLeft(by: scan)
      let failure = problem.failure(
        error, line: key.flatMap { numbers[$0] },
        outcome: Messages.partlyImported(written, of: changes.count))
      guard written > 0, location.store.capabilities.contains(.undo) else { throw failure }
      throw failure.advising(Messages.undoImport(location.store.location))
    }
  }

  /// Reads all entries with their line numbers, up to the limit of the journal.
  private func read(
    _ lines: EntryLineReader, _ problem: ImportFailure, limit: Int?, for store: Store
  ) throws -> [(entry: Entry, line: Int)] {
    var entries: [(Entry, Int)] = []
    var size = 0
    do {
      while let entry = try lines.entries(atMost: 1, for: store)?.first {
        guard let value = entry.value else { continue }
        let entry = store.kind.keysArePaths ? entry.withExactKey : entry
        size += 64 + value.storedSize
        if let limit, size > limit {
          throw Failure.tooLargeForJournal(nil, limit: limit)
        }
        entries.append((entry, lines.number))
      }
    } catch {
      throw problem.failure(error, line: lines.number)
    }
    return entries
  }
}

extension Entry {
  /// The same entry with a key that is not parsed as a JSON pointer: exports have literal keys.
  fileprivate var withExactKey: Entry {
    var entry = self
    entry.key = key.withoutFirstNumbers.exactPath
    return entry
  }
}
