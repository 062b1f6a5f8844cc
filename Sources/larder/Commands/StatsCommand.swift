import Foundation
import Harmony
import LarderBrowser
import LarderModel
import LarderOperations
import LarderUI
import TerminalUI

extension Subcommand {
  static let stats = Subcommand(
    name: "stats",
    usage: [
      .location, .optional(.prefix), .optional(StatsCommand.limit), .optional(.delimiter),
      .optional(.json),
    ],
    summary: "show counts, sizes and expiry by prefix and type",
    isPaged: true,
    examples: [
      Example("The three largest groups of keys:", "larder stats cache.db --limit 3"),
      Example(
        "The total size of the sessions, in bytes:",
        "larder stats cache.db --prefix session: --json | jq .bytes"),
    ]
  ) { arguments, output in
    try arguments.expect(atMost: 1, isPrefix: true)
    return try await StatsCommand(arguments).run(output)
  }
}

/// `larder stats`: aggregates all entries without reading their values.
struct StatsCommand {
  static let limit = OptionSpec(
    name: "--limit", value: "N", help: "show at most N rows of each table", usual: "10",
    group: .output)

  private let location: OpenedLocation
  private let arguments: Arguments
  private let limit: Int

  init(_ arguments: Arguments) async throws {
    self.arguments = arguments
    limit = try arguments.count(Self.limit) ?? 10
    location = try await OpenedLocation(arguments)
    location.reportDoubts()
  }

  func run(_ output: Output) async throws -> ExitCode {
    let task = LongTask("read", arguments)
    defer { task.end() }
    task.expectCount(of: location.store, prefix: arguments[.prefix] ?? "")
    let (overview, problem) = await read(task)
    let stopped = task.interruptionCode
    if let problem, stopped == nil { throw problem }
    task.end()
    print(overview, to: output)
    output.flush()
    if let stopped, !overview.isWhole {
      Output.complain(Messages.partialOverview(overview.total.count))
      return stopped
    }
    return overview.total.count == 0 && arguments.has(.prefix) ? .nothing : .done
  }

  /// Reads the entries until there are no more or a signal arrives.
  private func read(_ task: LongTask) async -> (Overview, (any Error)?) {
    let location = location
    let started = Overview(
      prefix: arguments[.prefix] ?? "",
      delimiter: arguments[.delimiter] ?? location.store.kind.delimiter, largestCount: limit,
      at: Date())
    let work = Task { () -> (Overview, (any Error)?) in
      var overview = started
      do {
        try await overview.read(
          from: location.store, guessing: { TreeModel.delimiter(of: $0) },
          adjusting: location.timed
        ) { task.progress.set($0.total.count) }
        return (overview, nil)
      } catch {
        return (overview, error)
      }
    }
    task.stops { work.cancel() }
    return await work.value
  }

  private func print(_ overview: Overview, to output: Output) {
    if arguments.has(.json) {
      output.plainLine(OverviewJSON.line(overview, of: location.store, limit: limit))
      return
    }
    let store = location.store
    let showsExpiry = overview.hasExpiry || store.capabilities.contains(.expiry)
    let within =
      overview.prefix.isEmpty ? [] : [EntryKey.text(overview.prefix).shown(store.keyStyle)]
    let heading =
      [Sanitizer.display(store.location.description)] + within
      + OverviewText.summary(of: overview, showsExpiry: showsExpiry)
    output.line(heading.joined(separator: "  "))
    guard overview.total.count > 0 else { return }
    let width = output.width
    if overview.hasPrefixes {
      let groups = overview.groups(by: .size, limit: limit)
      print(
        .prefixes(
          groups, of: overview, style: store.keyStyle, showsExpiry: showsExpiry, width: width),
        to: output)
      if !overview.arePrefixesExact {
        output.line(Messages.inexactPrefixes)
      }
    } else {
      output.line(Messages.noPrefixes)
    }
    print(.types(of: overview, limit: limit, width: width), to: output)
    if showsExpiry { print(.expiry(of: overview, width: width), to: output) }
    guard !overview.largest.isEmpty else { return }
    print(
      .largest(overview, style: store.keyStyle, showsExpiry: showsExpiry, width: width),
      to: output)
  }

  private func print(_ table: OverviewTable, to output: Output) {
    output.line("")
    for line in [table.header] + table.lines { output.line(String(line.trimmedAtEnd)) }
  }
}

extension String {
  fileprivate var trimmedAtEnd: Substring {
    lastIndex { $0 != " " }.map { self[...$0] } ?? ""
  }
}

extension Output {
  /// The width of the terminal, between 40 and 400 columns; 80 without one.
  fileprivate var width: Int {
    isTerminal ? max(40, min(Self.columns(of: STDOUT_FILENO), 400)) : 80
  }
}
