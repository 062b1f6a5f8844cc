import LarderModel

/// The deviations of a JSON file from RFC 8259, and constructs that programs read differently, that
/// larder accepts.
///
/// Scans the text once and stores only the names of the objects that enclose the current position.
package struct JSONDeviations {
  /// The kinds of deviations.
  package enum Kind: Hashable, Sendable {
    case byteOrderMark, comment, comma, nonFinite
    /// A name that occurs more than once in an object.
    case repeatedName
  }

  /// The location of a deviation.
  package struct Place: Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int
    /// The bytes of the repeated name; empty for other kinds.
    package let name: [UInt8]
    /// The number of members with that name.
    package let count: Int
  }

  /// The deviations of one kind.
  package struct Found: Hashable, Sendable {
    /// The kind of deviation.
    package let kind: Kind
    /// The first locations.
    package fileprivate(set) var places: [Place] = []
    /// The total number of deviations.
    package fileprivate(set) var count = 0
  }

  /// The maximum number of locations recorded for each kind.
  private static let maximum = 5

  /// The deviations, in the order in which each kind was first found.
  package private(set) var found: [Found] = []
  private var scanner: JSONScanner

  /// Scans a text for deviations, stopping at the first error.
  package init(of bytes: [UInt8]) {
    scanner = JSONScanner(bytes, isLenient: true)
    if bytes.starts(with: JSONScanner.byteOrderMark) { note(.byteOrderMark, at: 0) }
    try? skipValue()
    try? skipSpace()
  }

  /// An object or an array that encloses the current position.
  private struct List {
    /// Its closing bracket.
    let bracket: UInt8
    /// The last offset of each name, and the number of its occurrences.
    var names: [[UInt8]: (place: Int, count: Int)] = [:]
    var isFirst = true
  }

  private mutating func skipValue() throws(JSONParser.Failure) {
    var lists: [List] = []
    repeat {
      try skipSpace()
      switch scanner.next {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        // In ASCII, each closing bracket is two above its opening one.
        lists.append(List(bracket: scanner.bytes[scanner.place] + 2))
        try scanner.enter()
      default:
        let start = scanner.place
        if scanner.nonFinite() != nil {
          note(.nonFinite, at: start)
        } else {
          try scanner.skipValue()
        }
      }
      while let last = lists.indices.last, try closes(&lists[last]) { lists.removeLast() }
    } while !lists.isEmpty
  }

  /// Consumes the end of a list, or everything before its next value.
  ///
  /// - Returns: Whether the list ended.
  private mutating func closes(_ list: inout List) throws(JSONParser.Failure) -> Bool {
    try skipSpace()
    if !list.isFirst, scanner.next != list.bracket {
      let comma = scanner.place
      guard scanner.next == UInt8(ascii: ",") else { throw scanner.failure(.missingComma) }
      scanner.place += 1
      try skipSpace()
      if scanner.next == list.bracket { note(.comma, at: comma) }
    }
    list.isFirst = false
    guard scanner.next == list.bracket else {
      if list.bracket == UInt8(ascii: "}") { try skipName(of: &list) }
      return false
    }
    scanner.place += 1
    scanner.depth -= 1
    noteRepeatedNames(of: list)
    return true
  }

  private mutating func skipName(of list: inout List) throws(JSONParser.Failure) {
    let start = scanner.place
    try scanner.skipName()
    let name = Array(JSONNames.bytes(start..<scanner.place, in: scanner.bytes))
    list.names[name, default: (start, 0)].count += 1
    list.names[name]?.place = start
    try skipSpace()
    guard scanner.next == UInt8(ascii: ":") else { throw scanner.failure(.missingColon) }
    scanner.place += 1
  }

  private mutating func noteRepeatedNames(of list: List) {
    let repeated = list.names.filter { $0.value.count > 1 }.sorted {
      $0.value.place < $1.value.place
    }
    for (name, (place, count)) in repeated {
      note(.repeatedName, at: place, name: name, count: count)
    }
  }

  private mutating func skipSpace() throws(JSONParser.Failure) {
    while let byte = scanner.next {
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09: scanner.place += 1
      case UInt8(ascii: "/"):
        let start = scanner.place
        guard try scanner.skipComment() else { return }
        note(.comment, at: start)
      default: return
      }
    }
  }

  private mutating func note(_ kind: Kind, at place: Int, name: [UInt8] = [], count: Int = 1) {
    let index = found.firstIndex { $0.kind == kind } ?? found.count
    if index == found.count { found.append(Found(kind: kind)) }
    found[index].count += 1
    guard found[index].places.count < Self.maximum else { return }
    let failure = scanner.failure(.unneeded, at: place)
    found[index].places.append(
      Place(line: failure.line, column: failure.column, name: name, count: count))
  }
}
