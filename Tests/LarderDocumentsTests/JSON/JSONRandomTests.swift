import TestSamples
import Foundation
import LarderModel
import LarderDocuments
import Testing

@testable import LarderModel
import LarderDocuments

/// Random files and changes, compared with a model of their values.
struct JSONRandomTests {
  /// Set `STRESS_OPERATIONS` to run more rounds.
  private static let count =
    ProcessInfo.processInfo.environment["STRESS_OPERATIONS"].flatMap(Int.init) ?? 1_500

  @Test func `A changed file has the values of the changed model, and the rest keeps its bytes`()
    throws
  {
    let random = SampleGenerator()
    var generator = JSONFileGenerator(random)
    for round in 0..<Self.count {
      let (text, value) = generator.file()
      let note: Comment = "seed \(random.seed), round \(round), \(text)"
      let document = try JSONDocument(parsing: Array(text.utf8))
      try #require(try document.value(at: []) == value, note)
      #expect(try document.applying([]) == Array(text.utf8), note)
      var model = value
      var changes: [DocumentChange] = []
      for _ in 0..<Int.random(in: 1...3, using: &generator.random) {
        let change = change(to: model, &generator)
        guard (try? model.apply(change, below: 0)) != nil else { continue }
        changes.append(change)
      }
      let bytes = try document.applying(changes)
      let result: JSONDocument
      do {
        result = try JSONDocument(parsing: bytes)
      } catch {
        Issue.record("\(error) \(note) \(changes) → \(String(decoding: bytes, as: UTF8.self))")
        return
      }
      let sentence: Comment = "\(note) \(changes) → \(String(decoding: bytes, as: UTF8.self))"
      try #require(try result.value(at: []) == model, sentence)
      check(document, result, changes, sentence)
    }
  }

