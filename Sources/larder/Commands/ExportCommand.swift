import Foundation
import Harmony
import LarderCore
import LarderStores

extension Subcommand {
  static let export = Subcommand(
    name: "export", usage: [.location, .optional(.prefix)],
    summary: "prints entries as JSON Lines, from which import makes the same again"
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
    var losses = NameList()
    var lastKey: EntryKey?
    var limit = PageLimit()
    var query = EntryPageQuery(prefix: prefix, limit: limit.count, detail: .values)
    let source = location.store.source
    while true {
      let page = try await source.getAll(query).getCancelling()
      var size = 0
      for listed in page {
        // Entries come in the order of their keys.
        let isRepeated = listed.key == lastKey
        lastKey = listed.key
        guard !isRepeated, listed.canBeMadeAgain else {
          omissions.add(listed, location.store.keyStyle, isRepeated: isRepeated)
          continue
        }
        guard let found = try await whole(listed, &omissions), let value = found.value else {
          continue
        }
        size += value.storedSize
        let entry = location.timed(found)
        if let loss = entry.loss {
          losses.add("\(entry.key.notation(location.store.keyStyle)) (\(loss))")
        }
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
    if losses.count > 0 {
      Output.complain(
        "of \(losses.count == 1 ? "an entry that was exported" : "\(losses.count) entries") "
          + "import will not make again all that \(losses.count == 1 ? "it is" : "they are"): "
          + "\(losses)")
    }
    if omissions.count > 0 {
      Output.complain(omissions.sentence(besides: progress.count, of: location.store))
      return .store
    }
    return progress.count == 0 && !prefix.isEmpty ? .nothing : .done
  }
}

extension ExportCommand {
  /// An entry with its whole value; nil where it is gone, or has none that can be read.
  private func whole(_ entry: Entry, _ omissions: inout Omissions) async throws -> Entry? {
    if entry.value != nil, entry.isWhole { return entry }
    let style = location.store.keyStyle
    if entry.specialType == "folder" {
      omissions.add(closed: entry, style)
      return nil
    }
    do {
      // The list does not say why, and it may have been a matter of moments.
      let found = try await location.store.source.get(EntryQuery(entry.key)).getCancelling()
      if found.value != nil, found.isWhole { return found }
      omissions.add(entry, style, isRepeated: false)
    } catch StoreError.notSupported {
      // What a store lists without a value, such as a special file, is no data of its own.
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

/// What an export cannot contain, as import could not make it again.
private struct Omissions {
  private var withoutValue = NameList()
  private var unreadable = NameList()
  private var unknown = NameList()
  private var repeated = NameList()

  /// How many entries.
  var count: Int { withoutValue.count + unreadable.count + unknown.count + repeated.count }

  mutating func add(_ entry: Entry, _ style: KeyStyle, isRepeated: Bool) {
    let name = entry.key.notation(style)
    if isRepeated {
      repeated.add(name)
    } else if entry.canBeMadeAgain {
      withoutValue.add(name)
    } else {
      unknown.add(name)
    }
  }

  mutating func add(closed folder: Entry, _ style: KeyStyle) {
    unreadable.add("\(folder.key.notation(style)) (a folder that permissions keep larder from)")
  }

  mutating func add(unreadable entry: Entry, _ style: KeyStyle, _ reason: StoreError) {
    unreadable.add(unreadable: entry.key, style, reason)
  }

  func sentence(besides exported: Int, of store: Store) -> String {
    let kinds = store.kind.withoutValue.map { ", being \($0)" } ?? ""
    let reasons = [
      (withoutValue, "\(withoutValue.count == 1 ? "has" : "have") no value\(kinds)"),
      (unreadable, "cannot be read"),
      (
        unknown, "\(unknown.count == 1 ? "is of a type" : "are of types") that nothing new can have"
      ),
      (
        repeated,
        "\(repeated.count == 1 ? "has" : "have") the key of an entry before, with which "
          + "import could not tell them apart"
      ),
    ]
    let left = reasons.filter { $0.0.count > 0 }.map {
      "\($0.0.count) left out, which \($0.1): \($0.0)"
    }
    return "the export is not whole: \(exported) \(exported == 1 ? "entry was" : "entries were") "
      + "exported, and " + left.joined(separator: "; ")
  }
}
