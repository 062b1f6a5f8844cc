/// An object of a binary property list, as ranges of its bytes.
struct BinaryObject: Sendable, Hashable {
  /// The object types.
  enum Kind: Sendable, Hashable {
    case null, no, yes, integer, real, date, data, ascii, wide, uid, array, set, dictionary
  }

  let kind: Kind
  /// The range of the whole object.
  let range: Range<Int>
  /// The range of its content: data, or references to other objects.
  let content: Range<Int>
  /// The number of bytes, characters, elements or members.
  let count: Int

  /// The number of references; a dictionary member has two.
  var references: Int {
    switch kind {
    case .array, .set: count
    case .dictionary: count * 2
    default: 0
    }
  }

  /// Whether it is a 32-bit real.
  var isSingle: Bool { kind == .real && count == 4 }

  /// Whether it is text, as dictionary keys must be.
  var isText: Bool { kind == .ascii || kind == .wide }
}

/// The contents of a binary property list with the fields of its trailer.
struct BinaryTable: Sendable {
  /// The size of the trailer in bytes.
  static let trailerSize = 32

  /// The contents of the file.
  let bytes: [UInt8]
  /// The size of an offset in bytes.
  let offsetSize: Int
  /// The size of a reference in bytes.
  let referenceSize: Int
  /// The number of objects.
  let count: Int
  /// The number of the root object.
  let top: Int
  /// The offset of the offset table, which is also the end of the objects.
  let start: Int

  init(_ bytes: [UInt8]) throws(DocumentError) {
    guard bytes.starts(with: "bplist0".utf8) else {
      throw DocumentError.unknownVersion
    }
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= 9 else { throw DocumentError.truncatedList }
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize,
      let count = bytes.number(trailer + 8..<trailer + 16),
      let top = bytes.number(trailer + 16..<trailer + 24),
      let start = bytes.number(trailer + 24..<trailer + 32), 8...trailer ~= start,
      count <= (trailer - start) / offsetSize, top < count
    else { throw DocumentError.damagedTrailer }
    self.count = count
    self.top = top
    self.start = start
  }

  /// Returns the object with a number.
  func object(_ number: Int) throws(DocumentError) -> BinaryObject {
    let entry = start + number * offsetSize
    guard 0..<count ~= number,
      let place = bytes.number(entry..<entry + offsetSize), 8..<start ~= place,
      let object = object(at: place)
    else { throw DocumentError.damaged(number) }
    return object
  }

  /// Returns one of the references of an object.
  func reference(_ index: Int, of object: BinaryObject) throws(DocumentError) -> Int {
    let place = object.content.lowerBound + index * referenceSize
    guard 0..<object.references ~= index,
      let number = bytes.number(place..<place + referenceSize), number < count
    else { throw DocumentError.danglingReference }
    return number
  }

  private func object(at place: Int) -> BinaryObject? {
    let low = Int(bytes[place] & 0x0F)
    func fixed(_ kind: BinaryObject.Kind, _ size: Int) -> BinaryObject? {
      guard size <= start - place - 1 else { return nil }
      let end = place + 1 + size
      return BinaryObject(kind: kind, range: place..<end, content: place + 1..<end, count: size)
    }
    func counted(_ kind: BinaryObject.Kind, _ size: Int) -> BinaryObject? {
      guard let (count, content) = count(at: place), count <= (start - content) / size else {
        return nil
      }
      let end = content + count * size
      return BinaryObject(kind: kind, range: place..<end, content: content..<end, count: count)
    }
    switch (bytes[place] >> 4, low) {
    case (0x0, 0x0): return fixed(.null, 0)
    case (0x0, 0x8): return fixed(.no, 0)
    case (0x0, 0x9): return fixed(.yes, 0)
    case (0x1, 0...4): return fixed(.integer, 1 << low)
    case (0x2, 2...3): return fixed(.real, 1 << low)
    case (0x3, 3): return fixed(.date, 8)
    case (0x4, _): return counted(.data, 1)
    case (0x5, _): return counted(.ascii, 1)
    case (0x6, _): return counted(.wide, 2)
    case (0x8, 0...7): return fixed(.uid, low + 1)
    case (0xA, _): return counted(.array, referenceSize)
    case (0xC, _): return counted(.set, referenceSize)
    case (0xD, _): return counted(.dictionary, referenceSize * 2)
    default: return nil
    }
  }

  /// Returns the count in the header of an object, and the offset of its content.
  private func count(at place: Int) -> (count: Int, content: Int)? {
    let low = bytes[place] & 0x0F
    guard low == 0x0F else { return (Int(low), place + 1) }
    let marker = place + 1
    guard marker < start, bytes[marker] >> 4 == 0x1, bytes[marker] & 0x0F <= 3 else { return nil }
    let size = 1 << Int(bytes[marker] & 0x0F)
    guard size <= start - marker - 1 else { return nil }
    return bytes.number(marker + 1..<marker + 1 + size).map { ($0, marker + 1 + size) }
  }
}

extension [UInt8] {
  /// Returns the big-endian unsigned integer in a range, or nil if it does not fit into an `Int`.
  func number(_ range: Range<Int>) -> Int? {
    guard 0 <= range.lowerBound, range.upperBound <= count, range.count <= 8 else { return nil }
    return Int(exactly: self[range].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }
}
