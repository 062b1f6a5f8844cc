/// A compiled terminfo entry, as described in term(5).
struct TerminfoEntry {
  /// The names of the terminal, null-terminated.
  private(set) var names: [UInt8]
  private(set) var flags: [UInt8]
  private(set) var numbers: [Int32]
  /// The offset of each string capability in the table; negative if it is absent.
  private(set) var places: [Int16]
  private(set) var table: [UInt8]
  private(set) var extensions: TerminfoExtensions

  /// Parses an entry; returns nil if it is not valid.
  init?(_ bytes: [UInt8]) {
    var reader = TerminfoReader(bytes)
    guard let magic = reader.short(), magic == Self.shortMagic || magic == Self.longMagic,
      let sizes = reader.counts(5)
    else { return nil }
    let isLong = magic == Self.longMagic
    guard let names = reader.bytes(sizes[0]), names.last == 0, let flags = reader.bytes(sizes[1])
    else { return nil }
    reader.align()
    guard let numbers = reader.numbers(sizes[2], isLong: isLong),
      let places = reader.shorts(sizes[3]), let table = reader.bytes(sizes[4])
    else { return nil }
    self.names = names
    self.flags = flags
    self.numbers = numbers
    self.places = places
    self.table = table
    guard let extensions = TerminfoExtensions(&reader, isLong: isLong) else { return nil }
    self.extensions = extensions
  }

  /// The compiled entry; nil if it is too large.
  var bytes: [UInt8]? {
    var writer = TerminfoWriter()
    writer.append(shorts: [Self.longMagic])
    writer.append(counts: [
      names.count, flags.count, numbers.count, places.count, table.count,
    ])
    writer.bytes += names + flags
    writer.align()
    writer.append(numbers: numbers)
    writer.append(shorts: places)
    writer.bytes += table
    extensions.write(to: &writer)
    return writer.isValid && writer.bytes.count <= Self.maximum ? writer.bytes : nil
  }

  /// The maximum size that ncurses accepts.
  private static let maximum = 32_768
  /// The magic number of entries with 16-bit numbers.
  private static let shortMagic: Int16 = 0o432
  /// The magic number of entries with 32-bit numbers.
  private static let longMagic: Int16 = 0o1036
}

// MARK: Colors

extension TerminfoEntry {
  /// The flag that distinguishes an RGB value from an index into the 256-color palette.
  static let directFlag: Int32 = 1 << 24

  // The indices of capabilities in an entry, which never change.
  private static let canChangeFlag = 27
  private static let colorsNumber = 13
  private static let pairsNumber = 14
  private static let initializeColorText = 299
  private static let foregroundText = 359
  private static let backgroundText = 360

  /// The entry with colors that are palette indices or, from ``directFlag`` on, RGB values.
  ///
  /// The entries that end in `-direct` cannot select the upper eight of the sixteen user-defined
  /// colors, and are not installed everywhere.
  var withDirectColors: TerminfoEntry {
    var entry = self
    if entry.flags.count > Self.canChangeFlag { entry.flags[Self.canChangeFlag] = 0 }
    entry.numbers.grow(to: Self.pairsNumber + 1, with: -1)
    entry.numbers[Self.colorsNumber] = 2 * Self.directFlag
    entry.numbers[Self.pairsNumber] = 0x1_0000
    entry.places.grow(to: Self.backgroundText + 1, with: -1)
    entry.places[Self.initializeColorText] = -1
    entry.set(Self.foregroundText, to: Self.color(normal: "3", bright: "9", other: "38"))
    entry.set(Self.backgroundText, to: Self.color(normal: "4", bright: "10", other: "48"))
    entry.extensions.add(flag: "RGB")
    return entry
  }

  /// Returns the capability that selects a color by number.
  private static func color(normal: String, bright: String, other: String) -> String {
    "\u{1b}[%?%p1%{8}%<%t\(normal)%p1%d%e%p1%{16}%<%t\(bright)%p1%{8}%-%d%e%p1%{256}%<%t"
      + "\(other);5;%p1%d%e\(other);2;%p1%{65536}%/%{255}%&%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
      + "%;m"
  }

  private mutating func set(_ number: Int, to text: String) {
    places[number] = Int16(clamping: table.count)
    table += Array(text.utf8) + [0]
  }
}

extension Array {
  /// Appends an element until the array has `count` elements.
  fileprivate mutating func grow(to count: Int, with element: Element) {
    if self.count < count { self += repeatElement(element, count: count - self.count) }
  }
}
