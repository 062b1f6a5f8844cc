import Harmony
import LarderModel
import LarderOperations
@testable import LarderBrowser

/// The state of a browser over a store of numbered keys, which replies to effects on request.
struct Bench {
  static let location = LocationID(0)
  static let reference = StoreReference(location: location, collection: "numbers")
  static let kind = StoreKind(name: "test", recognizedBy: "", collections: "", keys: "")

  var state: BrowserState
  /// The effects of the last action.
  private(set) var effects: Effects = []
  /// All effects that the state has returned, in order.
  private var log: Effects = []
  /// The keys of the store, in order.
  var numbers: [Int64]

  /// Creates a browser that has opened the store, before any page has arrived.
  init(
    _ numbers: some Sequence<Int64> = 0..<10, isReadOnly: Bool = false,
    capabilities: StoreCapabilities = [.writable, .creates, .ordered], template: StoredValue? = nil,
    newColumns: [NewColumn] = [], computedFields: [String] = [], keysAreNumbers: Bool = false
  ) {
    self.numbers = Array(numbers)
    state = BrowserState(settings: .readOnly(isReadOnly))
    state.viewport = Viewport(stores: 10, keys: 10, value: 10)
    _ = state.open("numbers.db")
    let store = Store(
      kind: Self.kind, location: StoreLocation(path: "numbers.db", collection: "numbers"),
      capabilities: capabilities, keyStyle: .typed, template: template,
      newColumns: newColumns, computedFields: computedFields,
      keyColumns: keysAreNumbers
        ? [TypedKeyColumn(name: "id", type: "INTEGER", form: .integer)] : [],
      source: AnyDataSource(VoidDataSource<Entry>()))
    answer(
      OpenLocation(id: Self.location, text: "numbers.db"), .success(Self.summary("numbers.db")))
    answer(
      OpenCollection(store: Self.reference),
      .success(StoreSummary(store, reference: Self.reference)))
  }

  /// Returns the summary of the location, opened under a given path.
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

  /// Returns a browser whose first page, count and value have arrived.
  static func ready(
    _ numbers: some Sequence<Int64> = 0..<10, value: StoredValue = .text("value"),
    isReadOnly: Bool = false, capabilities: StoreCapabilities = [.writable, .creates, .ordered],
    template: StoredValue? = nil, newColumns: [NewColumn] = [], computedFields: [String] = [],
    keysAreNumbers: Bool = false
  ) -> Bench {
    var bench = Bench(
      numbers, isReadOnly: isReadOnly, capabilities: capabilities, template: template,
      newColumns: newColumns, computedFields: computedFields,
      keysAreNumbers: keysAreNumbers)
    bench.settle(value: value)
    return bench
  }

  /// Returns a browser that is deleting the marked entries 0 and 1, and the effect that deletes
  /// them.
  static func deleting() throws -> (Bench, DeleteMarked) {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.run(.command("mark"))
    bench.run(.command("mark"))
    bench.run(.command("delete"))
    bench.command("yes")
    return (bench, try bench.first(DeleteMarked.self))
  }

  // MARK: Acting

  mutating func send(_ action: BrowserAction) {
    // The counts in the list of stores are of interest to few tests.
    effects = state.update(action).filter { !($0 is CountCollections) }
    log += effects
  }

  mutating func command(_ id: String, _ argument: String = "") {
    send(.command(id, argument: argument))
  }

  mutating func type(_ text: String) {
    for character in text { send(.edit(.insert(String(character)))) }
  }

  /// Replies to an effect, which may be outdated.
  mutating func answer<Effect: BrowserEffect>(_ effect: Effect, _ reply: Effect.Reply) {
    send(.reply(EffectReply(reply, to: effect)))
  }

  /// Replies to the latest effect of a type.
  mutating func answer<Effect: BrowserEffect>(
    _ type: Effect.Type, _ reply: Effect.Reply
  ) throws {
    answer(try latest(type), reply)
  }

  // MARK: Effects

  /// Returns the last effect of a type among those of the last action.
  func effect<Effect: BrowserEffect>(_ type: Effect.Type) throws -> Effect {
    try found(effects.last { $0 is Effect })
  }

  /// Returns the first effect of the last action, which must be of a type.
  func first<Effect: BrowserEffect>(_ type: Effect.Type) throws -> Effect {
    try found(effects.first)
  }

  /// Returns the last effect of the last action, which must be of a type.
  func last<Effect: BrowserEffect>(_ type: Effect.Type) throws -> Effect {
    try found(effects.last)
  }

  /// Returns the only effect of the last action, which must be of a type.
  func only<Effect: BrowserEffect>(_ type: Effect.Type) throws -> Effect {
    try found(effects.count == 1 ? effects.first : nil)
  }

  /// Returns the latest effect of a type, from any action.
  func latest<Effect: BrowserEffect>(_ type: Effect.Type) throws -> Effect {
    try found(log.last { $0 is Effect })
  }

