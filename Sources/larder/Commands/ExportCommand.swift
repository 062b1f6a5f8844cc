import LarderModel
import LarderOperations

extension Subcommand {
  static let export = Subcommand(
    name: "export", usage: [.location, .optional(.prefix), .optional(.withSecrets)],
    summary: "print entries as JSON Lines"
  ) { arguments, output in
    try arguments.expect(atMost: 1, isPrefix: true)
    let location = try await OpenedLocation(arguments)
    guard !location.store.hidesValues || arguments.has(.withSecrets) else {
      throw Failure.secretsInExport(location.store.location)
    }
    location.reportDoubts()
    return try await ExportCommand(location, arguments).run(output)
  }
}

/// `larder export`: streams a store with its values, in constant memory.
struct ExportCommand {
  private let location: OpenedLocation
  private let arguments: Arguments

  init(_ location: OpenedLocation, _ arguments: Arguments) {
    self.location = location
    self.arguments = arguments
  }

  func run(_ output: Output) async throws -> ExitCode {
    let prefix = arguments[.prefix] ?? ""
    let task = LongTask("exported", arguments, isPrinting: true)
    defer { task.end() }
    task.endsAtOnce()
    task.expectCount(of: location.store, prefix: prefix)
    let export = Export(
      .prefix(prefix), from: location.store, timeToLive: location.timeToLive,
      withSecrets: arguments.has(.withSecrets))
    let report = try await export.run(Scan()) { lines in
      output.write(lines: lines, task.progress.add)
    }
    for warning in report.warnings { Output.complain(warning) }
    guard report.isComplete else { return .store }
    return report.count == 0 && !prefix.isEmpty ? .nothing : .done
  }
}
