/// The extended (user-defined) capabilities of an entry.
struct TerminfoExtensions {
  private var flags: [(name: [UInt8], value: UInt8)] = []
  private var numbers: [(name: [UInt8], value: Int32)] = []
  /// The strings; a negative offset marks an absent one.
  private var texts: [(name: [UInt8], value: Text)] = []

  private enum Text {
    case text([UInt8])
    case none(Int16)
  }

  /// Parses the extended part of an entry, which may be missing; returns nil if it is malformed.
  init?(_ reader: inout TerminfoReader, isLong: Bool) {
    reader.align()
    guard !reader.isAtEnd else { return }
    guard let sizes = reader.counts(5), let flags = reader.bytes(sizes[0]) else { return nil }
    reader.align()
    guard let numbers = reader.numbers(sizes[1], isLong: isLong),
      let places = reader.shorts(sizes[2]),
      let namePlaces = reader.shorts(sizes[0] + sizes[1] + sizes[2]),
      let table = reader.bytes(sizes[4])
    else { return nil }
    var texts: [Text] = []
    // The names follow the strings.
    var base = 0
    for place in places {
      guard place >= 0 else {
        texts.append(.none(place))
        continue
      }
      guard let text = Self.text(in: table, at: Int(place)) else { return nil }
      texts.append(.text(text))
      base += text.count + 1
    }
    let names = namePlaces.compactMap { Self.text(in: table, at: base + Int($0)) }
    guard names.count == namePlaces.count else { return nil }
    self.flags = zip(names, flags).map { ($0, $1) }
    self.numbers = zip(names.dropFirst(flags.count), numbers).map { ($0, $1) }
    self.texts = zip(names.dropFirst(flags.count + numbers.count), texts).map { ($0, $1) }
  }

  private static func text(in table: [UInt8], at place: Int) -> [UInt8]? {
    guard place >= 0, place < table.count, let end = table[place...].firstIndex(of: 0) else {
      return nil
    }
    return Array(table[place..<end])
  }

  /// Sets an extended flag, unless there is a number or a string of the same name.
  mutating func add(flag name: String) {
    let name = Array(name.utf8)
    flags.removeAll { $0.name == name }
    guard !numbers.contains(where: { $0.name == name }),
      !texts.contains(where: { $0.name == name })
    else { return }
    flags.append((name, 1))
  }

  func write(to writer: inout TerminfoWriter) {
    var table: [UInt8] = []
    var places: [Int16] = []
    for (_, value) in texts {
      switch value {
      case .none(let mark): places.append(mark)
      case .text(let text):
        places.append(Int16(clamping: table.count))
        table += text + [0]
      }
    }
    let base = table.count
    for name in flags.map(\.name) + numbers.map(\.name) + texts.map(\.name) {
      places.append(Int16(clamping: table.count - base))
      table += name + [0]
    }
    writer.align()
    writer.append(counts: [flags.count, numbers.count, texts.count, places.count, table.count])
    writer.bytes += flags.map(\.value)
    writer.align()
    writer.append(numbers: numbers.map(\.value))
    writer.append(shorts: places)
    writer.bytes += table
  }
}
