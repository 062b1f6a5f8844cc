import HarmonySQLite

/// An interior page of a b-tree, read from the bytes of the file.
///
/// It is only good for a guess, as it may be of an older state than a query sees. The format is
/// that of <https://www.sqlite.org/fileformat2.html>, 1.6; anything that does not match it is nil.
struct BTreePage {
  private static let tableInterior: UInt8 = 5
  private static let indexInterior: UInt8 = 2

  private let bytes: [UInt8]

  /// Creates a page from its bytes; nil if it is a leaf or not a page of a b-tree.
  init?(_ bytes: [UInt8]) {
    guard let kind = bytes.first, kind == Self.tableInterior || kind == Self.indexInterior else {
      return nil
    }
    self.bytes = bytes
  }

  /// The number of keys; there is one more child page than there are keys.
  var count: Int { Int(number(at: 3, size: 2) ?? 0) }

  /// Returns the page number of the child before one of the keys, or after the last.
  func child(_ index: Int) -> UInt32? {
    let place = index < count ? cell(index) : 8
    return place.flatMap { number(at: $0, size: 4) }.map(UInt32.init)
  }

  /// Returns a key; nil if it is not an integer or text, or continues on an overflow page.
  func key(_ index: Int) -> SQLiteValue? {
    guard var place = cell(index).map({ $0 + 4 }), let length = varint(&place) else { return nil }
    // A cell of a table contains the key, a cell of an index a record that starts with it.
    return bytes[0] == Self.tableInterior ? .integer(length) : recordKey(&place)
  }

  private func cell(_ index: Int) -> Int? {
    guard (0..<count).contains(index) else { return nil }
    return number(at: 12 + 2 * index, size: 2).map(Int.init)
  }

  private func recordKey(_ place: inout Int) -> SQLiteValue? {
    let start = place
    guard let header = varint(&place), let type = varint(&place),
      header >= 2, header <= Int64(bytes.count)
    else { return nil }
    place = start + Int(header)
    switch type {
    case 1...4: return signed(at: place, size: Int(type)).map { .integer($0) }
    case 5: return signed(at: place, size: 6).map { .integer($0) }
    case 6: return signed(at: place, size: 8).map { .integer($0) }
    case 8, 9: return .integer(type - 8)
    case 13... where type % 2 == 1:
      let length = (type - 13) / 2
      guard length <= Int64(bytes.count - place), place <= bytes.count else { return nil }
      return String(validating: bytes[place..<(place + Int(length))], as: UTF8.self)
        .map { .text($0) }
    default: return nil
    }
  }

  private func number(at place: Int, size: Int) -> Int64? {
    guard place >= 0, place + size <= bytes.count else { return nil }
    return bytes[place..<(place + size)].reduce(0) { $0 << 8 | Int64($1) }
  }

  private func signed(at place: Int, size: Int) -> Int64? {
    let shift = Int64(64 - 8 * size)
    return number(at: place, size: size).map { ($0 << shift) >> shift }
  }

  private func varint(_ place: inout Int) -> Int64? {
    var value: Int64 = 0
    for count in 1...9 {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      if count == 9 { return value << 8 | Int64(byte) }
      value = value << 7 | Int64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
