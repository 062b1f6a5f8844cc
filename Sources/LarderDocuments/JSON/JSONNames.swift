import LarderModel

/// The names of an object's members, sorted by their bytes for lookup.
struct JSONNames: Sendable {
  /// The first eight bytes of a name, which suffice to order most names, and the member's index.
  private struct Key {
    let start: UInt64
    let item: UInt32
  }

  /// The members in the order of their names, then in file order.
  let order: [UInt32]

  /// Sorts the members of an object by name.
  init(_ items: JSONItems, in bytes: [UInt8]) {
    var keys: [Key] = []
    keys.reserveCapacity(items.count)
    for item in 0..<items.count {
      let name = Self.bytes(items[item].name, in: bytes)
      var start: UInt64 = 0
      for place in 0..<8 {
        start = start << 8 | UInt64(place < name.count ? name[name.startIndex + place] : 0)
      }
      keys.append(Key(start: start, item: UInt32(truncatingIfNeeded: item)))
    }
    keys.sort { left, right in
      if left.start != right.start { return left.start < right.start }
      let first = Self.bytes(items[Int(left.item)].name, in: bytes)
      let second = Self.bytes(items[Int(right.item)].name, in: bytes)
      if first.elementsEqual(second) { return left.item < right.item }
      return first.lexicographicallyPrecedes(second)
    }
    order = keys.map(\.item)
  }

  /// Returns the range in `order` of the members with a name.
  func places(of name: String, _ items: JSONItems, in bytes: [UInt8]) -> Range<Int> {
    let wanted = Array(name.utf8)
    func count(where condition: (ArraySlice<UInt8>) -> Bool) -> Int {
      var low = 0
      var high = order.count
      while low < high {
        let middle = low + (high - low) / 2
        let name = Self.bytes(items[Int(order[middle])].name, in: bytes)
        if condition(name) { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let start = count { $0.lexicographicallyPrecedes(wanted) }
    let end = count { !wanted.lexicographicallyPrecedes($0) }
    return start..<max(start, end)
  }

  /// Returns the repetition of each member that is not the first with its name, by index.
  func repetitions(_ items: JSONItems, in bytes: [UInt8]) -> [Int: Int] {
    var repetitions: [Int: Int] = [:]
    var before: ArraySlice<UInt8>?
    var count = 0
    for item in order {
      let name = Self.bytes(items[Int(item)].name, in: bytes)
      count = before?.elementsEqual(name) == true ? count + 1 : 0
      if count > 0 { repetitions[Int(item)] = count }
      before = name
    }
    return repetitions
  }

  /// Whether a quoted name is valid text, so that it is not shown in a substitute spelling.
  static func isText(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
    var scanner = JSONScanner(bytes, at: range.lowerBound, isLenient: true)
    guard let text = try? scanner.text() else { return false }
    return String(validating: text, as: UTF8.self) != nil
  }

  /// Returns a quoted name as valid UTF-8.
  ///
  /// A name with unpaired surrogates or bytes that are not valid UTF-8 keeps its spelling in the
  /// file, with `\x` and two digits for each non-ASCII byte if necessary.
  static func bytes(_ range: Range<Int>, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    let spelling = bytes[range].dropFirst().dropLast()
    var isPlain = true
    for byte in spelling where byte == UInt8(ascii: "\\") || byte >= 0x80 {
      isPlain = false
      break
    }
    if isPlain { return spelling }
    var scanner = JSONScanner(bytes, at: range.lowerBound, isLenient: true)
    if let text = try? scanner.text(), String(validating: text, as: UTF8.self) != nil {
      return text[...]
    }
    return Self.spelled(spelling)[...]
  }

  private static func spelled(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    if String(validating: bytes, as: UTF8.self) != nil { return Array(bytes) }
    return bytes.flatMap { byte -> [UInt8] in
      if byte < 0x80 { return [byte] }
      return Array("\\x".utf8) + Array(String(byte, radix: 16).utf8)
    }
  }
}
