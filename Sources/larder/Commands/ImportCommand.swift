import LarderDocuments
import LarderModel
import LarderOperations

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
  static let replace = CopyCommand.replace
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "show what would be imported, without writing it",
    group: .safety)

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try arguments.location()
  }

  func run(_ output: Output) async throws -> ExitCode {
    let isDry = arguments.has(Self.dryRun)
    let task = LongTask("imported", arguments)
    defer { task.end() }
    let (location, outcome) = try await task.changing { scan in
      do {
        // Reports a missing file before the store is touched.
        let lines = try EntryLineReader(path: arguments.words.dropFirst().first, scan: scan)
        let location = try await OpenedLocation.toChange(arguments, isTrial: isDry)
        return (location, try await run(lines, location))
      } catch let error as InputError {
        throw Failure(error, task.interruptionCode)
      }
    }
    task.end()
    if outcome.count > 0, !isDry { Output.noteChange() }
    if isDry, !arguments.has(.json) {
      for key in outcome.keys { output.line(key.notation(location.store.keyStyle)) }
    }
    output.flush()
    let code = complain(of: outcome, location)
    if arguments.has(.json) { report(outcome, location, output) }
    Output.complain(
      Messages.imported(
        outcome.count, into: location.store.location, same: outcome.same, isDry: isDry))
    return code
  }

  private func run(
    _ lines: EntryLineReader, _ location: OpenedLocation
  ) async throws -> Import.Outcome {
    let replaces = arguments.has(Self.replace)
    let store = location.store
    do {
      return try await Import(lines, into: store, replaces: replaces)
        .run(isDry: arguments.has(Self.dryRun))
    } catch let error as OperationFailure {
      let failure = Failure(error)
      if error.isTaken, !replaces { throw failure.advising(Messages.replaceReplaces) }
      guard store.changesLeft(by: lines.scan) > 0, store.capabilities.contains(.undo) else {
        throw failure
      }
      throw failure.advising(Messages.undoImport(store.location))
    }
  }

  /// Reports what the store does not hold as the lines say.
  private func complain(of outcome: Import.Outcome, _ location: OpenedLocation) -> ExitCode {
    location.complain(ofExpiries: outcome.expiryProblem)
    if let key = outcome.unreadable {
      location.warn(Messages.notValidText(key.notation(location.store.keyStyle)))
    }
    let code = location.complain(ofOtherExpiries: outcome.otherExpiries)
    return location.sayLeft(outcome.left) && code == .done ? .store : code
  }

  /// Prints the result as one JSON object.
  private func report(
    _ outcome: Import.Outcome, _ location: OpenedLocation, _ output: Output
  ) {
    var fields: [StoredValue.Field] = [
      .init("imported", .integer(Int64(outcome.count))),
      .init("same", .integer(Int64(outcome.same))),
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
}

extension Failure {
  /// Returns the failure for input that cannot be imported or compared.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - interruption: The exit code of the signal that stopped the command; nil for none.
  init(_ error: InputError, _ interruption: ExitCode? = nil) {
    let code: ExitCode =
      switch error.kind {
      case .invalid: .usage
      case .notLines: .store
      case .interrupted: interruption ?? .interrupted
      }
    let failure = Failure(code, error.message)
    self = error.advice.map(failure.advising) ?? failure
  }
}
