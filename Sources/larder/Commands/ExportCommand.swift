import LarderDocuments
import Foundation
import Harmony
import LarderModel
import LarderFormats
import LarderStores

extension Subcommand {
  static let export = Subcommand(
    name: "export", usage: [.location, .optional(.prefix), .optional(.withSecrets)],
    summary: "print entries as JSON Lines"
  ) { arguments, output in
    try arguments.expect(atMost: 1)
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
  private let prefix: String

  init(_ location: OpenedLocation, _ arguments: Arguments) {
    self.location = location
    self.arguments = arguments
    prefix = arguments[.prefix] ?? ""
  }

  func run(_ output: Output) async throws -> ExitCode {
    let task = LongTask("exported", arguments, isPrinting: true)
    defer { task.end() }
    task.endsAtOnce()
    task.expectCount(of: location.store, prefix: prefix)
    do {
      try await streamText(output, task.progress)
    } catch is CoreError.QueryNotSupported {
      // The store has no fast path; nothing has been printed yet.
      return try await streamEntries(output, task.progress)
    }
    return code(task.progress)
  }

  private func code(_ progress: Progress) -> ExitCode {
    progress.count == 0 && !prefix.isEmpty ? .nothing : .done
  }

  /// Prints lines as encoded by the store, without creating entries.
  private func streamText(_ output: Output, _ progress: Progress) async throws {
    let query = EntryTextQuery(
      EntryPageQuery(prefix: prefix, limit: .max), style: location.store.keyStyle, form: .lines)
    try await location.store.forEachText(query) { page in
      for text in page.texts { output.write(lines: text, progress.add) }
    }
  }

  private func streamEntries(_ output: Output, _ progress: Progress) async throws -> ExitCode {
    var omissions = Omissions()
    var losses = NameList()
    var lastKey: EntryKey?
    let query = EntryPageQuery(prefix: prefix, limit: PageLimit.maximum, detail: .values)
    for try await page in EntryPages(of: location.store.source, query, readsAhead: true) {
      for listed in page {
        // Entries are sorted by key.
        let isRepeated = listed.key == lastKey
        lastKey = listed.key
        guard !isRepeated, listed.canBeRecreated else {
          omissions.add(listed, location.store.keyStyle, isRepeated: isRepeated)
          continue
        }
        guard let found = try await whole(listed, &omissions), let value = found.value else {
          continue
        }
        let entry = location.timed(found)
        if let loss = entry.loss {
          losses.add(Messages.unreadable(entry.key.notation(location.store.keyStyle), loss))
        }
        let line = EntryLine(
          key: entry.key, value: value, expires: entry.expiresAt(in: location.store),
          form: entry.form, columns: location.store.valueColumns)
        output.line { line.append(modified: entry.modified, to: &$0) }
        progress.add(1)
      }
      if output.isTerminal { output.flush() }
    }
    output.flush()
    if losses.count > 0 {
      Output.complain(Messages.notRestorable(losses))
    }
    if omissions.count > 0 {
      Output.complain(omissions.sentence(besides: progress.count, of: location.store))
      return .store
    }
    return code(progress)
  }
}

extension ExportCommand {
  /// Returns an entry with its whole value; nil if it was deleted or its value cannot be read.
  private func whole(_ entry: Entry, _ omissions: inout Omissions) async throws -> Entry? {
    if entry.value != nil, entry.isWhole { return entry }
    let style = location.store.keyStyle
    if entry.specialType == "folder" {
      omissions.add(closed: entry, style)
      return nil
    }
    do {
      // The list does not give the reason, and the problem may have been temporary.
      let found = try await location.store.source.get(EntryQuery(entry.key, readsFiles: true))
        .getCancelling()
      if found.value != nil, found.isWhole { return found }
      omissions.add(entry, style, isRepeated: false)
    } catch StoreError.notSupported {
      // Stores list some entries without a value, such as special files.
      omissions.add(entry, style, isRepeated: false)
    } catch {
      switch StoreError(error) {
      case .cancelled: throw error
      case .notFound: break
      case let reason: omissions.add(unreadable: entry, style, reason)
      }
    }
    return nil
  }
}

/// The entries that an export leaves out because an import could not restore them.
private struct Omissions {
  private var withoutValue = NameList()
  private var unreadable = NameList()
  private var unknown = NameList()
  private var invalidNames = NameList()
  private var repeated = NameList()

  /// The number of entries.
  var count: Int {
    withoutValue.count + unreadable.count + unknown.count + invalidNames.count + repeated.count
  }

  mutating func add(_ entry: Entry, _ style: KeyStyle, isRepeated: Bool) {
    let name = entry.key.notation(style)
    if isRepeated {
      repeated.add(name)
    } else if entry.canBeRecreated {
      withoutValue.add(name)
    } else if entry.hasInvalidName {
      invalidNames.add(name)
    } else {
      unknown.add(name)
    }
  }

  mutating func add(closed folder: Entry, _ style: KeyStyle) {
    unreadable.add(Messages.unreadable(folder.key.notation(style), Messages.closedFolder))
  }

  mutating func add(unreadable entry: Entry, _ style: KeyStyle, _ reason: StoreError) {
    unreadable.add(unreadable: entry.key, style, reason)
  }

  func sentence(besides exported: Int, of store: Store) -> String {
    let reasons: [(NameList, OmissionReason)] = [
      (withoutValue, .withoutValue(of: store.kind)), (unreadable, .unreadable),
      (unknown, .unknownType), (invalidNames, .invalidName), (repeated, .repeatedKey),
    ]
    let left = reasons.filter { $0.0.count > 0 }.map(Messages.leftOut)
    return Messages.incompleteExport(exported, leftOut: left)
  }
}
