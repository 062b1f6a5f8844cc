import Harmony
import LarderModel
import LarderOperations
import LarderStores

extension Subcommand {
  static let mv = Subcommand(
    name: "mv",
    usage: [
      .location, .word("OLD", .key), .word("NEW", .key), .optional(MoveCommand.prefix),
      .optional(MoveCommand.dryRun), .optional(.yes), .optional(.json),
    ],
    summary: "rename an entry, or all entries with a prefix"
  ) { arguments, output in
    try arguments.expect(atMost: 3)
    let code = try await MoveCommand(arguments).run(output)
    output.flush()
    return code
  }
}

/// `larder mv`: renames entries to keys that do not exist yet.
struct MoveCommand {
  static let prefix = OptionSpec(
    name: "--prefix", value: nil,
    help: "replace the prefix OLD with NEW in all keys that have it", isPerCall: true,
    group: .selection)

  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "show what would be renamed, without renaming it",
    group: .safety)

  private let arguments: Arguments
  private let old: String
  private let new: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try arguments.location()
    old = try arguments.word(1, named: "OLD", of: "mv")
    new = try arguments.word(2, named: "NEW", of: "mv")
    if old.isEmpty, arguments.has(Self.prefix) {
      throw Failure.empty("OLD", which: "rename")
    }
    if new.isEmpty, !arguments.has(Self.prefix) { throw Failure.emptyNewKey }
  }

  func run(_ output: Output) async throws -> ExitCode {
    let location = try await OpenedLocation.toChange(
      arguments, isTrial: arguments.has(Self.dryRun))
    let renames = try await renames(location)
    let style = location.store.keyStyle
    if arguments.has(Self.dryRun) {
      do {
        try await Rename(in: location.store).tryOut(
          renames, areNames: arguments.has(Self.prefix))
      } catch {
        throw location.failure(error, of: renames.count == 1 ? old : nil)
      }
      for rename in renames where !arguments.has(.json) {
        output.line(
          "\(rename.entryKey.notation(style)) → \(rename.newKey.notation(style))")
      }
      if arguments.has(.json) { report(renames, [], location, output) }
      return .done
    }
    if arguments.has(Self.prefix) {
      try arguments.confirm(
        Messages.rename(renames.count, in: location.store.location), refusal: Rename.nothing)
    }
    let task = LongTask("renamed", arguments)
    defer { task.end() }
    task.progress.expect(renames.count)
    do {
      // A prefix is matched against literal names, not pointers.
      let renamed = try await task.changing { scan in
        try await Rename(in: location.store).run(
          renames, areNames: arguments.has(Self.prefix), scan)
      }
      task.end()
      Output.noteChange()
      if arguments.has(.json) { report(renames, renamed, location, output) }
    } catch {
      throw location.failure(error, of: renames.count == 1 ? old : nil)
    }
    if arguments.has(Self.prefix) {
      Output.complain(Messages.renamed(renames.count, in: location.store.location))
    }
    return .done
  }

  /// Prints an object for each entry, in the order of the old keys.
  private func report(
    _ renames: [RenameQuery], _ renamed: [Entry], _ location: OpenedLocation, _ output: Output
  ) {
    let entries = Dictionary(renamed.map { ($0.key, $0) }) { $1 }
    for (place, rename) in renames.enumerated() {
      let entry = entries[rename.newKey] ?? Entry(key: rename.newKey)
      let warnings = location.warnings(forEntry: place, of: renames.count)
      output.plainLine(
        EntryJSON.line(
          entry, in: location.store, renamedFrom: rename.entryKey, warnings: warnings))
    }
  }

  private func renames(_ location: OpenedLocation) async throws -> [RenameQuery] {
    guard arguments.has(Self.prefix) else {
      let shown = try await location.entry(old, isToChange: true)
      let entry = try await location.store.base(shown.key, shown: shown) ?? shown
      guard let fingerprint = entry.fingerprint else { throw CoreError.DataSerialization() }
      let key = location.store.key(typed: new)
      return [RenameQuery(entry.key, to: key, expecting: fingerprint)]
    }
    let task = LongTask("examined", arguments)
    defer { task.endBeforeChange(arguments) }
    task.endsAtOnce { Rename.nothing }
    let renames = try await Rename(in: location.store).renames(
      prefix: old, to: new, task.progress.add)
    guard !renames.isEmpty else {
      throw Failure.noMatch(in: location.store.location, prefix: old)
    }
    return renames
  }
}
