import Foundation
import Harmony
import LarderCore
import LarderStores

extension Subcommand {
  static let `import` = Subcommand(
    name: "import", usage: "LOCATION [FILE] [--replace] [--json]",
    summary: "writes the entries of JSON Lines, from standard input without FILE",
    options: [ImportCommand.replace, .json]
  ) { arguments, output in
    try arguments.expect(atMost: 2)
    return try await ImportCommand(arguments).run(output)
  }
}

/// `larder import`: all entries or none, where the store has transactions or the journal keeps them.
struct ImportCommand {
  static let replace = OptionSpec(
    name: "--replace", value: nil, help: "replace entries that exist with another value")

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try arguments.location()
  }

  func run(_ output: Output) async throws -> ExitCode {
    // A file that is not there is said before the store is touched.
    let lines = try EntryLineReader(
      path: arguments.words.dropFirst().first, interruption: Interruption())
    let location = try await OpenedLocation(arguments)
    guard location.store.capabilities.contains(.writable) else {
      throw StoreError.readOnly(
        "\(location.store.location) is read-only"
          + (location.store.readOnlyReason.map { ": \($0)" } ?? ""))
    }
    let written =
      location.store.capabilities.contains(.undo)
      ? try await together(lines, location, limit: arguments.journal?.limit)
      : try await stream(lines, location)
    let same = lines.count - written
    if arguments.has(.json) { report(written, same, location, output) }
    let others = same == 0 ? "" : "; \(same) \(same == 1 ? "was" : "were") there already"
    Output.complain(
      "imported \(written) \(written == 1 ? "entry" : "entries") into "
        + "\(location.store.location)\(others)")
    return .done
  }

  /// Says in one object what was done.
  private func report(_ written: Int, _ same: Int, _ location: OpenedLocation, _ output: Output) {
    var fields: [StoredValue.Field] = [
      .init("imported", .integer(Int64(written))), .init("same", .integer(Int64(same))),
      .init("location", .text(location.store.location.path)),
    ]
    if let name = location.store.location.collection {
      fields.append(.init("collection", .text(name)))
    }
    output.write(JSONText.encode(.dictionary(fields)))
    output.end()
    output.flush()
  }

  /// Writes entries as they come, in one transaction where the store has them.
  private func stream(_ lines: EntryLineReader, _ location: OpenedLocation) async throws -> Int {
    // One by one, so that the line that was read last is the one that is being written.
    let query = ImportQuery(replaces: arguments.has(Self.replace)) {
      try lines.entries(atMost: 1)
    }
    do {
      let answer = try await location.store.source.put(nil, in: query).getCancelling()
      guard case .integer(let count) = answer.value else { throw CoreError.DataSerialization() }
      return Int(count)
    } catch is CoreError.QueryNotSupported {
      return try await together(lines, location, limit: nil)
    } catch {
      throw ImportFailure(lines, location, replaces: arguments.has(Self.replace))
        .failure(
          error, line: lines.isFinished ? nil : lines.number,
          outcome: Self.outcome(after: lines.count - (error is InputError ? 0 : 1), location))
    }
  }

  /// What became of the entries before the one that stopped a stream, as a clause.
  private static func outcome(after count: Int, _ location: OpenedLocation) -> String {
    guard !location.store.kind.isAtomic, count > 0 else { return "nothing was written" }
    return count == 1
      ? "the entry before it was imported" : "the \(count) entries before it were imported"
  }

  /// Reads all entries and writes them as one change.
  private func together(
    _ lines: EntryLineReader, _ location: OpenedLocation, limit: Int?
  ) async throws -> Int {
    let problem = ImportFailure(lines, location, replaces: arguments.has(Self.replace))
    var changes: [EntryChange] = []
    var numbers: [EntryKey: Int] = [:]
    // All of them first: whether they are too many is known long before each is looked up.
    for (entry, line) in try read(lines, problem, limit: limit) {
      do {
        try lines.checkInterruption()
        if let first = numbers[entry.key] {
          throw Failure.usage(
            "the key \(entry.key.notation(location.store.keyStyle)) is a second time here, after "
              + "line \(first)")
        }
        let current = try await location.store.source.entry(entry.key)
        let replaces = arguments.has(Self.replace)
        if let change = try entry.importChange(over: current, replaces: replaces) {
          changes.append(change)
          numbers[entry.key] = line
        }
      } catch {
        throw problem.failure(error, line: line)
      }
    }
    guard !changes.isEmpty else { return 0 }
    do {
      let query = ChangesQuery(changes)
      _ = try await location.store.source.putAll([], in: query).getCancelling()
    } catch StoreError.conflict(let current) {
      let line = current.flatMap { numbers[$0.key] }
      throw problem.failure(
        StoreError.conflict(current: current), line: line, outcome: location.outcome("written"))
    } catch {
      let refused = await ImportSearch(location, arguments).refused(of: changes)
      throw problem.failure(
        error, line: refused.flatMap { numbers[$0.key] }, outcome: location.outcome("written"))
    }
    return changes.count
  }

  /// Reads all entries, with the numbers of their lines, as far as the journal could keep them.
  private func read(
    _ lines: EntryLineReader, _ problem: ImportFailure, limit: Int?
  ) throws -> [(entry: Entry, line: Int)] {
    var entries: [(Entry, Int)] = []
    var size = 0
    do {
      while let entry = try lines.entries(atMost: 1)?.first {
        guard let value = entry.value else { continue }
        size += 64 + value.storedSize
        if let limit, size > limit {
          throw Failure(
            .store,
            "this is more than the \(limit >> 20) MiB that the journal keeps; nothing was written. "
              + "--no-journal imports without a way back")
        }
        entries.append((entry, lines.number))
      }
    } catch {
      throw problem.failure(error, line: lines.number)
    }
    return entries
  }
}
