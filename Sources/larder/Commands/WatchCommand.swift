import LarderCore
import LarderStores

extension Subcommand {
  static let watch = Subcommand(
    name: "watch", usage: "LOCATION [--prefix P] [--json]",
    summary: "prints a line for each entry that others add, change or remove, or that expires",
    options: [.prefix, .json]
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    return try await WatchCommand(OpenedLocation(arguments), arguments).run(output)
  }
}

/// `larder watch`: says what others change in a store, as they do.
struct WatchCommand {
  private let location: OpenedLocation
  private let prefix: String
  private let isJSON: Bool

  init(_ location: OpenedLocation, _ arguments: Arguments) {
    self.location = location
    prefix = arguments[.prefix] ?? ""
    isJSON = arguments.has(.json)
  }

  /// Runs until the store is gone for good.
  func run(_ output: Output) async throws -> ExitCode {
    let store = location.store
    guard store.capabilities.contains(.changeFeed) else {
      let reason =
        store.hidesValues
        ? "its values are secrets, which are read only when somebody asks"
        : "nobody but this process can change it"
      throw Failure(.refused, "\(store.location) cannot be watched: \(reason)")
    }
    var watcher = StoreWatcher(
      store, prefix: prefix, expires: { [location] in location.timed($0).expires },
      sleep: { try await Task.sleep(for: $0) })
    switch try await watcher.begin() {
    case .entries(let count):
      Output.complain(
        "watching \(count) \(count == 1 ? "entry" : "entries") of \(store.location); Ctrl-C ends")
    case .more(let count):
      Output.complain(
        "\(store.location) has more than \(count) entries: only that something changed will be "
          + "said; --prefix watches fewer")
    }
    if let limitation = watcher.limitation { Output.complain(limitation) }
    while true {
      let isUnnamed = try await watcher.next { difference in
        output.line(isJSON ? Self.json(difference, in: store) : Self.text(difference, in: store))
        output.flush()
      }
      if isUnnamed {
        output.line(isJSON ? #"{"change":"unknown"}"# : "unknown: something changed")
      }
      output.flush()
    }
  }

  // MARK: Lines

  /// The greatest length of a value on a line for people.
  private static let width = 200

  private static func text(_ difference: EntryDifference, in store: Store) -> String {
    let start = "\(difference.change.rawValue) \(difference.key.notation(store.keyStyle)) "
    switch difference.change {
    case .added, .expired: return start + text(difference.value)
    case .changed: return start + text(difference.old) + " → " + text(difference.value)
    case .removed: return start + text(difference.old)
    }
  }

  /// A value on one line, as JSON, in which no control character stays what it is.
  private static func text(_ value: StoredValue?) -> String {
    guard let value else { return "(not shown)" }
    let text = JSONText.encode(value)
    return text.count > width ? text.prefix(width) + "…" : text
  }

  private static func json(_ difference: EntryDifference, in store: Store) -> String {
    var fields = [
      "\"change\":\"\(difference.change.rawValue)\"",
      "\"key\":\(EntryJSON.key(difference.key, store.keyStyle))",
    ]
    if let type = (difference.value ?? difference.old)?.type {
      fields.append("\"type\":\"\(type.rawValue)\"")
    }
    if let value = difference.value { fields.append("\"value\":\(JSONText.encode(value))") }
    if let old = difference.old { fields.append("\"old\":\(JSONText.encode(old))") }
    return "{" + fields.joined(separator: ",") + "}"
  }
}
