import Foundation
import Harmony
import LarderCore
import LarderStores

extension Subcommand {
  static let `import` = Subcommand(
    name: "import", usage: "LOCATION [FILE] [--replace]",
    summary: "writes the entries of JSON Lines, from standard input without FILE",
    options: [ImportCommand.replace]
  ) { arguments, output in
    try arguments.expect(atMost: 2)
    return try await ImportCommand(arguments).run()
  }
}

/// `larder import`: all entries or none, where the store has transactions or the journal keeps them.
struct ImportCommand {
  static let replace = OptionSpec(
    name: "--replace", value: nil, help: "replace entries that exist with another value")
  /// How many entries are read before they are written.
  private static let portion = 256

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try arguments.location()
  }

  func run() async throws -> ExitCode {
    // A file that is not there is said before the store is touched.
    let lines = try EntryLineReader(path: arguments.words.dropFirst().first)
    let location = try await OpenedLocation(arguments)
    guard location.store.capabilities.contains(.writable) else {
      throw StoreError.readOnly(
        "\(location.store.location) is read-only"
          + (location.store.readOnlyReason.map { ": \($0)" } ?? ""))
    }
    do {
      let written =
        location.store.capabilities.contains(.undo)
        ? try await together(lines, location, limit: arguments.journal?.limit)
        : try await stream(lines, location)
      let same = lines.count - written
      let others = same == 0 ? "" : "; \(same) were there already"
      Output.complain(
        "imported \(written) \(written == 1 ? "entry" : "entries") into "
          + "\(location.store.location)\(others)")
      return .done
    } catch StoreError.conflict(let current) {
      let key = current?.key.notation(location.store.keyStyle) ?? "an entry"
      throw Failure(
        .conflict,
        arguments.has(Self.replace)
          ? "\(key) was changed meanwhile; \(location.outcome("written"))"
          : "\(key) exists with another value; \(location.outcome("written")). --replace replaces it"
      )
    }
  }

  /// Writes entries as they come, in one transaction.
  private func stream(_ lines: EntryLineReader, _ location: OpenedLocation) async throws -> Int {
    let query = ImportQuery(replaces: arguments.has(Self.replace)) {
      try lines.entries(atMost: Self.portion)
    }
    do {
      let answer = try await location.store.source.put(nil, in: query).getCancelling()
      guard case .integer(let count) = answer.value else { throw CoreError.DataSerialization() }
      return Int(count)
    } catch is CoreError.QueryNotSupported {
      return try await together(lines, location, limit: nil)
    }
  }

  /// Reads all entries and writes them as one change.
  private func together(
    _ lines: EntryLineReader, _ location: OpenedLocation, limit: Int?
  ) async throws -> Int {
    var changes: [EntryKey: EntryChange] = [:]
    var order: [EntryKey] = []
    var size = 0
    while let entries = try lines.entries(atMost: Self.portion) {
      for entry in entries {
        guard let value = entry.value else { continue }
        size += 64 + value.storedSize
        if let limit, size > limit {
          throw Failure(
            .store,
            "this is more than the \(limit >> 20) MiB that the journal keeps; nothing was written. "
              + "--no-journal imports without a way back")
        }
        guard changes[entry.key] == nil else {
          throw Failure.usage(
            "line \(lines.number) has the key "
              + "\(entry.key.notation(location.store.keyStyle)) a second time; nothing was written")
        }
        let current = try await location.store.source.entry(entry.key)
        if let change = try entry.importChange(
          over: current, replaces: arguments.has(Self.replace))
        {
          changes[entry.key] = change
          order.append(entry.key)
        }
      }
    }
    guard !order.isEmpty else { return 0 }
    let query = ChangesQuery(order.compactMap { changes[$0] })
    _ = try await location.store.source.putAll([], in: query).getCancelling()
    return order.count
  }
}
