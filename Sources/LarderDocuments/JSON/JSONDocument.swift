package import LarderModel

/// A JSON file with an object or an array at the root, as written by people and programs.
///
/// Stores only the locations of the top-level members, not a tree of all values; values are read on
/// demand. Comments, trailing commas, a byte order mark, `NaN` and infinities are accepted and
/// preserved. Objects that look like larder's own encoding of other types, such as `{"base64": …}`,
/// remain objects.
package struct JSONDocument: Document {
  /// The contents of the file.
  package let bytes: [UInt8]
  /// The locations of the top-level members.
  package let items: JSONItems
  /// The top-level names, if the root is an object.
  let names: JSONNames?
  /// Whether the file contains `NaN` or infinities, so that others may be written.
  let hasNonFinite: Bool
  private let elements = ElementLocationCache<JSONItems>()
  private let objects = ElementLocationCache<NamedItems>()

  /// The members of a nested object, with their names in sorted order.
  private struct NamedItems: Sendable {
    let items: JSONItems
    let names: JSONNames
  }

  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    guard bytes.count < Int(UInt32.max) else {
      throw DocumentError.hugeJSON
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw DocumentError.utf16
    }
    var scanner = JSONScanner(bytes, isLenient: true)
    do throws(JSONParser.Failure) {
      try scanner.skipSpace()
      guard scanner.next == UInt8(ascii: "{") || scanner.next == UInt8(ascii: "[") else {
        throw scanner.failure(
          scanner.next == nil
            ? .emptyFile : .rootExpected)
      }
      items = try JSONItems(&scanner)
      try scanner.skipSpace()
      if scanner.next != nil { throw scanner.failure(.trailingText) }
    } catch {
      throw DocumentError(error.description)
    }
    self.bytes = bytes
    names = items.isObject ? JSONNames(items, in: bytes) : nil
    hasNonFinite = scanner.hasNonFinite
  }

  package var readOnlyReason: String? { nil }

  package var members: [DocumentStep] {
    guard let names else { return (0..<items.count).map { .index($0) } }
    let repetitions = names.repetitions(items, in: bytes)
    return (0..<items.count).map { item in
      .name(name(items[item]), repetition: repetitions[item] ?? 0)
    }
  }

  package func type(at path: [DocumentStep]) throws(DocumentError) -> StoredType? {
    guard let range = range(at: path) else { return nil }
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "{"): return .dictionary
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .text
    default: return try value(in: range).type
    }
  }

  package func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    guard let range = range(at: path) else { return nil }
    return try value(in: range)
  }

  package func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8] {
    var revision = JSONRevision(self)
    return try revision.bytes(after: changes)
  }
}

extension JSONDocument {
  /// Reads the value in a range of the file.
  func value(in range: Range<Int>) throws(DocumentError) -> StoredValue {
    var parser = JSONParser(JSONScanner(bytes, at: range.lowerBound, isLenient: true))
    do throws(JSONParser.Failure) {
      return try parser.value()
    } catch {
      throw error.problem == .notUTF8
        ? DocumentError.invalidJSONName(error) : DocumentError(error.description)
    }
  }

  /// Returns the name of a member, as used in steps.
  func name(_ item: JSONItem) -> String {
    String(decoding: JSONNames.bytes(item.name, in: bytes), as: UTF8.self)
  }

  /// Returns the items of the list at an offset.
  func items(at place: Int) throws(DocumentError) -> JSONItems {
    var scanner = JSONScanner(bytes, at: place, isLenient: true)
    do throws(JSONParser.Failure) {
      return try JSONItems(&scanner)
    } catch {
      throw DocumentError(error.description)
    }
  }

  /// Returns the range of the value at a path, or nil if there is none.
  package func range(at path: [DocumentStep]) -> Range<Int>? {
    path.isEmpty ? items.range : item(at: path)?.value
  }

  /// Returns the member or the element at a path, or nil if there is none.
  private func item(at path: [DocumentStep]) -> JSONItem? {
    guard let first = path.first, var item = item(first) else { return nil }
    for step in path.dropFirst() {
      guard let inner = self.item(of: step, at: item.value.lowerBound) else { return nil }
      item = inner
    }
    return item
  }

  package func nameObstacle(at path: [DocumentStep]) -> String? {
    // Values that contain such names cannot be shown, and therefore not changed either.
    guard case .name? = path.last, let item = item(at: path),
      !JSONNames.isText(item.name, in: bytes)
    else { return nil }
    return DocumentError.invalidName.description
  }

  /// Returns the top-level member at a step.
  private func item(_ step: DocumentStep) -> JSONItem? {
    switch step {
    case .index(let index):
      return names == nil && 0..<items.count ~= index ? items[index] : nil
    case .name(let name, let repetition):
      return names.flatMap { item(name, repetition, of: items, $0) }
    }
  }

  /// Returns the member of an object with a name and a repetition.
  private func item(
    _ name: String, _ repetition: Int, of items: JSONItems, _ names: JSONNames
  ) -> JSONItem? {
    let places = names.places(of: name, items, in: bytes)
    guard 0..<places.count ~= repetition else { return nil }
    return items[Int(names.order[places.lowerBound + repetition])]
  }

  /// Returns the members of the object at an offset, or nil if it is malformed.
  private func named(at place: Int) -> NamedItems? {
    guard let items = try? items(at: place) else { return nil }
    return NamedItems(items: items, names: JSONNames(items, in: bytes))
  }

  /// Returns the item at a step from the value at an offset, without reading past that item if
  /// possible.
  private func item(of step: DocumentStep, at place: Int) -> JSONItem? {
    var scanner = JSONScanner(bytes, at: place, isLenient: true)
    let isObject = scanner.next == UInt8(ascii: "{")
    var left: Int
    var wanted: [UInt8] = []
    switch step {
    case .index(let index):
      guard scanner.next == UInt8(ascii: "["), index >= 0 else { return nil }
      if let items = elements.places(in: place, for: index, { try? items(at: place) }) {
        return index < items.count ? items[index] : nil
      }
      left = index
    case .name(let name, let repetition):
      guard isObject, repetition >= 0 else { return nil }
      if let known = objects.places(in: place, { named(at: place) }) {
        return item(name, repetition, of: known.items, known.names)
      }
      wanted = Array(name.utf8)
      left = repetition
    }
    let bracket = UInt8(ascii: isObject ? "}" : "]")
    var isFirst = true
    guard (try? scanner.enter()) != nil else { return nil }
    while let item = try? scanner.nextItem(before: bracket, isFirst: isFirst) {
      isFirst = false
      if isObject, !JSONNames.bytes(item.name, in: bytes).elementsEqual(wanted) { continue }
      if left == 0 { return item }
      left -= 1
    }
    return nil
  }
}
