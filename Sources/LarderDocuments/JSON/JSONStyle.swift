import LarderModel

/// How a text of JSON is laid out: what stands between names, values and lines.
struct JSONStyle: Sendable {
  /// What ends a line.
  var newline: [UInt8] = [0x0A]
  /// What each level is indented by.
  var unit: [UInt8] = [0x20, 0x20]
  /// Whether lists have a line for each item.
  var isMultiline = true
  /// What stands between a name and its value.
  var colon = Array(": ".utf8)
  /// What stands between two items on one line.
  var comma = Array(", ".utf8)
}

extension JSONDocument {
  /// How the file is laid out, as far as its first members tell.
  var style: JSONStyle {
    var style = JSONStyle()
    if let place = bytes.firstIndex(where: \.isLineEnd) { style.newline = newline(at: place) }
    if let colon = firstColon { style.colon = colon }
    if style.colon.last != 0x20 { style.comma = [UInt8(ascii: ",")] }
    guard items.count > 0 else { return style }
    let start = items[0].whole.lowerBound
    if let indent = indent(ofLineStartingAt: start) {
      // The top itself may be indented.
      style.unit = Array(indent.dropFirst(self.indent(ofLineHolding: items.range.lowerBound).count))
    } else {
      style.isMultiline = false
      if items.count > 1, let gap = gap(before: 1, of: items) {
        style.comma = [UInt8(ascii: ",")] + gap
      }
    }
    return style
  }

  /// What stands between the first name and its value.
  private var firstColon: [UInt8]? {
    guard items.count > 0 else { return nil }
    if items.isObject { return colon(of: items[0]) }
    var scanner = JSONScanner(bytes, at: items[0].value.lowerBound, isLenient: true)
    guard scanner.next == UInt8(ascii: "{"), (try? scanner.enter()) != nil,
      let item = try? scanner.nextItem(before: UInt8(ascii: "}"), isFirst: true)
    else { return nil }
    return colon(of: item)
  }

  /// What stands between the name and the value of a member, where it is worth repeating.
  func colon(of item: JSONItem) -> [UInt8]? {
    let colon = bytes[item.name.upperBound..<item.value.lowerBound]
    let isPlain = colon.allSatisfy { $0 == UInt8(ascii: ":") || $0.isBlank }
    return isPlain && 1...8 ~= colon.count ? Array(colon) : nil
  }

  /// The blanks before an item on the line of the one before it; nil where there is more.
  func gap(before index: Int, of items: JSONItems) -> ArraySlice<UInt8>? {
    guard index > 0, let comma = comma(behind: index - 1, of: items) else { return nil }
    let gap = bytes[(comma + 1)..<items[index].whole.lowerBound]
    return gap.allSatisfy(\.isBlank) ? gap : nil
  }

  /// Where the comma behind an item is, if there is one.
  func comma(behind index: Int, of items: JSONItems) -> Int? {
    var scanner = JSONScanner(bytes, at: items[index].value.upperBound, isLenient: true)
    guard (try? scanner.skipSpace()) != nil, scanner.next == UInt8(ascii: ",") else { return nil }
    return scanner.place
  }

  /// The blanks that a line begins with, where nothing but these are before a place.
  func indent(ofLineStartingAt place: Int) -> ArraySlice<UInt8>? {
    var start = place
    while start > 0, bytes[start - 1].isBlank { start -= 1 }
    return start > 0 && bytes[start - 1].isLineEnd ? bytes[start..<place] : nil
  }

  /// The blanks that the line of a place begins with; none where the line is very long.
  func indent(ofLineHolding place: Int) -> ArraySlice<UInt8> {
    var start = place
    while start > 0, !bytes[start - 1].isLineEnd {
      start -= 1
      if place - start > 4_096 { return [] }
    }
    return bytes[start..<place].prefix(while: \.isBlank)
  }

  /// The line end that a byte belongs to.
  func newline(at place: Int) -> [UInt8] {
    guard bytes.indices.contains(place), bytes[place].isLineEnd else { return [0x0A] }
    if bytes[place] == 0x0A, place > 0, bytes[place - 1] == 0x0D { return [0x0D, 0x0A] }
    if bytes[place] == 0x0D, place + 1 < bytes.count, bytes[place + 1] == 0x0A {
      return [0x0D, 0x0A]
    }
    return [bytes[place]]
  }
}

extension UInt8 {
  /// Whether the byte is a space or a tabulator.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// Whether the byte ends a line, or begins the end of one.
  var isLineEnd: Bool { self == 0x0A || self == 0x0D }
}
