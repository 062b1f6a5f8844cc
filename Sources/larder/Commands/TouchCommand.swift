import Foundation
import Harmony
import LarderModel
import LarderFormats
import LarderOperations

extension Subcommand {
  static let touch = Subcommand(
    name: "touch",
    usage: [
      .location,
      .either([.word("KEY…", .key), .option(TouchCommand.prefix), .option(ListCommand.expired)]),
      .either([
        .option(TouchCommand.ttl), .option(TouchCommand.at), .option(TouchCommand.never),
        .option(TouchCommand.refresh),
      ]),
      .optional(TouchCommand.dryRun), .optional(.yes), .optional(.json),
    ],
    summary: "set when entries expire",
    examples: [
      Example("Give expired entries one more hour:", "larder touch cache.db --expired --ttl +1h")
    ]
  ) { arguments, output in
    defer { output.flush() }
    return try await TouchCommand(arguments).run(output)
  }
}

/// `larder touch`: sets the expiry of entries in one change, each only if it is unchanged.
///
/// A prefix, or all expired entries, require confirmation.
struct TouchCommand {
  static let prefix = OptionSpec(
    name: OptionSpec.prefix.name, value: "P",
    help: "only entries whose key starts with P", offered: .prefix,
    isPerCall: true, group: .selection)
  static let ttl = OptionSpec(
    name: "--ttl", value: "DURATION",
    help: "expire after DURATION; +10m extends the expiry", isPerCall: true, group: .expiry)
  static let at = OptionSpec(
    name: "--at", value: "DATE",
    help: "expire at a date or time: 2030-01-31, tomorrow, \"in 2h\"", isPerCall: true,
    group: .expiry)
  static let never = OptionSpec(
    name: "--never", value: nil, help: "never expire", isPerCall: true, group: .expiry)
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "show what would be changed, without changing it",
    group: .safety)

  static let refresh = OptionSpec(
    name: "--refresh", value: nil,
    help: "refresh these entries in the cache of a live process", isPerCall: true, group: .expiry)

  private let arguments: Arguments
  private let expiry: ExpiryText

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    let isNamed = arguments.words.count > 1
    let isFound = arguments.has(.prefix) || arguments.has(ListCommand.expired)
    if !isFound { _ = try arguments.word(1, named: "KEY", of: "touch") }
    guard isNamed != isFound else {
      throw Failure.nothingChosenToTouch
    }
    if arguments[.prefix] == "" {
      throw Failure.empty(OptionSpec.prefix.name, which: "change")
    }
    let ways = [
      arguments.has(Self.ttl), arguments.has(Self.at), arguments.has(Self.never),
      arguments.has(Self.refresh),
    ]
    guard ways.count(where: \.self) == 1 else {
      throw Failure.noExpiryChosen
    }
    let zone = arguments[.expiresZone].flatMap { ExpiryZone($0) }
    let typed = [Self.at, Self.ttl].lazy.compactMap { option in
      arguments[option].map { (option, $0) }
    }
    expiry = try typed.first.map { try Self.expiry($1, of: $0, in: zone) } ?? .never
  }

  func run(_ output: Output) async throws -> ExitCode {
    let isDry = arguments.has(Self.dryRun)
    let location = try await OpenedLocation.toChange(arguments, isTimed: false, isTrial: isDry)
    try arguments.has(Self.refresh) ? location.checkCache() : location.checkExpiry()
    try location.checkDoubt(OperationFailure.nothingWritten)
    var missing: [Failure] = []
    var entries = try await found(in: location)
    for typed in arguments.words.dropFirst() {
      do {
        let entry = try await location.entry(
          typed, isToChange: true, maximumSize: location.maximumSize)
        if !entries.contains(where: { $0.key == entry.key }) { entries.append(entry) }
      } catch let failure as Failure where failure.code == .nothing {
        missing.append(failure)
      }
    }
    missing.forEach(Output.report)
    let update = ExpiryUpdate(expiry, in: location.store, at: Date())
    var plan: ExpiryUpdate.Plan?
    if !arguments.has(Self.refresh) {
      let planned = try update.plan(entries, areNamed: arguments.words.count > 1)
      if let note = planned.note { Output.complain(note) }
      (plan, entries) = (planned, planned.entries)
    }
    guard !entries.isEmpty else {
      if missing.isEmpty { throw Failure.noMatch(in: location.store.location) }
      return .nothing
    }
    if !arguments.has(Self.refresh), !arguments.has(ListCommand.expired) {
      location.reportAssumedZone()
    }
    if isDry {
      // A dry run refuses what the change itself would refuse.
      if let plan { entries = try await update.tried(plan) }
      if arguments.has(ListCommand.expired) { location.reportDoubts() }
      list(entries, in: location, output)
      return missing.isEmpty ? .done : .nothing
    }
    if arguments.words.count == 1 {
      let doubts = arguments.has(ListCommand.expired) ? location.doubts : []
      try arguments.confirm(
        arguments.has(Self.refresh)
          ? Messages.refresh(entries.count, in: location.store.location)
          : Messages.changeExpiry(entries.count, in: location.store.location, doubts: doubts),
        refusal: OperationFailure.nothingWritten)
      if arguments.has(ListCommand.expired), arguments.has(.yes) { location.reportDoubts() }
    }
    let verb = arguments.has(Self.refresh) ? "refreshed" : "written"
    let task = LongTask(verb, arguments)
    defer { task.end() }
    task.progress.expect(entries.count)
    do {
      let written = try await task.changing {
        location.outcome(verb, stoppedAt: $0)
      } _: { scan in
        if let plan { return try await update.run(plan, scan) }
        return try await refreshed(entries, in: location, scan, output)
      }
      task.end()
      if let plan {
        report(written, location, output)
        let rounding = location.rounding(written, from: plan.changes.map(\.expires))
        if let rounding { Output.complain(rounding) }
      }
    } catch {
      throw location.failure(error)
    }
    return missing.isEmpty ? .done : .nothing
  }

  /// Reports the changed entries: one JSON object each with `--json`.
  private func report(_ entries: [Entry], _ location: OpenedLocation, _ output: Output) {
    Output.noteChange()
    for (place, entry) in entries.enumerated() where arguments.has(.json) {
      let warnings = location.warnings(forEntry: place, of: entries.count)
      output.plainLine(EntryJSON.line(entry, in: location.store, warnings: warnings))
    }
  }

  /// Refreshes cached entries, and reports those missing from the backing store.
  private func refreshed(
    _ entries: [Entry], in location: OpenedLocation, _ scan: Scan, _ output: Output
  ) async throws -> [Entry] {
    let told = Locked<[Entry]>([])
    // Entries refreshed before a failure stay refreshed, so they are printed.
    defer { report(told.withLock { $0 }, location, output) }
    let keys = entries.map(\.key)
    let cache = try location.cache
    let read = try await Future {
      try await cache.refresh(keys, scan) { _, entry in
        if let entry { told.withLock { $0.append(entry) } }
      }
    }.get()
    let present = Set(read.map(\.key))
    for entry in entries where !present.contains(entry.key) {
      let key = entry.key.notation(location.store.keyStyle)
      Output.complain(Messages.notInBackingStore(key))
    }
    return read
  }

  /// Prints the entries that would be changed, with their new expiry.
  private func list(_ entries: [Entry], in location: OpenedLocation, _ output: Output) {
    // The result of a refresh is not known in advance.
    let form: ListedLines.Form =
      arguments.has(.json) ? .objects : arguments.has(Self.refresh) ? .keys : .expiries
    let lines = ListedLines(
      form, of: location.store, now: Date(), terminator: UInt8(ascii: "\n"), output)
    entries.forEach(lines.add)
    lines.flush()
  }

  /// Parses the value of an option, in any form that the prompt of the browser takes.
  private static func expiry(
    _ text: String, of option: OptionSpec, in zone: ExpiryZone?
  ) throws -> ExpiryText {
    // A text with its own zone ignores `zone`.
    if let zone, Timestamp.date(from: text) == nil, let clock = ExpiryText.date(text),
      !zone.shows(clock)
    {
      throw Failure.skippedTime(text, in: zone)
    }
    guard let expiry = ExpiryText(text, in: zone) else {
      throw Failure.notExpiry(option, ExpiryText.problem(of: text))
    }
    return expiry
  }

  /// Returns the entries selected by prefix or expiry.
  private func found(in location: OpenedLocation) async throws -> [Entry] {
    guard arguments.words.count == 1 else { return [] }
    let task = LongTask("examined", arguments)
    defer { task.endBeforeChange(arguments) }
    task.endsAtOnce { OperationFailure.nothingWritten }
    return try await ExpiryUpdate.entries(
      arguments[.prefix] ?? "",
      expiring: arguments.has(ListCommand.expired) ? ExpiryRange(upTo: Date()) : nil,
      in: location.store, task.progress.add)
  }
}

extension OpenedLocation {
  /// Refuses a store that is not a cache over another source.
  func checkCache() throws {
    guard store.capabilities.contains(.cache) else {
      throw Failure.notLiveCache(store.location)
    }
  }

  /// A sentence, without its full stop, about how to name the expiry.
  var expiryAdvice: String {
    if isWithoutExpiry { return Messages.disabledExpiry }
    return store.kind.holdsFiles ? Messages.fileExpiry : Messages.rowExpiry
  }

  /// Refuses a store that has no expiry.
  func checkExpiry() throws {
    guard store.capabilities.contains(.expiry) else {
      throw Failure.noExpiry(store.location).advising(expiryAdvice)
    }
  }
}