  private func found<Effect: BrowserEffect>(_ effect: (any BrowserEffect)?) throws -> Effect {
    guard let effect = effect as? Effect else {
      throw StoreError.failed("there is no such \(Effect.self); the last action had \(effects)")
    }
    return effect
  }

  /// Whether the last action had effects of a type.
  func has<Effect: BrowserEffect>(_ type: Effect.Type) -> Bool {
    effects.contains { $0 is Effect }
  }

  /// Whether the last action cancelled the effect of a slot.
  func ends(_ slot: EffectSlot) -> Bool {
    effects.contains { Self.ends(slot, $0) }
  }

  /// Whether the last action cancelled the effect of a slot and did nothing else.
  func onlyEnds(_ slot: EffectSlot) -> Bool {
    // Cancelling all reads of the tab cancels this effect too.
    effects.count == 1 && ends(slot) && !effects.contains { Self.ends(Self.otherSlot, $0) }
  }

  private static let otherSlot = EffectSlot("other", isOfTab: true)

  private static func ends(_ slot: EffectSlot?, _ effect: any BrowserEffect) -> Bool {
    guard let slot, let cancel = effect as? Cancel else { return false }
    return cancel.ends(slot)
  }

  /// The order to the terminal, if it is the only effect of the last action.
  var terminalOrder: TerminalOrder? { effects.count == 1 ? effects.first as? TerminalOrder : nil }

  /// The pages that the last action requested.
  var pages: [EntryPageQuery] { effects.compactMap { ($0 as? LoadPage)?.query } }

  /// The keys that the last action reads.
  var reads: [EntryKey] { effects.compactMap { ($0 as? ReadEntry)?.key } }

  // MARK: State

  /// The keys in the window.
  var rows: [Int64] {
    state.keys?.window.entries.compactMap {
      if case .integer(let number) = $0.key { number } else { nil }
    } ?? []
  }

  var selected: EntryKey? { state.keys?.selected?.key }

  // MARK: Replying to all effects

  /// Sends an action and replies to all resulting effects, like a store that is never slow.
  mutating func run(_ action: BrowserAction, value: StoredValue = .text("value")) {
    send(action)
    settle(value: value)
  }

  /// Replies to an effect and to all resulting effects.
  mutating func run<Effect: BrowserEffect>(
    _ effect: Effect, _ reply: Effect.Reply, value: StoredValue = .text("value")
  ) {
    answer(effect, reply)
    settle(value: value)
  }

  /// Replies to the effects of the last action and to all effects that follow.
  mutating func settle(value: StoredValue = .text("value")) {
    var waiting = effects
    while !waiting.isEmpty {
      let effect = waiting.removeFirst()
      guard let reply = reply(to: effect, value: value) else { continue }
      let next = state.update(.reply(reply))
      waiting += next
      log += next
    }
    effects = []
  }

  private func reply(to effect: any BrowserEffect, value: StoredValue) -> EffectReply? {
    switch effect {
    case let load as LoadPage: EffectReply(.entries(page(load.query)), to: load)
    case let read as ReadEntry:
      EffectReply(.success(Entry(key: read.key, value: value)), to: read)
    case let refresh as RefreshCached:
      EffectReply(.success(Entry(key: refresh.key, value: value)), to: refresh)
    case let read as ReadMarks:
      EffectReply(.success(Self.deletions(read.keys, of: value)), to: read)
    case let read as ReadMarkedToDelete:
      EffectReply(.success(Self.deletions(read.keys, of: value)), to: read)
    case let check as CheckKey: EffectReply(entry(check.key), to: check)
    case let count as CountEntries: EffectReply(.exactly(numbers.count), to: count)
    default: nil
    }
  }

  private func entry(_ key: EntryKey) -> Result<Entry, StoreError> {
    guard case .integer(let number) = key, numbers.contains(number) else {
      return .failure(.notFound("no such entry"))
    }
    return .success(Entry(key: key))
  }

  /// Returns deletions of entries that all have the same value.
  static func deletions(
    _ keys: [EntryKey], of value: StoredValue = .text("value")
  ) -> EntriesToDelete {
    EntriesToDelete(
      changes: keys.map { EntryChange($0, value: nil, expecting: Fingerprint(of: value)) })
  }

  /// Returns the failure of a deletion that deleted nothing.
  static func failure(_ reason: StoreError) -> OperationFailure {
    OperationFailure(reason, outcome: Deletion.nothing)
  }

  /// Returns the page of the store for a query; filters match digits.
  func page(_ query: EntryPageQuery) -> PageReply {
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
      entries: page.map { Entry(key: .integer($0)) }, examined: rest.count,
      position: page.last.map { .integer($0) }, isEnd: page.count < query.limit, isLast: true)
  }
}

extension BrowserSettings {
  /// Returns settings for a browser that is read-only or not.
  static func readOnly(_ isReadOnly: Bool) -> BrowserSettings {
    var settings = BrowserSettings()
    settings.isReadOnly = isReadOnly
    return settings
  }
}
