import Foundation
import HarmonyRealm

/// Compares the contents of a file with Realm's own dump, field by field.
struct DumpComparison {
  let reading: RealmReading
  private let objects: [String: Set<String>]
  private(set) var compared = 0
  private(set) var differences: [String] = []
  /// Format 22 dumps dates without fractional seconds.
  private let wholeSeconds: Bool
  /// Dumps of older formats show links as object keys.
  private let showsObjectKeys: Bool

  init(_ reading: RealmReading) throws {
    self.reading = reading
    wholeSeconds = reading.format == 22
    showsObjectKeys = reading.format < 24
    var objects: [String: Set<String>] = [:]
    for found in try reading.classes() {
      var keys: Set<String> = []
      try reading.forEach(of: found, properties: []) { object in
        keys.insert(Self.key(object.primaryKey, object.objectKey))
        return true
      }
      objects[found.name] = keys
    }
    self.objects = objects
  }

  /// Compares a whole file.
  mutating func compare(_ dump: DumpedValue) throws {
    guard case .object(let tables) = dump else { return note("the dump is not an object", "") }
    for (name, rows) in tables {
      guard case .array(let rows) = rows else { continue }
      let found = try reading.requireClass(name)
      var place = 0
      try reading.forEach(of: found) { object in
        guard place < rows.count else {
          note("more objects than \(rows.count)", name)
          return false
        }
        compare(object, rows[place], found, "\(name)[\(place)]")
        place += 1
        return true
      }
      if place != rows.count || found.count != rows.count {
        note("\(place) objects, counted \(found.count), expected \(rows.count)", name)
      }
    }
  }

  private mutating func compare(
    _ object: RealmObject, _ row: DumpedValue, _ found: RealmClass?, _ path: String
  ) {
    guard case .object(let fields) = row else { return note("no object", path) }
    var names = fields.map(\.name)
    if let key = row["_key"] {
      names.removeAll { $0 == "_key" }
      if case .number(let digits) = key, digits == String(object.objectKey) {
      } else {
        note("another object key than \(object.objectKey)", path)
      }
    }
    if names != object.fields.map(\.name) { note("other properties: \(names)", path) }
    for field in object.fields {
      if let problem = field.problem { note("\(problem)", "\(path).\(field.name)") }
      guard let expected = row[field.name] else { continue }
      compare(field.value, expected, "\(path).\(field.name)", found?.property(field.name))
    }
  }

  private mutating func compare(
    _ value: RealmValue, _ expected: DumpedValue, _ path: String, _ property: RealmProperty? = nil
  ) {
    var expected = expected
    // Realm dumps links to objects without a primary key like this.
    if let link = expected["$link"] { expected = link }
    if expected["table"] != nil {
      expected = expected["key"] ?? expected["keys"] ?? expected["values"] ?? expected
    }
    switch (value, expected) {
    case (.list(let values), .array(let elements)), (.set(let values), .array(let elements)):
      var elements = elements
      if let target = property?.target, let objects = objects[target], property?.type == .link,
        values.count != elements.count
      {
        // Realm still lists the keys of deleted objects.
        elements.removeAll { !objects.contains(Self.key($0)) }
      }
      guard values.count == elements.count else {
        return note("\(values.count) elements, not \(elements.count)", path)
      }
      for (place, pair) in zip(values, elements).enumerated() {
        compare(pair.0, pair.1, "\(path)[\(place)]")
      }
    case (.dictionary(let entries), .object(let fields)):
      guard entries.count == fields.count else {
        return note("\(entries.count) entries, not \(fields.count)", path)
      }
      for entry in entries {
        let name: String =
          switch entry.key {
          case .string(let text): text
          case .int(let number): String(number)
          default: "?"
          }
        guard let field = expected[name] else {
          note("no entry \(name)", path)
          continue
        }
        compare(entry.value, field, "\(path).\(name)")
      }
    case (.embedded(let object), _):
      compare(object, expected, try? reading.requireClass(object.className), path)
    default:
      compared += 1
      if !isEqual(value, expected) { note("\(value) is not \(expected)", path) }
    }
  }

  private func isEqual(_ value: RealmValue, _ expected: DumpedValue) -> Bool {
    switch (value, expected) {
    case (.null, .null): true
    case (.bool(let flag), .bool(let other)): flag == other
    case (.int(let number), .number(let digits)): String(number) == digits
    case (.double(let number), .number(let digits)):
      Double(digits)?.bitPattern == number.bitPattern
    case (.float(let number), .number(let digits)): Float(digits)?.bitPattern == number.bitPattern
    case (.string(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
    case (.binary(let bytes), .text(let other)): Data(bytes).base64EncodedString() == other
    case (.timestamp(let moment), .text(let other)): text(moment) == other
    case (.objectID(let id), .text(let other)): id.description == other
    case (.uuid(let uuid), .text(let other)): uuid.uuidString.lowercased() == other
    case (.decimal(let number), .text(let other)):
      // Realm formats decimals with many digits differently.
      number.description == other || "+\(number.coefficient)E\(number.exponent)" == other
        || "-\(number.coefficient)E\(number.exponent)" == other && number.isNegative
    case (.link(let link), _):
      isEqual(link.primaryKey ?? .int(link.objectKey), expected)
        || showsObjectKeys && isEqual(.int(link.objectKey), expected)
    default: false
    }
  }

  private func text(_ moment: RealmTimestamp) -> String {
    var seconds = moment.seconds
    var fraction = Int(moment.nanoseconds)
    if fraction < 0 {
      seconds -= 1
      fraction += 1_000_000_000
    }
    if wholeSeconds { seconds = moment.seconds }
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    seconds -= Int64(days) * 86_400
    // Converts days to a Gregorian date in cycles of 400 years.
    let shifted = days + 719_468
    let era = Int((Double(shifted) / 146_097).rounded(.down))
    let day = shifted - era * 146_097
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let rest = day - (365 * year + year / 4 - year / 100)
    let month = (5 * rest + 2) / 153
    let shown = month < 10 ? month + 3 : month - 9
    let text = String(
      format: "%04d-%02d-%02d %02d:%02d:%02d", year + era * 400 + (shown <= 2 ? 1 : 0), shown,
      rest - (153 * month + 2) / 5 + 1, Int(seconds) / 3_600, Int(seconds) / 60 % 60,
      Int(seconds) % 60)
    guard fraction != 0, !wholeSeconds else { return text }
    return text + String(format: ".%09d", fraction)
  }

  private static func key(_ primary: RealmValue?, _ objectKey: Int64) -> String {
    switch primary {
    case .string(let text): text
    case .int(let number): String(number)
    case .objectID(let id): id.description
    case .uuid(let uuid): uuid.uuidString.lowercased()
    default: String(objectKey)
    }
  }

  private static func key(_ value: DumpedValue) -> String {
    switch value {
    case .text(let text): text
    case .number(let digits): digits
    default: ""
    }
  }

  private mutating func note(_ what: String, _ path: String) {
    differences.append("\(path): \(what)")
  }
}
