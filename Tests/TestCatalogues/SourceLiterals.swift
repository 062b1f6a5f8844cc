/// The string literals of a Swift file, in the order in which they end.
package struct SourceLiterals {
  /// A literal, without the values of its interpolations.
  package struct Literal {
    package let text: String
    /// The function that it is an argument of; empty for none.
    package let call: String
    /// The label of the argument; empty for none.
    package let label: String
  }

  package private(set) var all: [Literal] = []
  private let bytes: [UInt8]
  private var place = 0

  package init(_ source: String) {
    bytes = Array(source.utf8)
    while place < bytes.count { readCode(call: "", label: "") }
  }

  private func isAt(_ text: StaticString) -> Bool {
    guard place + text.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[place + $0] == text.utf8Start[$0] }
  }

  /// Reads up to a closing bracket, or to the end.
  private mutating func readCode(call: String, label: String) {
    var (start, end, label) = (place, place, label)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "/"), isAt("//") {
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
        continue
      }
      let hashes = byte == UInt8(ascii: "#") ? bytes[place...].prefix { $0 == byte }.count : 0
      if place + hashes < bytes.count, bytes[place + hashes] == UInt8(ascii: "\"") {
        place += hashes
        readLiteral(hashes: hashes, call, label)
        continue
      }
      place += 1
      var word: String { String(decoding: bytes[start..<end], as: UTF8.self) }
      switch byte {
      case UInt8(ascii: "("): readCode(call: word, label: "")
      case UInt8(ascii: "["): readCode(call: call, label: label)
      case UInt8(ascii: "{"): readCode(call: "", label: "")
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return
      case UInt8(ascii: ","): label = ""
      // Not that of a conditional expression, which follows a space.
      case UInt8(ascii: ":") where start < end && !isAt(":"): label = word
      case UInt8(ascii: "_"), 48...57, 65...90, 97...122:
        end = place
        continue
      default: break
      }
      (start, end) = (place, place)
    }
  }

  private mutating func readLiteral(hashes: Int, _ call: String, _ label: String) {
    let quotes = isAt("\"\"\"") ? 3 : 1
    place += quotes
    var text: [UInt8] = []
    func isMarked(after count: Int) -> Bool {
      bytes[(place + count)...].prefix(hashes).allSatisfy { $0 == UInt8(ascii: "#") }
    }
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\""), quotes == 1 || isAt("\"\"\""),
        isMarked(after: quotes)
      {
        break
      }
      guard bytes[place] == UInt8(ascii: "\\"), isMarked(after: 1) else {
        text.append(bytes[place])
        place += 1
        continue
      }
      place += 1 + hashes
      if isAt("(") {
        place += 1
        readCode(call: "", label: "")
      } else {
        text += bytes[place...].prefix(1)
        place += 1
      }
    }
    place += quotes + hashes
    all.append(Literal(text: String(decoding: text, as: UTF8.self), call: call, label: label))
  }
}
