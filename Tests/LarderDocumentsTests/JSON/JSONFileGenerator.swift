import TestSamples
import LarderModel

/// Random JSON files in the styles of people and programs, with the values that they contain.
struct JSONFileGenerator {
  /// The layout of a file.
  struct Layout {
    var newline = "\n"
    var indent: String?
    var colon = ": "
    var comma = ", "
    var hasComments = false
    var endsWithComma = false
  }

  var random: SampleGenerator
  private var layout = Layout()
  private var comments = 0

  init(_ random: SampleGenerator) {
    self.random = random
  }

  /// Generates a file with an object or an array at the root.
  mutating func file() -> (text: String, value: StoredValue) {
    layout = Layout(
      newline: pick(["\n", "\n", "\r\n"]), indent: pick([nil, "", "  ", "    ", "\t"]),
      colon: pick([": ", ":", " : "]), comma: pick([", ", ",", " , "]),
      hasComments: random.chance(3), endsWithComma: random.chance(4))
    let value = list(depth: 0, isObject: random.chance(2))
    let mark = random.chance(5) ? "\u{FEFF}" : ""
    let end = random.chance(2) ? layout.newline : ""
    return (mark + text(of: value, level: 0) + comment() + end, value)
  }

  /// Generates a value of any JSON type.
  mutating func value(depth: Int) -> StoredValue {
    if depth < 4, random.chance(3) { return list(depth: depth, isObject: random.chance(2)) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .null
    case 1: return .bool(random.chance(2))
    case 2: return .integer(random.integer())
    case 3:
      let number = random.real()
      return number.isFinite ? .real(number) : .real(0.5)
    case 4: return .number(pick(["1.50", "1e5", "18446744073709551616", "-0", "1E+2", "0.10"]))
    case 5: return .malformedText([0x61, 0xED, 0xA0, 0xBD, 0x62])
    default: return .text(random.text())
    }
  }

  private mutating func list(depth: Int, isObject: Bool) -> StoredValue {
    let count = Int.random(in: 0...5, using: &random)
    if !isObject { return .array((0..<count).map { _ in value(depth: depth + 1) }) }
    return .dictionary(
      (0..<count).map { _ in
        StoredValue.Field(
          random.chance(6) ? "twice" : random.text(), value(depth: depth + 1))
      })
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func comment() -> String {
    guard layout.hasComments, random.chance(3) else { return "" }
    comments += 1
    if layout.indent != nil, random.chance(2) {
      return " // c\(comments). \"x\": {" + layout.newline
    }
    return "/* c\(comments). ,]} */"
  }

  private mutating func text(of value: StoredValue, level: Int) -> String {
    switch value {
    case .array(let values):
      return text(of: values.map { ("", $0) }, "[", "]", level: level)
    case .dictionary(let fields):
      return text(of: fields.map { ($0.name, $0.value) }, "{", "}", level: level)
    case .text(let text): return quoted(text)
    case .malformedText: return "\"a\\uD83D\\u0062\""
    default: return JSONText.encode(value)
    }
  }

  private mutating func quoted(_ text: String) -> String {
    guard random.chance(3) else { return JSONText.quote(text) }
    return "\""
      + text.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined() + "\""
  }

  private mutating func text(
    of members: [(name: String, value: StoredValue)], _ open: String, _ close: String, level: Int
  ) -> String {
    // Occasionally puts a list on one line among others.
    let indent = random.chance(4) ? nil : layout.indent
    var text = open + comment()
    for (place, member) in members.enumerated() {
      if let indent { text += layout.newline + String(repeating: indent, count: level + 1) }
      if open == "{" { text += quoted(member.name) + layout.colon }
      text += self.text(of: member.value, level: level + 1)
      let isLast = place == members.count - 1
      if !isLast || layout.endsWithComma {
        text += random.chance(8) ? comment() : ""
        text += indent == nil && !isLast ? layout.comma : ","
      }
      text += comment()
    }
    if let indent, !members.isEmpty {
      text += layout.newline + String(repeating: indent, count: level)
    }
    return text + close
  }
}

extension SampleGenerator {
  /// Whether an event with probability 1/`times` occurs.
  mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }
}
