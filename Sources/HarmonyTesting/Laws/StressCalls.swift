import Harmony

extension DataSourceLaws {
  /// Checks concurrent calls of several tasks to one source.
  ///
  /// Each task has its own keys, which must always have the values it wrote last. All tasks also
  /// write a few shared keys, which must have a value that one of them wrote. Run this under the
  /// thread sanitizer too.
  ///
  /// - Parameters:
  ///   - fixture: The source.
  ///   - seed: The seed of the random calls, which reports include so that the calls can be
  ///     repeated.
  ///   - tasks: The number of tasks.
  ///   - operations: The total number of calls.
  /// - Returns: A sentence for the first violation of each task; empty if the source obeys all
  ///   laws. Numbers of tasks or calls that would check nothing are reported too.
  public static func stress<T>(
    _ fixture: DataSourceFixture<T>, seed: UInt64 = .random(in: 0..<1_000_000), tasks: Int = 8,
    operations: Int = 100_000
  ) async -> [String] {
    let flaws = fixture.flaws([
      (tasks < 1, "at least one task has to call"),
      (operations < 1, "at least one call has to be made"),
    ])
    guard flaws.isEmpty else { return flaws }
    let source: AnyDataSource<T>
    do {
      source = try fixture.make()
    } catch {
      return ["\(fixture.name): the source cannot be made: \(error)"]
    }
    return await withTaskGroup(of: String?.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var calls = StressCalls(fixture, source, task: task, seed: seed &+ UInt64(task))
          let share = operations / tasks + (task < operations % tasks ? 1 : 0)
          for call in 0..<share {
            guard let violation = await calls.step() else { continue }
            return "\(fixture.name): seed \(seed), task \(task), call \(call): \(violation)"
          }
          return await calls.finish().map { "\(fixture.name): seed \(seed), task \(task): \($0)" }
        }
      }
      return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
    }
  }
}

/// The calls of one task.
private struct StressCalls<T: Sendable & Equatable> {
  private let samples: [T]
  private let listsKeys: Bool
  private let source: AnyDataSource<T>
  private let prefix: String
  private var random: SeededGenerator
  private var model: [String: T] = [:]

  init(_ fixture: DataSourceFixture<T>, _ source: AnyDataSource<T>, task: Int, seed: UInt64) {
    samples = fixture.samples
    listsKeys = fixture.listsKeys
    self.source = source
    prefix = "task\(task)."
    random = SeededGenerator(seed: seed)
  }

  /// Makes one call and returns the violation, if any.
  mutating func step() async -> String? {
    let key = prefix + String(Int.random(in: 0..<8, using: &random))
    let value = samples[Int.random(in: samples.indices, using: &random)]
    switch Int.random(in: 0..<64, using: &random) {
    case 0..<24:
      return difference("get \(key)", await Outcome(source.get(key)), expected(key))
    case 24..<44:
      model[key] = value
      return difference("put \(key)", await Outcome(source.put(value, forId: key)), .value(value))
    case 44..<50:
      model[key] = nil
      return difference("delete \(key)", await Outcome(source.delete(key)), .done)
    case 50..<54:
      let keys = [key, prefix + "many"]
      for key in keys { model[key] = value }
      return difference(
        "putAll \(keys)", await Outcome(source.putAll([value, value], in: IdsQuery(keys))),
        .value([value, value]))
    case 54..<57:
      let keys = model.keys.sorted()
      return difference(
        "getAll \(keys)", await Outcome(source.getAll(IdsQuery(keys))),
        .value(keys.compactMap { model[$0] }))
    case 57..<60:
      return await shared(value)
    case 60..<62 where listsKeys:
      return difference(
        "keys of \(prefix)", await Outcome(source.getKeys(KeyPrefixQuery(prefix))),
        .value(model.keys.sorted()))
    case 62 where listsKeys:
      model = [:]
      return difference(
        "delete \(prefix)", await Outcome(source.delete(KeyPrefixQuery(prefix))), .done)
    default:
      let outcome = await Outcome(source.getAll(AllObjectsQuery()).map { $0.count >= 0 })
      return difference("everything", outcome, .value(true))
    }
  }

  /// Checks the task's keys at the end and returns the violation, if any.
  func finish() async -> String? {
    for key in model.keys.sorted() {
      let outcome = await Outcome(source.get(key))
      if let violation = difference("at the end, \(key)", outcome, expected(key)) {
        return violation
      }
    }
    return nil
  }

  /// Makes one call for a key that all tasks write.
  private mutating func shared(_ value: T) async -> String? {
    let key = "shared\(Int.random(in: 0..<2, using: &random))"
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return difference("delete \(key)", await Outcome(source.delete(key)), .done)
    case 1:
      return difference("put \(key)", await Outcome(source.put(value, forId: key)), .value(value))
    default:
      let outcome = await Outcome(source.get(key))
      if case .value(let value) = outcome, samples.contains(value) { return nil }
      return difference("get \(key)", outcome, .notFound)
    }
  }

  private func expected(_ key: String) -> Outcome<T> {
    model[key].map { .value($0) } ?? .notFound
  }

  private func difference<Value>(
    _ call: String, _ outcome: Outcome<Value>, _ expected: Outcome<Value>
  ) -> String? {
    outcome == expected ? nil : "\(call): \(outcome) instead of \(expected)"
  }
}
