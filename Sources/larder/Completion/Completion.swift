import LarderFiles
import Foundation
import Harmony
import LarderModel
import LarderStoreBase
import LarderStores
import TerminalUI

/// The possible completions for the word at the cursor.
struct Completion {
  /// A completion.
  struct Offer: Hashable {
    /// The whole word.
    var text: String
    /// A description; empty for none.
    var help = ""
  }

  /// The maximum number of keys or paths to offer.
  private static let limit = 200
  /// The maximum time for reading a store: two seconds, unless the environment sets another.
  private static let patience = Duration.seconds(
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? 2)

  /// The environment variable for the maximum time, in seconds.
  static let variable = "LARDER_COMPLETION_SECONDS"

  private let before: [String]
  private let typed: String
  /// Whether the word starts with a tilde that denotes a home folder.
  private let beginsAtHome: Bool

  /// Creates a completion.
  ///
  /// - Parameters:
  ///   - typed: The typed part of the word.
  ///   - before: The words before it, without the name of the program.
  ///   - beginsAtHome: Whether the word starts with a tilde that the shell expands to a home
  ///     folder.
  init(_ typed: String, after before: [String], beginsAtHome: Bool) {
    self.before = before
    self.typed = typed
    self.beginsAtHome = beginsAtHome
  }

  /// Returns the words that start with the typed part.
  func offers() async -> [Offer] {
    let (command, rest) = Larder.command(in: before).map { ($0.0, $0.rest) } ?? (nil, before)
    let options = command?.allOptions ?? OptionSpec.common + OptionSpec.browser
    let line = Sorted(rest, options)
    if let option = line.awaiting {
      return await offers(option.completion, typed, line)
    }
    if !line.isOver, typed.hasPrefix("-") {
      guard let equals = typed.firstIndex(of: "=") else {
        return matching(options.map { Offer(text: $0.name, help: $0.help) })
      }
      guard let option = options.first(where: { $0.name == typed[..<equals] }) else { return [] }
      let head = typed[...equals]
      let value = String(typed[typed.index(after: equals)...])
      return await offers(option.completion, value, line)
        .map { Offer(text: head + $0.text, help: $0.help) }
    }
    var offers: [Offer] = []
    let kinds = command?.offered(at: line.words.count) ?? [.location]
    if command == nil, line.words.isEmpty {
      offers = matching(Subcommand.all.map { Offer(text: $0.name, help: $0.summary) })
    }
    for kind in kinds { offers += await self.offers(kind, typed, line) }
    return offers
  }

  private func matching(_ offers: [Offer]) -> [Offer] {
    offers.filter { $0.text.utf8.starts(with: typed.utf8) }
  }

  private func offers(_ kind: Offered, _ typed: String, _ line: Sorted) async -> [Offer] {
    switch kind {
    case .nothing: []
    case .choices(let words):
      words.filter { $0.hasPrefix(typed) }.map { Offer(text: $0) }
    case .theme:
      ThemeLoader.usual.available().filter { $0.hasPrefix(typed) }.map { Offer(text: $0) }
    case .command: matching(Subcommand.all.map { Offer(text: $0.name, help: $0.summary) })
    case .path: await paths(typed).map { Offer(text: $0) }
    case .location: await locations(typed)
    case .key, .prefix:
      await Self.soon { await keys(typed, isPrefix: kind == .prefix, of: line) } ?? []
    }
  }

  // MARK: Places

  private func paths(_ typed: String) async -> [String] {
    await PathCompletions.paths(
      beginningWith: typed, limit: Self.limit, environment: ProcessInfo.processInfo.environment)
  }

  private func locations(_ typed: String) async -> [Offer] {
    if let mark = typed.lastIndex(of: "#") {
      let path = String(typed[..<mark])
      let collections = await Self.soon { await Self.collections(of: path) } ?? []
      return collections.map { Offer(text: "\(path)#\($0)") }
        .filter { $0.text.utf8.starts(with: typed.utf8) }
    }
    // A store with several collections requires one to be named.
    if Stores.recognizes(file: HomePath.expanded(typed)) {
      let collections = await Self.soon { await Self.collections(of: typed) } ?? []
      if collections.count > 1 {
        return [Offer(text: typed)] + collections.map { Offer(text: "\(typed)#\($0)") }
      }
    }
    for scheme in ["memory:", "unix:", "redis+unix:"] where typed.hasPrefix(scheme) {
      return await paths(String(typed.dropFirst(scheme.count))).map { Offer(text: scheme + $0) }
    }
    let schemes =
      typed.isEmpty ? [] : StoreKinds.schemes.map { $0 + ":" }.filter { $0.hasPrefix(typed) }
    return await paths(typed).map { Offer(text: $0) } + schemes.map { Offer(text: $0) }
  }

  /// Stores are opened read-only.
  private static let options = OpenOptions(isReadOnly: true)

  /// The options for listing the keys of one collection.
  private static let optionsForKeys: OpenOptions = {
    var one = options
    one.opensOneCollection = true
    return one
  }()

  private static func collections(of path: String) async -> [String] {
    guard let open = try? await Stores.open(path, options: options) else { return [] }
    return open.collections.map(\.name)
  }

  private func keys(_ typed: String, isPrefix: Bool, of line: Sorted) async -> [Offer] {
    guard let location = line.words.first,
      let open = try? await Stores.open(location, options: Self.optionsForKeys),
      let store = try? await open.store(open.location.collection)
    else { return [] }
    let query = EntryPageQuery(prefix: typed, limit: Self.limit, detail: .keys)
    guard let entries = try? await store.source.getAll(query).getCancelling() else { return [] }
    let given = Set(line.words.dropFirst())
    return entries.compactMap { entry in
      if isPrefix {
        return entry.key.text(behind: "").flatMap { isHome($0) ? nil : Offer(text: $0) }
      }
      var text = entry.key.notation(store.keyStyle)
      // fish does not quote a tilde that looks like a home folder.
      if isHome(text) { text = JSONText.quote(text) }
      // A quoted key starts with a quotation mark that may not have been typed.
      guard text.utf8.starts(with: typed.utf8), !given.contains(text) else { return nil }
      return Offer(text: text)
    }
  }

  /// Whether a shell would expand a key to a home folder.
  private func isHome(_ text: String) -> Bool {
    text.hasPrefix("~") && (beginsAtHome || !typed.hasPrefix("~"))
  }

  /// Returns the result of some work; nil if it takes too long for interactive use.
  private static func soon<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    // Opening a large store does not respond to cancellation. It is left behind, as the process
    // ends.
    let (answers, answer) = AsyncStream.makeStream(of: Value?.self)
    let tasks = [
      Task { _ = answer.yield(await work()) },
      Task {
        try? await Task.sleep(for: patience)
        answer.yield(nil)
      },
    ]
    defer { for task in tasks { task.cancel() } }
    for await first in answers { return first }
    return nil
  }
}

/// An incomplete command line, split into options and arguments.
private struct Sorted {
  /// The positional arguments.
  var words: [String] = []
  /// The option that expects the next word as its value.
  var awaiting: OptionSpec?
  /// Whether `--` has ended the options.
  var isOver = false

  init(_ list: [String], _ options: [OptionSpec]) {
    for word in list {
      if awaiting != nil {
        awaiting = nil
      } else if isOver || !word.hasPrefix("-") || word == "-" {
        words.append(word)
      } else if word == "--" {
        isOver = true
      } else if let option = options.first(where: { $0.name == word }), option.value != nil {
        awaiting = option
      }
    }
  }
}
