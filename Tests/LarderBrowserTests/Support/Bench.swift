import Harmony
import LarderModel
import LarderOperations
import LarderBrowser

/// A browser's state over a store of numbered keys, which answers effects when it is told to.
struct Bench {
  static let location = LocationID(0)
  static let reference = StoreReference(location: location, collection: "numbers")
  static let kind = StoreKind(name: "test", recognisedBy: "", collections: "", keys: "")

  var state: BrowserState
  /// The effects of the last action.
  private(set) var effects: [BrowserEffect] = []
  /// The numbers that are keys, in order.
  var numbers: [Int64]

  /// A browser that has opened the store, before any page has arrived.
  init(
    _ numbers: some Sequence<Int64> = 0..<10, isReadOnly: Bool = false,
    capabilities: StoreCapabilities = [.writable, .creates, .ordered], template: StoredValue? = nil,
    optionalFields: [String] = [], computedFields: [String] = [], keysAreNumbers: Bool = false
  ) {
    self.numbers = Array(numbers)
    state = BrowserState(isReadOnly: isReadOnly)
    state.viewport = Viewport(stores: 10, keys: 10, value: 10)
    _ = state.open("numbers.db")
    let store = Store(
      kind: Self.kind, location: StoreLocation(path: "numbers.db", collection: "numbers"),
      capabilities: capabilities, keyStyle: .typed, template: template,
      optionalFields: optionalFields, computedFields: computedFields,
      keyColumns: keysAreNumbers
        ? [TypedKeyColumn(name: "id", type: "INTEGER", form: .integer)] : [],
      source: AnyDataSource(VoidDataSource<Entry>()))
    send(.opened(Self.location, .success(Self.summary("numbers.db"))))
    send(.storeOpened(Self.reference, .success(StoreSummary(store, reference: Self.reference))))
  }

  /// What is known of the location, under the name that it was opened by.
  static func summary(
    _ path: String, _ collection: String? = nil, resolvedPath: String? = "/numbers.db"
  ) -> LocationSummary {
    var location = OpenStore(
      kind: Self.kind, location: StoreLocation(path: path, collection: collection), evidence: "",
      collections: [
        .init(name: "numbers", form: "table", isWritable: true, keys: "id"),
        .init(name: "others", form: "table", isWritable: true, keys: "id"),
      ]
    ) { _ in throw StoreError.cancelled }
    location.resolvedPath = resolvedPath
    return LocationSummary(location)
  }

  /// A browser whose first page, count and value have arrived.
  static func ready(
    _ numbers: some Sequence<Int64> = 0..<10, value: StoredValue = .text("value"),
    isReadOnly: Bool = false, capabilities: StoreCapabilities = [.writable, .creates, .ordered],
    template: StoredValue? = nil, optionalFields: [String] = [], computedFields: [String] = [],
    keysAreNumbers: Bool = false
  ) -> Bench {
    var bench = Bench(
      numbers, isReadOnly: isReadOnly, capabilities: capabilities, template: template,
      optionalFields: optionalFields, computedFields: computedFields,
      keysAreNumbers: keysAreNumbers)
    bench.settle(value: value)
    return bench
  }

  /// A browser that is deleting the marked entries 0 and 1, and the token of that.
  static func deleting() throws -> (Bench, Int) {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.run(.command("mark"))
    bench.run(.command("mark"))
    bench.run(.command("delete"))
    bench.command("yes")
    guard case .deleteMarked(_, _, let token) = bench.effects.first else {
      throw StoreError.failed("nothing is deleted: \(bench.effects)")
    }
    return (bench, token)
  }

  mutating func send(_ action: BrowserAction) {
    effects = state.update(action)
  }

  mutating func command(_ id: String, _ argument: String = "") {
    send(.command(id, argument: argument))
  }

  mutating func type(_ text: String) {
    for character in text { send(.edit(.insert(String(character)))) }
  }

  /// The pages that the last action asked for.
  var pages: [EntryPageQuery] {
    effects.compactMap { if case .loadPage(_, let query, _) = $0 { query } else { nil } }
  }

  /// The keys that the last action reads, and through what.
  var reads: [EntryKey] {
    effects.compactMap { if case .readEntry(_, let key, _, _) = $0 { key } else { nil } }
  }

  /// The numbers that are in the window.
  var rows: [Int64] {
    state.keys?.window.entries.compactMap {
      if case .integer(let number) = $0.key { number } else { nil }
    } ?? []
  }

  var selected: EntryKey? { state.keys?.selected?.key }

  /// Sends an action and answers all that it leads to, as a store that is never slow.
  mutating func run(_ action: BrowserAction, value: StoredValue = .text("value")) {
    send(action)
    settle(value: value)
  }

  /// Answers the effects of the last action, and those of the answers.
  mutating func settle(value: StoredValue = .text("value")) {
    var waiting = effects
    while !waiting.isEmpty {
      let effect = waiting.removeFirst()
      guard let reply = reply(to: effect, value: value) else { continue }
      waiting += state.update(reply)
    }
    effects = []
  }

  private func reply(to effect: BrowserEffect, value: StoredValue) -> BrowserAction? {
    switch effect {
    case .loadPage(_, let query, let token): .pageArrived(page(query, token: token))
    case .readEntry(_, let key, let token, _), .refreshCached(_, let key, let token):
      .entryRead(token: token, .success(Entry(key: key, value: value)))
    case .readMarked(_, let keys, let token):
      .markedRead(token: token, .success(Self.deletions(keys, of: value)))
    case .checkKey(_, let key, let token): .keyChecked(token: token, entry(key))
    case .count(_, _, let token): .counted(token: token, count: numbers.count, isExact: true)
    default: nil
    }
  }

  private func entry(_ key: EntryKey) -> Result<Entry, StoreError> {
    guard case .integer(let number) = key, numbers.contains(number) else {
      return .failure(.notFound("no such entry"))
    }
    return .success(Entry(key: key))
  }

  /// The deletions of entries that all have one value.
  static func deletions(
    _ keys: [EntryKey], of value: StoredValue = .text("value")
  ) -> [EntryChange] {
    keys.map { EntryChange($0, value: nil, expecting: Fingerprint(of: value)) }
  }

  /// The failure of a deletion that deleted nothing.
  static func failure(_ reason: StoreError) -> OperationFailure {
    OperationFailure(reason, outcome: Deletion.nothing)
  }

  /// The page that the store has for a query; filters look for digits.
  func page(_ query: EntryPageQuery, token: Int) -> PageReply {
    var after: Int64?
    if case .integer(let number) = query.after { after = number }
    let ordered = query.direction == .forward ? numbers : numbers.reversed()
    let rest = ordered.filter { number in
      after.map { query.direction == .forward ? number > $0 : number < $0 } ?? true
    }
    let matching = rest.filter { number in
      guard case .text(let text) = query.filter?.terms.first?.pattern else { return true }
      return String(number).contains(text)
    }
    let page = matching.prefix(query.limit)
    return PageReply(
      token: token, entries: page.map { Entry(key: .integer($0)) }, examined: rest.count,
      position: page.last.map { .integer($0) }, isEnd: page.count < query.limit, isLast: true)
  }

  /// The token of the page that is being read.
  var pageToken: Int { state.keys?.load?.token ?? -1 }
}
