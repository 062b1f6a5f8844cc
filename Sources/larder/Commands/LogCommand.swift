import LarderModel
import LarderJournal
import LarderStores

extension Subcommand {
  static let log = Subcommand(
    name: "log",
    usage: [.optional(.location), .optional(LogCommand.limit), .optional(.json)],
    summary: "list recorded changes, newest first", isPaged: true
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    guard let journal = arguments.journal else {
      throw Failure.usage("--no-journal records no changes, so there is nothing to list")
    }
    let place = try arguments.words.first.map { try Stores.journalPlace(fromText: $0) }
    let limit = try arguments.count(LogCommand.limit) ?? .max
    let records = try await journal.steps(of: place, limit: limit)
    for record in records {
      if arguments.has(.json) {
        output.plainLine(ChangeText.json(record))
      } else {
        output.line(ChangeText.line(record))
      }
    }
    output.flush()
    for record in records where !record.isReadable {
      Output.complain(
        "the key of change \(record.step.number) cannot be read, as the journal is damaged there or "
          + "was written by a later larder; the change cannot be undone")
    }
    guard !records.isEmpty || limit == 0 else {
      throw Failure(
        .nothing, place.map { "no changes of \($0) are recorded" } ?? "no changes are recorded")
    }
    return .done
  }
}

/// `larder log`.
enum LogCommand {
  static let limit = OptionSpec(
    name: "--limit", value: "N", help: "list at most N changes", usual: "all of them",
    group: .selection)
}
