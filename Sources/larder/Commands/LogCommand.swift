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
      throw Failure.noJournal(to: "list")
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
      Output.complain(Messages.unreadableChange(record.step.number))
    }
    guard !records.isEmpty || limit == 0 else {
      throw Failure.noChanges(of: place)
    }
    return .done
  }
}

/// `larder log`.
enum LogCommand {
  static let limit = OptionSpec(
    name: "--limit", value: "N", help: "list at most N changes", usual: "all",
    group: .selection)
}
