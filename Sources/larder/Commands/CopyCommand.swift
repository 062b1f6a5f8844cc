import LarderModel
import Foundation
import Harmony
import LarderOperations
import LarderStores

extension Subcommand {
  static let cp = Subcommand(
    name: "cp",
    usage: [
      .word("SOURCE", .location), .word("DESTINATION", .location), .optional(.prefix),
      .optional(CopyCommand.replace), .optional(CopyCommand.dryRun), .optional(.json),
    ],
    summary: "copy entries to another store",
    examples: [
      Example("Copy all settings to another app:", "larder cp a.plist b.plist --replace")
    ]
  ) { arguments, output in
    try arguments.expect(atMost: 2)
    _ = try arguments.location(at: 1)
    return try await CopyCommand(
      arguments, from: OpenedLocation(arguments, isTimed: false, isOfPair: true),
      to: OpenedLocation.toChange(
        arguments, isTimed: false, isTrial: arguments.has(CopyCommand.dryRun), at: 1,
        isOfPair: true)
    ).run(output)
  }
}

/// `larder cp`: copies all entries with their types, or none.
struct CopyCommand {
  static let replace = OptionSpec(
    name: "--replace", value: nil, help: "overwrite existing entries that have a different value",
    isPerCall: true,
    group: .safety)
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "show what would be copied, without copying it",
    group: .safety)

  private let arguments: Arguments
  private let origin: OpenedLocation
  private let target: OpenedLocation

  init(_ arguments: Arguments, from origin: OpenedLocation, to target: OpenedLocation) {
    self.arguments = arguments
    self.origin = origin
    self.target = target
  }

  func run(_ output: Output) async throws -> ExitCode {
    let isDry = arguments.has(Self.dryRun)
    let transfer = Transfer(
      .prefix(arguments[.prefix] ?? ""), from: origin.store, to: target.store,
      replaces: arguments.has(Self.replace))
    let task = LongTask("copied", arguments)
    defer { task.end() }
    let plan: Transfer.Plan
    let outcome: Transfer.Outcome
    do {
      plan = try await task.changing { try await transfer.plan($0) }
      task.progress.expect(plan.changeCount)
      task.progress.set(0, as: "copied")
      outcome = try await task.changing { scan in
        isDry ? try await transfer.tried(plan) : try await transfer.run(plan, scan)
      }
    } catch let failure as OperationFailure where failure.isTaken {
      throw Failure(.conflict, failure.message).advising(Messages.replaceReplaces)
    }
    task.end()
    let omitted = NameList(plan.omitted.map { $0.notation(origin.store.keyStyle) })
    guard plan.count > 0 else {
      complain(of: omitted)
      throw Failure.nothingToCopy(from: origin.store.location, isIncomplete: omitted.count > 0)
    }
    if !isDry, outcome.copied > 0 { Output.noteChange() }
    target.complain(ofExpiries: outcome.expiryProblem)
    var code = target.complain(ofOtherExpiries: outcome.otherExpiries)
    let isIncomplete = target.sayLeft(outcome.left) || omitted.count + outcome.losses.count > 0
    if outcome.losses.count > 0 { target.warn(Messages.partlyCopied(outcome.losses)) }
    if isIncomplete, code == .done { code = .store }
    complain(of: omitted)
    if arguments.has(.json) {
      for (place, entry) in outcome.stored.enumerated() {
        output.plainLine(
          EntryJSON.line(
            entry, in: target.store,
            warnings: target.warnings(forEntry: place, of: outcome.stored.count)))
      }
    } else if isDry {
      for entry in outcome.stored { output.line(entry.key.notation(target.store.keyStyle)) }
    }
    output.flush()
    Output.complain(
      Messages.copied(
        outcome.copied, to: target.store.location, same: outcome.same, isDry: isDry))
    return code
  }

  /// Reports the entries that were left out because other stores cannot hold them.
  private func complain(of omitted: NameList) {
    if omitted.count > 0 { target.warn(Messages.notCopied(omitted)) }
  }
}
