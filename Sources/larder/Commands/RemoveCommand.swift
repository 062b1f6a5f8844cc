import Foundation
import Harmony
import LarderCore

extension Subcommand {
  static let rm = Subcommand(
    name: "rm", usage: "LOCATION KEY… | --prefix P | --expired [--dry-run] [--yes]",
    summary: "deletes entries", options: [.prefix, ListCommand.expired, .dryRun, .yes]
  ) { arguments, output in
    let code = try await RemoveCommand(arguments).run(output)
    output.flush()
    return code
  }
}

/// `larder rm`: named keys at once, a prefix or all that is expired after a yes.
struct RemoveCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try arguments.location()
    let ways = [
      arguments.words.count > 1, arguments.has(.prefix), arguments.has(ListCommand.expired),
    ]
    guard ways.count(where: \.self) == 1 else {
      throw Failure.usage("name what to delete once: keys, --prefix P or --expired")
    }
    if arguments[.prefix] == "" {
      throw Failure.usage(
        "--prefix is empty, which would delete everything; is a variable not set?")
    }
  }

  func run(_ output: Output) async throws -> ExitCode {
    let location = try await OpenedLocation(arguments)
    if arguments.has(.prefix) || arguments.has(ListCommand.expired) {
      return try await removeMany(location, output)
    }
    return try await removeNamed(location, output)
  }

  private func removeNamed(_ location: OpenedLocation, _ output: Output) async throws -> ExitCode {
    var code = ExitCode.done
    var entries: [Entry] = []
    // All of them first: in an array each deletion gives the keys of those behind it to others.
    for typed in arguments.words.dropFirst() {
      do {
        let entry = try await location.entry(typed, isToChange: true)
        if !entries.contains(where: { $0.key == entry.key }) { entries.append(entry) }
      } catch let failure as Failure where failure.code == .nothing {
        Output.complain(failure.message)
        code = .nothing
      }
    }
    if arguments.has(.dryRun) {
      for entry in entries { output.line(entry.key.notation(location.store.keyStyle)) }
    } else {
      try await remove(entries, location)
    }
    return code
  }

  private func remove(_ entries: [Entry], _ location: OpenedLocation) async throws {
    do {
      guard entries.count > 1, entries.allSatisfy({ $0.fingerprint != nil }) else {
        // What has no value, such as a link, has nothing to compare.
        for entry in entries {
          let query = EntryQuery(entry.key, expecting: entry.fingerprint)
          try await location.store.source.delete(query).getCancelling()
        }
        return
      }
      let changes = entries.map { EntryChange($0.key, value: nil, expecting: $0.fingerprint) }
      _ = try await location.store.source.putAll([], in: ChangesQuery(changes)).getCancelling()
    } catch StoreError.conflict(let current) {
      let key = current?.key.notation(location.store.keyStyle) ?? "an entry"
      throw Failure(
        .conflict, "\(key) was changed since it was read; \(location.outcome("deleted"))")
    }
  }

  private func removeMany(_ location: OpenedLocation, _ output: Output) async throws -> ExitCode {
    let entries = try await matching(location)
    let name = location.store.location.description
    guard !entries.isEmpty else {
      throw Failure(.nothing, "nothing in \(name) matches")
    }
    if arguments.has(.dryRun) {
      for entry in entries { output.line(entry.key.notation(location.store.keyStyle)) }
      return .done
    }
    let what = "\(entries.count) \(entries.count == 1 ? "entry" : "entries") from \(name)"
    try arguments.confirm("Delete \(what)?", refusal: "nothing was deleted")
    guard let prefix = arguments[.prefix] else {
      return try await removeExpired(entries, location)
    }
    let scan = Scan()
    try await location.store.source.delete(PrefixQuery(prefix, scan: scan)).getCancelling()
    // Entries may have come or gone while the question stood.
    let count = scan.isReported ? scan.examined : entries.count
    Output.complain("deleted \(count) \(count == 1 ? "entry" : "entries") from \(name)")
    return .done
  }

  /// Deletes each entry only if it is still expired, and is still what was looked at then.
  private func removeExpired(
    _ entries: [Entry], _ location: OpenedLocation
  ) async throws -> ExitCode {
    var deleted = 0
    for entry in entries {
      do {
        let query = EntryQuery(entry.key)
        let current = location.timed(try await location.store.source.get(query).getCancelling())
        guard let expires = current.expires, expires <= Date() else { continue }
        try await location.store.source
          .delete(EntryQuery(entry.key, expecting: current.fingerprint)).getCancelling()
        deleted += 1
      } catch StoreError.conflict {
        continue
      } catch is CoreError.NotFound {
        continue
      }
    }
    let left = entries.count - deleted
    let others = left == 0 ? "" : "; \(left) changed meanwhile and stayed"
    Output.complain("deleted \(deleted) \(deleted == 1 ? "entry" : "entries")\(others)")
    return .done
  }

  private func matching(_ location: OpenedLocation) async throws -> [Entry] {
    let isExpired = arguments.has(ListCommand.expired)
    var query = EntryPageQuery(
      prefix: arguments[.prefix] ?? "", limit: 10_000, detail: isExpired ? .summary : .keys)
    var entries: [Entry] = []
    let now = Date()
    while true {
      let page = try await location.store.source.getAll(query).getCancelling()
      entries += page.filter { entry in
        !isExpired || location.timed(entry).expires.map { $0 <= now } == true
      }
      guard page.count >= query.limit, let last = page.last else { return entries }
      query.after = last.key
    }
  }
}
