import Foundation
import Harmony
import LarderCore
import LarderJournal
import LarderStores

extension Subcommand {
  static let cp = Subcommand(
    name: "cp",
    usage: [
      .word("LOCATION", .location), .word("LOCATION", .location), .optional(.prefix),
      .optional(CopyCommand.replace), .optional(CopyCommand.dryRun), .optional(.json),
    ],
    summary: "copies entries from the first store to the second, as one change",
    examples: [
      Example("All settings of one program for another:", "larder cp a.plist b.plist --replace")
    ]
  ) { arguments, output in
    try arguments.expect(atMost: 2)
    _ = try arguments.location(at: 1)
    return try await CopyCommand(
      arguments, from: OpenedLocation(arguments, isTimed: false),
      to: OpenedLocation.toChange(
        arguments, isTimed: false, isTrial: arguments.has(CopyCommand.dryRun), at: 1)
    ).run(output)
  }
}

/// `larder cp`: all entries with their types, or none of them.
struct CopyCommand {
  static let replace = OptionSpec(
    name: "--replace", value: nil, help: "replace entries that exist with another value",
    isPerCall: true)
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "say what would be copied, and write nothing")

  private let arguments: Arguments
  private let origin: OpenedLocation
  private let target: OpenedLocation
  private let interruption = Interruption()
  private let progress: Progress

  init(_ arguments: Arguments, from origin: OpenedLocation, to target: OpenedLocation) {
    self.arguments = arguments
    self.origin = origin
    self.target = target
    progress = Progress("read", isQuiet: arguments.has(.quiet))
  }

  func run(_ output: Output) async throws -> ExitCode {
    defer { progress.clear() }
    let entries: [Entry]
    let copies: [Entry]
    var left = TransferReport()
    var omitted = NameList()
    let (changes, before): ([EntryChange], [EntryChange])
    do {
      entries = try await read(omitting: &omitted)
      guard !entries.isEmpty else {
        complain(of: omitted)
        Output.complain("\(origin.store.location) has nothing to copy")
        return omitted.count > 0 ? .store : .nothing
      }
      copies = try await self.copies(of: entries, leaving: &left)
      (changes, before) = try await self.changes(for: copies)
    } catch {
      throw Self.failure(error, outcome: "nothing was written")
    }
    let isDry = arguments.has(Self.dryRun)
    var stored: [Entry] = []
    if isDry {
      stored = try await tried(changes)
    } else if !changes.isEmpty {
      stored = try await write(changes, before)
      Output.noteChange()
    }
    progress.clear()
    if !isDry { await target.keepTimes(of: stored, as: copies, leaving: &left) }
    var code = target.checkTimes(of: stored, as: isDry ? [] : copies)
    if target.sayLeft(left) || omitted.count > 0, code == .done { code = .store }
    complain(of: omitted)
    if arguments.has(.json) {
      for (place, entry) in stored.enumerated() {
        output.plainLine(
          EntryJSON.line(
            entry, in: target.store,
            remarks: target.remarks(forEntry: place, of: stored.count)))
      }
    } else if isDry {
      for entry in stored { output.line(entry.key.notation(target.store.keyStyle)) }
    }
    output.flush()
    let same = entries.count - changes.count
    let others = same == 0 ? "" : "; \(same) \(same == 1 ? "was" : "were") there already"
    Output.complain(
      "\(isDry ? "would copy" : "copied") \(Self.count(changes.count)) to "
        + "\(target.store.location)\(others)")
    return code
  }

  /// Says which entries are left out, as no other store could have them.
  private func complain(of omitted: NameList) {
    guard omitted.count > 0 else { return }
    target.remark(
      "left out \(Self.count(omitted.count)) without a value, such as links and special files: "
        + "\(omitted)")
  }

  private static func count(_ count: Int) -> String {
    "\(count) \(count == 1 ? "entry" : "entries")"
  }

  /// The failure that an error ends the copying with: what is the matter, and what was done before.
  private static func failure(_ error: any Error, outcome: String) -> Failure {
    let failure = Failure(error)
    let isSaid = failure.message.contains("nothing was written")
    return Failure(failure.code, failure.message + (isSaid ? "" : "; \(outcome)"))
  }

  // MARK: Reading

  /// The most bytes that are copied at once, where no journal says less.
  private static let greatestSize = 256 << 20

  /// What is to be copied, all of it: a store that cannot hold it is not touched before.
  ///
  /// - Parameter omitted: Told what has no value, as a link or a special file.
  /// - Returns: The entries.
  /// - Throws: Why one of the others cannot be copied.
  private func read(omitting omitted: inout NameList) async throws -> [Entry] {
    let limit = arguments.journal?.limit ?? Self.greatestSize
    var stream = EntryStream(origin.store, prefix: arguments[.prefix] ?? "", .values)
    var entries: [Entry] = []
    var size = 0
    while let entry = try await stream.next() {
      try checkInterruption()
      progress.add(1)
      guard entry.specialType == nil || entry.specialType == "folder" else {
        omitted.add(entry.key.notation(origin.store.keyStyle))
        continue
      }
      let whole = try await whole(entry)
      if let obstacle = whole.copyObstacle {
        throw StoreError.notSupported(
          "\(whole.key.spoken) cannot be copied: \(obstacle); nothing was written. --prefix copies "
            + "others")
      }
      size += 64 + (whole.value?.storedSize ?? 0)
      guard size <= limit else {
        throw Failure(
          .store,
          "this is more than the \(limit >> 20) MiB that are copied at once; nothing was written. "
            + "--prefix copies a part, and larder export with larder import --no-journal copies "
            + "any number")
      }
      entries.append(whole)
    }
    return entries
  }

  private func whole(_ entry: Entry) async throws -> Entry {
    if entry.value != nil, entry.isWhole { return entry }
    let found = try await origin.store.source.entry(entry.key)
    guard let found, found.value != nil, found.isWhole else {
      throw StoreError.notSupported(
        "\(entry.key.spoken) has no value that can be copied; nothing was written. --prefix copies "
          + "others")
    }
    return found
  }

  /// The entries as the target is to have them.
  private func copies(
    of entries: [Entry], leaving left: inout TransferReport
  ) async throws -> [Entry] {
    let isSameKind = origin.store.kind == target.store.kind
    let arePaths = target.store.kind.keysArePaths
    var keys: Set<EntryKey> = []
    if let twice = entries.first(where: { !keys.insert($0.key).inserted }) {
      throw StoreError.notSupported(
        "several entries of \(origin.store.location) have the key \(twice.key.spoken), by which they "
          + "could not be told apart; nothing was written. --prefix copies others")
    }
    if !isSameKind, let odd = entries.first(where: { target.isUnreadable($0.value) }) {
      throw StoreError.notSupported(
        "\(odd.key.spoken) \(OpenedLocation.unreadable); nothing was written")
    }
    let columns = origin.store.valueColumns
    return try await target.imported(
      entries.map { entry in
        var copy = entry
        copy.expires = entry.countsUntil(in: origin.store)
        copy = target.store.taking(copy, of: columns, leaving: &left)
        if arePaths { copy.key = entry.key.exactPath }
        if !isSameKind { copy.form = nil }
        if let value = copy.value, value.type == .data {
          copy.value = target.store.asKept(value)
        }
        return copy
      })
  }

  /// What has to be written, and what is there now under those keys.
  private func changes(for copies: [Entry]) async throws -> ([EntryChange], [EntryChange]) {
    var changes: [EntryChange] = []
    var before: [EntryChange] = []
    let replaces = arguments.has(Self.replace)
    progress.expect(copies.count)
    try await target.forEachBase(copies.map(\.key)) { place, current in
      try checkInterruption()
      progress.set(place + 1, as: "looked up")
      let copy = copies[place]
      do {
        let change = try copy.importChange(
          over: current, replaces: replaces, restoring: target.store.kind.restoredForms,
          keepsDigits: target.store.kind.keepsDigits)
        guard let change else { return }
        changes.append(change)
      } catch {
        throw Failure(
          .conflict,
          "\(copy.key.notation(target.store.keyStyle)) exists in \(target.store.location) with "
            + "another value; nothing was written. --replace replaces it")
      }
      before.append(
        EntryChange(
          copy.key, value: current?.value,
          expecting: copy.value.map { Fingerprint(of: target.store.asKept($0)) },
          form: current?.form))
    }
    return (changes, before)
  }

  // MARK: Writing

  /// The entries as they would be stored, where nothing is written.
  ///
  /// - Throws: Why the store would not take them, as far as it can tell without a change.
  private func tried(_ changes: [EntryChange]) async throws -> [Entry] {
    do {
      guard let stored = try await target.trial(changes, areExact: true) else {
        return changes.compactMap { change in
          change.value.map { Entry(key: change.key, value: $0, form: change.form) }
        }
      }
      guard let difference = difference(between: changes, stored) else { return stored }
      throw Failure(
        .refused, "\(target.store.location) would \(difference); nothing was written")
    } catch {
      throw Self.failure(error, outcome: "nothing was written")
    }
  }

  private func write(
    _ changes: [EntryChange], _ before: [EntryChange]
  ) async throws -> [Entry] {
    progress.expect(changes.count)
    progress.set(0, as: "copied")
    let scan = Scan { [interruption, progress] scan in
      progress.set(scan.changed)
      if interruption?.signal != nil { scan.stop() }
    }
    let stored: [Entry]
    do {
      stored = try await target.store.source.putAll(
        [], in: ChangesQuery(changes, scan: scan, areExact: true)
      )
      .getCancelling()
    } catch {
      let written = target.madeBeforeFailure(scan)
      let outcome =
        if written == 0 {
          "nothing was written"
        } else if target.store.hidesValues {
          // Nothing is kept of a secret that was replaced.
          "\(Self.count(written)) of \(changes.count) \(written == 1 ? "was" : "were") written"
        } else {
          await outcome(ofTakingBack: Array(before.prefix(written)), scan)
        }
      if StoreError(error) == .cancelled, interruption?.signal != nil {
        throw Failure(code, "interrupted; \(outcome)")
      }
      throw Self.failure(error, outcome: outcome)
    }
    guard let difference = difference(between: changes, stored) else { return stored }
    let reversed = zip(before, stored).map { change, entry in
      EntryChange(
        entry.key, value: change.key == entry.key ? change.value : nil,
        expecting: entry.fingerprint, form: change.form)
    }
    let taken =
      stored.count == before.count || scan.step != nil
      ? await takenBack(reversed, scan) : "the store does not say what it keeps"
    throw Failure(
      taken == nil ? .refused : .store,
      "\(target.store.location) would \(difference); what was copied "
        + (taken.map { "could not be taken back: \($0)" } ?? "was taken back"))
  }

  /// What the store keeps otherwise than it was given it, as a clause; nil where it is nothing.
  private func difference(between changes: [EntryChange], _ stored: [Entry]) -> String? {
    let kept = Dictionary(stored.map { ($0.key.exactPath, $0) }) { $1 }
    let other = changes.first { change in
      guard let entry = kept[change.key.exactPath], let value = change.value else { return true }
      return !entry.holds(value)
    }
    guard let other else { return nil }
    let name = other.key.notation(target.store.keyStyle)
    let type = other.value?.type.rawValue ?? "nothing"
    return switch kept[other.key.exactPath]?.type?.rawValue {
    case nil: "keep \(name) under another key"
    case type: "keep another \(type) under \(name)"
    case let kept?: "keep \(name), which is \(type), as \(kept)"
    }
  }

  /// What became of what was written before a failure, in a store that does not take that back
  /// itself, as a clause.
  private func outcome(ofTakingBack written: [EntryChange], _ scan: Scan) async -> String {
    let count = Self.count(written.count)
    let verb = written.count == 1 ? "was" : "were"
    guard let problem = await takenBack(written, scan) else {
      return "\(count) that \(verb) written \(verb) taken back"
    }
    return "\(count) \(verb) written and could not be taken back: \(problem)"
  }

  /// Takes back what was written.
  ///
  /// - Parameters:
  ///   - reversed: What takes it back where no journal is kept.
  ///   - scan: What says which step of the journal it is: that one is forgotten, as a later undo of
  ///     what the person did must not meet it.
  /// - Returns: Why that cannot be, and how it can; nil where it was done.
  private func takenBack(_ reversed: [EntryChange], _ scan: Scan) async -> String? {
    do {
      if let step = scan.step {
        _ = try await target.store.replay(ReplayRequest(step: step, isForgotten: true))
      } else {
        _ = try await target.store.source.putAll([], in: ChangesQuery(reversed)).getCancelling()
      }
      return nil
    } catch {
      let advice = scan.step.map { "; larder undo \($0) does that" } ?? ""
      return StoreError(error).message + advice
    }
  }

  private var code: ExitCode { interruption?.signal == SIGTERM ? .terminated : .interrupted }

  private func checkInterruption() throws {
    guard interruption?.signal != nil else { return }
    throw Failure(code, "interrupted; nothing was written")
  }
}
