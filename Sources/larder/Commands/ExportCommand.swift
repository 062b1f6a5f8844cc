import Foundation
import Harmony
import LarderCore
import LarderStores

extension Subcommand {
  static let export = Subcommand(
    name: "export", usage: "LOCATION [--prefix P]",
    summary: "prints entries as JSON Lines, from which import makes the same again",
    options: [.prefix]
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    return try await ExportCommand(OpenedLocation(arguments), arguments).run(output)
  }
}

/// `larder export`: pages through a store with values, in memory that does not grow with it.
struct ExportCommand {
  private let location: OpenedLocation
  private let prefix: String

  init(_ location: OpenedLocation, _ arguments: Arguments) {
    self.location = location
    prefix = arguments[.prefix] ?? ""
  }

  func run(_ output: Output) async throws -> ExitCode {
    var progress = Progress("exported")
    var omissions = Omissions()
    var limit = PageLimit()
    var query = EntryPageQuery(prefix: prefix, limit: limit.count, detail: .values)
    let source = location.store.source
    while true {
      let page = try await source.getAll(query).getCancelling()
      var size = 0
      for entry in page {
        // What a store lists without a value, such as a special file, is no data of its own.
        guard let value = entry.value, entry.isWhole else {
          omissions.add(entry.key.notation(location.store.keyStyle))
          continue
        }
        size += value.storedSize
        let entry = location.timed(entry)
        let line = EntryLine(
          key: entry.key, value: value, expires: entry.expires, form: entry.form)
        output.plainLine(line.text(modified: entry.modified))
        progress.count += 1
      }
      if output.isTerminal { output.flush() } else { progress.show() }
      guard page.count >= query.limit, let last = page.last else { break }
      query.after = last.key
      limit.adapt(to: size)
      query.limit = limit.count
    }
    output.flush()
    progress.clear()
    if omissions.count > 0 {
      Output.complain(omissions.sentence(besides: progress.count, of: location.store))
      return .store
    }
    return progress.count == 0 && !prefix.isEmpty ? .nothing : .done
  }
}

/// What an export cannot contain.
private struct Omissions {
  /// How many entries.
  private(set) var count = 0
  private var names: [String] = []
  /// So many are named; more would hide what is said.
  private static let greatest = 5

  mutating func add(_ name: String) {
    count += 1
    if names.count < Self.greatest { names.append(name) }
  }

  func sentence(besides exported: Int, of store: Store) -> String {
    let others = count > names.count ? " and \(count - names.count) more" : ""
    let kinds = store.kind.withoutValue.map { ", being \($0)" } ?? ""
    return "the export is not whole: \(exported) \(exported == 1 ? "entry was" : "entries were") "
      + "exported, and \(count) left out, which \(count == 1 ? "has" : "have") no value\(kinds): "
      + names.joined(separator: ", ") + others
  }
}