  /// Compares the bytes of unchanged members, and the comments between members.
  private func check(
    _ old: JSONDocument, _ new: JSONDocument, _ changes: [DocumentChange], _ note: Comment
  ) {
    let touched = Set(changes.compactMap(\.path.first))
    let moves = changes.contains { change in
      if case .set(let path, _) = change, old.range(at: path) != nil { return false }
      return true
    }
    guard !moves || old.items.isObject else { return }
    let names = Set(
      touched.map { step in if case .name(let name, _) = step { name } else { "" } })
    for (place, step) in old.members.enumerated() where !touched.contains(step) {
      // The repetition of a name may change after a removal.
      if case .name(let name, _) = step, names.contains(name) { continue }
      if case .name(let name, _) = step,
        changes.contains(where: { if case .rename(_, name) = $0 { true } else { false } })
      {
        continue
      }
      let item = old.items[place].value
      guard let range = new.range(at: [step]) else {
        Issue.record("\(step) is gone \(note)")
        continue
      }
      #expect(old.bytes[item].elementsEqual(new.bytes[range]), note)
    }
    for comment in comments(old) { #expect(comments(new).contains(comment), note) }
  }

  /// The comments outside the members, by number.
  private func comments(_ document: JSONDocument) -> Set<String> {
    var gaps: [UInt8] = []
    var place = 0
    for index in 0..<document.items.count {
      let whole = document.items[index].whole
      gaps += document.bytes[place..<whole.lowerBound] + [0x20]
      place = whole.upperBound
    }
    gaps += document.bytes[place...]
    let text = String(decoding: gaps, as: UTF8.self)
    return Set(text.matches(of: /c[0-9]+\./).map { String($0.output) })
  }

  private func change(
    to value: StoredValue, _ generator: inout JSONFileGenerator
  ) -> DocumentChange {
    var path: [DocumentStep] = []
    var current = value
    while true {
      let (steps, inner) = current.steps
      if steps.isEmpty || (!path.isEmpty && generator.random.chance(2)) { break }
      let place = Int.random(in: 0..<steps.count, using: &generator.random)
      path.append(steps[place])
      current = inner[place]
    }
    switch Int.random(in: 0..<6, using: &generator.random) {
    case 0 where !path.isEmpty: return .remove(path)
    case 1 where !path.isEmpty: return .rename(path, to: generator.random.text())
    case 2:
      // A new member of the value at the path.
      if case .array(let values) = current {
        return .set(path + [.index(values.count)], generator.value(depth: 2))
      }
      return .set(path + [.name(generator.random.text())], generator.value(depth: 2))
    case 3:
      guard !path.isEmpty else { return .set([.name("new")], .null) }
      return .set(path, generator.value(depth: 1))
    default:
      guard !path.isEmpty else { return .set([.index(0)], .null) }
      return .set(path, mutated(current, &generator))
    }
  }

  /// Returns the value with some of its parts changed, removed, added or moved.
  private func mutated(
    _ value: StoredValue, _ generator: inout JSONFileGenerator
  ) -> StoredValue {
    switch value {
    case .array(var values):
      shuffle(&values, new: generator.value(depth: 3), &generator)
      return .array(
        values.map { generator.random.chance(4) ? mutated($0, &generator) : $0 })
    case .dictionary(var fields):
      let new = StoredValue.Field(generator.random.text(), generator.value(depth: 3))
      shuffle(&fields, new: new, &generator)
      return .dictionary(
        fields.map { field in
          generator.random.chance(4)
            ? .init(field.name, mutated(field.value, &generator)) : field
        })
    default: return generator.value(depth: 3)
    }
  }

  private func shuffle<Element>(
    _ elements: inout [Element], new: Element, _ generator: inout JSONFileGenerator
  ) {
    let place = Int.random(in: 0...elements.count, using: &generator.random)
    switch Int.random(in: 0..<6, using: &generator.random) {
    case 0: elements.insert(new, at: place)
    case 1 where place < elements.count: elements.remove(at: place)
    case 2: elements.shuffle(using: &generator.random)
    case 3 where place < elements.count: elements[place] = new
    case 4: elements = generator.random.chance(3) ? [] : elements
    default: break
    }
  }

  @Test func `A truncated file is read or refused, and never traps`() throws {
    let random = SampleGenerator()
    var generator = JSONFileGenerator(random)
    for _ in 0..<30 {
      let bytes = Array(generator.file().text.utf8)
      for count in bytes.indices { try exercise(Array(bytes[..<count])) }
    }
  }

  @Test func `A file with random bytes in it is read or refused, and never traps`() throws {
    let random = SampleGenerator()
    var generator = JSONFileGenerator(random)
    let likely = Array("{}[]\",:\\/*\n\r\t u0dD8eE-+.NaI".utf8)
    for _ in 0..<Self.count {
      var bytes = Array(generator.file().text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator.random) {
        guard let place = bytes.indices.randomElement(using: &generator.random) else { break }
        bytes[place] =
          generator.random.chance(2)
          ? .random(in: 0...255, using: &generator.random)
          : likely[Int.random(in: 0..<likely.count, using: &generator.random)]
      }
      try exercise(bytes)
    }
  }

  /// Reads and changes the bytes if they are valid, and checks that the result is still valid.
  private func exercise(_ bytes: [UInt8]) throws {
    guard let document = try? JSONDocument(parsing: bytes) else { return }
    for step in document.members {
      _ = try? document.value(at: [step])
      let changes: [[DocumentChange]] = [
        [.remove([step])], [.set([step], .array([.null, .dictionary([.init("a", .null)])]))],
        [.rename([step], to: "b")],
      ]
      for change in changes {
        guard let changed = try? document.applying(change) else { continue }
        #expect(throws: Never.self, "\(bytes) \(change)") { try JSONDocument(parsing: changed) }
      }
    }
  }
}

extension StoredValue {
  /// The steps into a list, with the values that they lead to.
  fileprivate var steps: ([DocumentStep], [StoredValue]) {
    switch self {
    case .array(let values): return (values.indices.map { .index($0) }, values)
    case .dictionary(let fields):
      var counts: [DocumentStep: Int] = [:]
      let steps = fields.map { field -> DocumentStep in
        let count = counts[.name(field.name), default: 0]
        counts[.name(field.name)] = count + 1
        return .name(field.name, repetition: count)
      }
      return (steps, fields.map(\.value))
    default: return ([], [])
    }
  }
}
