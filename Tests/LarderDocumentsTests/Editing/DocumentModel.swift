import TestSamples
import LarderModel
import LarderDocuments
import Testing

/// A tree of values that applies document changes in the simplest possible way.
struct DocumentModel {
  var root: StoredValue

  /// The paths of all values except the root, outer ones first.
  var paths: [[DocumentStep]] { Self.paths(of: root, under: []) }

  static func paths(of value: StoredValue, under path: [DocumentStep]) -> [[DocumentStep]] {
    steps(of: value).flatMap { step, inner in
      [path + [step]] + paths(of: inner, under: path + [step])
    }
  }

  static func steps(of value: StoredValue) -> [(DocumentStep, StoredValue)] {
    switch value {
    case .array(let values): return values.enumerated().map { (.index($0.offset), $0.element) }
    case .dictionary(let fields):
      var seen: [DocumentStep: Int] = [:]
      return fields.map { field in
        let repetition = seen[.name(field.name), default: 0]
        seen[.name(field.name)] = repetition + 1
        return (.name(field.name, repetition: repetition), field.value)
      }
    default: return []
    }
  }

  func value(at path: [DocumentStep]) -> StoredValue? {
    var value = root
    for step in path {
      guard let inner = Self.steps(of: value).first(where: { $0.0 == step }) else { return nil }
      value = inner.1
    }
    return value
  }

  /// Checks that a document and a model of it have the same values after random changes, and that
  /// each changed document can be read and written again.
  static func compareRandomChanges<Changed: Document>(
    to original: Changed, except isLeftOut: (DocumentChange) -> Bool = { _ in false },
    value: (inout SampleGenerator, [DocumentStep]) -> StoredValue?,
    comparing compared: (StoredValue) -> StoredValue
  ) throws {
    var random = SampleGenerator()
    for _ in 0..<60 {
      var document = original
      var model = DocumentModel(root: try #require(try document.value(at: [])))
      for _ in 0..<6 {
        var changes: [DocumentChange] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          guard let change = model.change(&random, value: value), !isLeftOut(change) else {
            continue
          }
          changes.append(change)
          try model.apply(change)
        }
        let bytes: [UInt8]
        do { bytes = try document.applying(changes) } catch {
          // Fixed types refuse some numbers; the document is unchanged then.
          model.root = try #require(try document.value(at: []))
          continue
        }
        document = try Changed(parsing: bytes)
        #expect(document.readOnlyReason == nil)
        let read = try #require(try document.value(at: []))
        #expect(
          compared(read) == compared(model.root), "seed \(random.seed), \(changes)")
        model.root = read
      }
    }
  }

  mutating func apply(_ change: DocumentChange) throws {
    switch change {
    case .set(let path, let value): root = try Self.edit(root, path[...]) { _ in value }
    case .remove(let path): root = try Self.edit(root, path[...]) { _ in nil }
    case .rename(let path, let name):
      guard let last = path.last else { return }
      root = try Self.edit(root, path.dropLast()) { value in
        guard case .dictionary(var fields) = value else { return value }
        let position = Self.steps(of: .dictionary(fields)).firstIndex { $0.0 == last }
        try fields[#require(position)].name = name
        return .dictionary(fields)
      }
    }
  }

  private static func edit(
    _ value: StoredValue, _ path: ArraySlice<DocumentStep>,
    _ body: (StoredValue?) throws -> StoredValue?
  ) throws -> StoredValue {
    guard let step = path.first else { return try body(value) ?? .null }
    let position = steps(of: value).firstIndex { $0.0 == step }
    let isLast = path.count == 1
    switch value {
    case .array(var values):
      if let position {
        let new =
          isLast ? try body(values[position]) : try edit(values[position], path.dropFirst(), body)
        values.replaceSubrange(position...position, with: new.map { [$0] } ?? [])
      } else if let new = try body(nil) {
        values.append(new)
      }
      return .array(values)
    case .dictionary(var fields):
      if let position {
        let old = fields[position].value
        let new = isLast ? try body(old) : try edit(old, path.dropFirst(), body)
        fields.replaceSubrange(
          position...position, with: new.map { [.init(fields[position].name, $0)] } ?? [])
      } else if case .name(let name, _) = step, let new = try body(nil) {
        fields.append(.init(name, new))
      }
      return .dictionary(fields)
    default: throw DocumentError("no members")
    }
  }
}

extension DocumentModel {
  /// Returns a random change that the model accepts, or nil if there is nothing to change.
  ///
  /// - Parameters:
  ///   - random: The source of randomness.
  ///   - value: Creates a value for a path.
  /// - Returns: The change.
  func change(
    _ random: inout SampleGenerator,
    value: (inout SampleGenerator, [DocumentStep]) -> StoredValue?
  ) -> DocumentChange? {
    let paths = paths
    guard let path = paths.randomElement(using: &random) else {
      return nil
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .remove(path)
    case 1:
      guard case .name = path.last else { return .remove(path) }
      let name = "renamed " + String(random.next() % 1000)
      let new = Array(path.dropLast()) + [.name(name)]
      return self.value(at: new) == nil ? .rename(path, to: name) : nil
    case 2:
      let parent = Array(path.dropLast())
      let step: DocumentStep
      switch self.value(at: parent) {
      case .array(let values): step = .index(values.count)
      default: step = .name("new " + String(random.next() % 1000))
      }
      return value(&random, parent + [step]).map { .set(parent + [step], $0) }
    default: return value(&random, path).map { .set(path, $0) }
    }
  }
}

extension [UInt8] {
  /// Checks that no prefix of the bytes, and no random change to them, makes a document trap.
  func torture<Tortured: Document>(
    as type: Tortured.Type, flips: Int = 300, seed: UInt64 = .random(in: .min ... .max)
  ) {
    var random = SampleGenerator(seed: seed)
    for length in 0...count { Self.use(Array(prefix(length)), as: type) }
    for _ in 0..<flips {
      var bytes = self
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        guard let index = bytes.indices.randomElement(using: &random) else { return }
        bytes[index] = .random(in: 0...255, using: &random)
      }
      Self.use(bytes, as: type)
    }
  }

  private static func use<Tortured: Document>(_ bytes: [UInt8], as type: Tortured.Type) {
    guard let document = try? Tortured(parsing: bytes) else { return }
    _ = try? document.value(at: [])
    for step in document.members {
      _ = try? document.value(at: [step])
      guard let changed = try? document.applying([.set([step], .text("x"))]) else { continue }
      #expect(throws: Never.self) { try Tortured(parsing: changed) }
    }
  }
}
