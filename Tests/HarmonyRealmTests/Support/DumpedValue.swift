/// A value in Realm's JSON dump, with numbers as their digits.
///
/// Names may be unquoted numbers, as in dictionaries with integer keys.
indirect enum DumpedValue {
  case null
  case bool(Bool)
  case number(String)
  case text(String)
  case array([DumpedValue])
  case object([(name: String, value: DumpedValue)])

  subscript(name: String) -> DumpedValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  init(parsing bytes: [UInt8]) throws {
    var reader = Reader(bytes: bytes)
    self = try reader.value()
  }

  struct Malformed: Error {
    let place: Int
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    private mutating func skip() {
      while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ character: Character) -> Bool {
      skip()
      guard place < bytes.count, bytes[place] == character.asciiValue else { return false }
      place += 1
      return true
    }

    mutating func value() throws -> DumpedValue {
      if take("{") {
        var fields: [(name: String, value: DumpedValue)] = []
        while !take("}") {
          if !fields.isEmpty { _ = take(",") }
          let name = take("\"") ? try text() : word()
          guard take(":") else { throw Malformed(place: place) }
          fields.append((name, try value()))
        }
        return .object(fields)
      }
      if take("[") {
        var elements: [DumpedValue] = []
        while !take("]") {
          if !elements.isEmpty { _ = take(",") }
          elements.append(try value())
        }
        return .array(elements)
      }
      if take("\"") { return .text(try text()) }
      let word = word()
      switch word {
      case "null": return .null
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "": throw Malformed(place: place)
      default: return .number(word)
      }
    }

    private mutating func word() -> String {
      skip()
      let start = place
      while place < bytes.count, !",:]} \n\r".utf8.contains(bytes[place]) { place += 1 }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func text() throws -> String {
      var text: [UInt8] = []
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
        case UInt8(ascii: "\\"):
          let next = bytes[place]
          place += 1
          switch next {
          case UInt8(ascii: "n"): text.append(0x0A)
          case UInt8(ascii: "t"): text.append(0x09)
          case UInt8(ascii: "r"): text.append(0x0D)
          case UInt8(ascii: "b"): text.append(0x08)
          case UInt8(ascii: "f"): text.append(0x0C)
          case UInt8(ascii: "u"):
            let digits = String(decoding: bytes[place..<(place + 4)], as: UTF8.self)
            place += 4
            let scalar = UInt32(digits, radix: 16).flatMap { Unicode.Scalar($0) } ?? "?"
            text += Array(String(scalar).utf8)
          default: text.append(next)
          }
        default: text.append(byte)
        }
      }
      throw Malformed(place: place)
    }
  }
}
