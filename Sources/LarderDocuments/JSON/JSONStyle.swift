import LarderModel

/// The layout of a JSON text: the whitespace around names, values and lines.
struct JSONStyle: Sendable {
  /// The line end.
  var newline: [UInt8] = [0x0A]
  /// The indentation of each level.
  var unit: [UInt8] = [0x20, 0x20]
  /// Whether lists have one item per line.
  var isMultiline = true
  /// The text between a name and its value.
  var colon = Array(": ".utf8)
  /// The text between two items on the same line.
  var comma = Array(", ".utf8)
}

extension JSONDocument {
  /// The layout of the file, judging by its first members.
  var style: JSONStyle {
    var style = JSONStyle()
    if let place = bytes.firstIndex(where: \.isLineEnd) { style.newline = newline(at: place) }
    if let colon = firstColon { style.colon = colon }
    if style.colon.last != 0x20 { style.comma = [UInt8(ascii: ",")] }
    guard items.count > 0 else { return style }
    let start = items[0].whole.lowerBound
    if let indent = indent(ofLineStartingAt: start) {
      // The root may be indented.
      style.unit = Array(indent.dropFirst(self.indent(ofLineHolding: items.range.lowerBound).count))
    } else {
      style.isMultiline = false
      if items.count > 1, let gap = gap(before: 1, of: items) {
        style.comma = [UInt8(ascii: ",")] + gap
      }
    }
    return style
  }

  /// The text between the first name and its value.
  private var firstColon: [UInt8]? {
    guard items.count > 0 else { return nil }
    if items.isObject { return colon(of: items[0]) }
    var scanner = JSONScanner(bytes, at: items[0].value.lowerBound, isLenient: true)
    guard scanner.next == UInt8(ascii: "{"), (try? scanner.enter()) != nil,
      let item = try? scanner.nextItem(before: UInt8(ascii: "}"), isFirst: true)
    else { return nil }
    return colon(of: item)
  }

  /// Returns the text between the name and the value of a member, or nil if it is unusual.
  func colon(of item: JSONItem) -> [UInt8]? {
    let colon = bytes[item.name.upperBound..<item.value.lowerBound]
    let isPlain = colon.allSatisfy { $0 == UInt8(ascii: ":") || $0.isBlank }
    return isPlain && 1...8 ~= colon.count ? Array(colon) : nil
  }

  /// Returns the blanks between an item and the comma before it; nil if there are line ends or
  /// comments.
  func gap(before index: Int, of items: JSONItems) -> ArraySlice<UInt8>? {
    guard index > 0, let comma = comma(behind: index - 1, of: items) else { return nil }
    let gap = bytes[(comma + 1)..<items[index].whole.lowerBound]
    return gap.allSatisfy(\.isBlank) ? gap : nil
  }

  /// Returns the offset of the comma after an item, if there is one.
  func comma(behind index: Int, of items: JSONItems) -> Int? {
    var scanner = JSONScanner(bytes, at: items[index].value.upperBound, isLenient: true)
    guard (try? scanner.skipSpace()) != nil, scanner.next == UInt8(ascii: ",") else { return nil }
    return scanner.place
  }

  /// Returns the indentation of a line if only blanks precede an offset.
  func indent(ofLineStartingAt place: Int) -> ArraySlice<UInt8>? {
    var start = place
    while start > 0, bytes[start - 1].isBlank { start -= 1 }
    return start > 0 && bytes[start - 1].isLineEnd ? bytes[start..<place] : nil
  }

  /// Returns the indentation of the line at an offset; empty if the line is very long.
  func indent(ofLineHolding place: Int) -> ArraySlice<UInt8> {
    var start = place
    while start > 0, !bytes[start - 1].isLineEnd {
      start -= 1
      if place - start > 4_096 { return [] }
    }
    return bytes[start..<place].prefix(while: \.isBlank)
  }

  /// Returns the line end that the byte at an offset belongs to.
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
  /// Whether the byte is a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// Whether the byte is part of a line end.
  var isLineEnd: Bool { self == 0x0A || self == 0x0D }
}
