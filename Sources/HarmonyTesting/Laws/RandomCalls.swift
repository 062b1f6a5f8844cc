import Harmony

/// Random calls to a source and to a dictionary, whose results must agree.
struct RandomCalls<T: Sendable & Equatable> {
  private enum Entry {
    case value(T)
    case list([T])
  }

  private let fixture: DataSourceFixture<T>
  private let seed: UInt64
  private var random: SeededGenerator

  init(fixture: DataSourceFixture<T>, seed: UInt64) {
    self.fixture = fixture
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  /// Makes the calls, and returns the first difference of each sequence.
  func violations(sequences: Int, length: Int) async throws -> [String] {
    var copy = self
    var violations: [String] = []
    for sequence in 0..<sequences {
      if let difference = try await copy.difference(length: length) {
        violations.append(
          "\(fixture.name): seed \(seed), sequence \(sequence): \(difference)")
      }
    }
    return violations
  }

  private mutating func difference(length: Int) async throws -> String? {
    let source = try fixture.make()
    var model: [String: Entry] = [:]
    var calls: [String] = []
    for _ in 0..<length {
      let before = model
      let (call, outcome, expected) = await step(source, &model)
      calls.append(call)
      if fixture.mayFail, outcome == "\(CoreError.Failed.self)" {
        model = before
        continue
      }
      if outcome != expected {
        return "\(calls.suffix(8).joined(separator: "; ")): \(outcome) instead of \(expected)"
      }
    }
    return nil
  }

  /// Makes one call, and returns its description, result and expected result.
  private mutating func step(
    _ source: AnyDataSource<T>, _ model: inout [String: Entry]
  ) async -> (String, String, String) {
    let key = randomKey()
    let keys = (0..<Int.random(in: 0...3, using: &random)).map { _ in randomKey() }
    let value = randomValue()
    let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in randomValue() }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1:
      let outcome = await Outcome(source.get(key))
      return ("get \(key)", "\(outcome)", "\(self.value(of: key, in: model))")
    case 2:
      let outcome = await Outcome(source.getAll(IdsQuery(keys)))
      return ("getAll \(keys)", "\(outcome)", "\(self.values(of: keys, in: model))")
    case 3 where fixture.storesLists:
      let outcome = await Outcome(source.getAll(key))
      return ("getAll \(key)", "\(outcome)", "\(list(of: key, in: model))")
    case 4 where fixture.isOrdered:
      let outcome = await Outcome(source.getAll(AllObjectsQuery()))
      return ("getAll everything", "\(outcome)", "\(Outcome.value(all(in: model)))")
    case 5 where fixture.storesLists:
      model[key] = .list(values)
      let outcome = await Outcome(source.putAll(values, forId: key))
      return ("putAll \(values) \(key)", "\(outcome)", "\(Outcome.value(values))")
    case 6:
      let many = keys.map { _ in randomValue() }
      for (key, value) in zip(keys, many) { model[key] = .value(value) }
      let outcome = await Outcome(source.putAll(many, in: IdsQuery(keys)))
      return ("putAll \(many) \(keys)", "\(outcome)", "\(Outcome.value(many))")
    case 7:
      model[key] = nil
      return ("delete \(key)", "\(await Outcome(source.delete(key)))", "\(Outcome.done)")
    case 8:
      for key in keys { model[key] = nil }
      let outcome = await Outcome(source.delete(IdsQuery(keys)))
      return ("delete \(keys)", "\(outcome)", "\(Outcome.done)")
    case 9 where fixture.listsKeys && Bool.random(using: &random):
      return await selection(source, &model)
    case 9 where Int.random(in: 0..<4, using: &random) == 0:
      model = [:]
      let outcome = await Outcome(source.delete(AllObjectsQuery()))
      return ("delete everything", "\(outcome)", "\(Outcome.done)")
    default:
      model[key] = .value(value)
      let outcome = await Outcome(source.put(value, forId: key))
      return ("put \(value) \(key)", "\(outcome)", "\(Outcome.value(value))")
    }
  }

  /// Makes one call for a selection of keys.
  private mutating func selection(
    _ source: AnyDataSource<T>, _ model: inout [String: Entry]
  ) async -> (String, String, String) {
    let limit = Int.random(in: 0..<4, using: &random)
    let query: any KeySelectionQuery =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: KeyPrefixQuery(String(randomKey().prefix(1)))
      case 1: KeyRangeQuery(from: randomKey(), upTo: randomKey())
      default:
        KeyPageQuery(after: randomKey(), limit: limit, isDescending: Bool.random(using: &random))
      }
    // The keys are ASCII, for which all orders agree.
    let keys = query.selection.keys(of: model.keys.sorted())
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      for key in keys { model[key] = nil }
      return ("delete \(query)", "\(await Outcome(source.delete(query)))", "\(Outcome.done)")
    case 1:
      let outcome = await Outcome(source.countKeys(query))
      return ("count \(query)", "\(outcome)", "\(Outcome.value(keys.count))")
    case 2 where fixture.isOrdered:
      let part = model.filter { keys.contains($0.key) }
      let values = all(in: part)
      let isReversed = query.selection.isDescending
      guard !isReversed else { fallthrough }
      let outcome = await Outcome(source.getAll(query))
      return ("getAll \(query)", "\(outcome)", "\(Outcome.value(values))")
    default:
      let outcome = await Outcome(source.getKeys(query))
      return ("keys of \(query)", "\(outcome)", "\(Outcome.value(keys))")
    }
  }

  private mutating func randomKey() -> String {
    // Excludes c, because `swift test -c release` sets it as a key of the argument defaults.
    ["a", "b", "k", "a.b", "d,e"].randomElement(using: &random) ?? "a"
  }

  private mutating func randomValue() -> T {
    fixture.samples[Int.random(in: fixture.samples.indices, using: &random)]
  }

  private func value(of key: String, in model: [String: Entry]) -> Outcome<T> {
    guard case .value(let value) = model[key] else { return .notFound }
    return .value(value)
  }

  private func list(of key: String, in model: [String: Entry]) -> Outcome<[T]> {
    guard case .list(let values) = model[key] else { return .notFound }
    return .value(values)
  }

  private func values(of keys: [String], in model: [String: Entry]) -> Outcome<[T]> {
    var values: [T] = []
    for key in keys {
      guard case .value(let value) = model[key] else { return .notFound }
      values.append(value)
    }
    return .value(values)
  }

  private func all(in model: [String: Entry]) -> [T] {
    model.sorted { $0.key < $1.key }.flatMap { _, entry in
      switch entry {
      case .value(let value): [value]
      case .list(let values): values
      }
    }
  }
}
