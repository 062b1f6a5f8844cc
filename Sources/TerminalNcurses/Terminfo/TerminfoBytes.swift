/// Reads the fields of a compiled terminfo entry.
struct TerminfoReader {
  private let all: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    all = bytes
  }

  /// Whether all bytes have been read.
  var isAtEnd: Bool { place >= all.count }

  /// Advances to an even offset, where numbers start.
  mutating func align() { place += place & 1 }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, place <= all.count, count <= all.count - place else { return nil }
    defer { place += count }
    return Array(all[place..<place + count])
  }

  mutating func short() -> Int16? { shorts(1)?.first }

  mutating func shorts(_ count: Int) -> [Int16]? {
    bytes(count * 2).map { bytes in
      (0..<count).map { Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8) }
    }
  }

  /// Reads 16-bit counts; returns nil if one is negative.
  mutating func counts(_ count: Int) -> [Int]? {
    guard let shorts = shorts(count), shorts.allSatisfy({ $0 >= 0 }) else { return nil }
    return shorts.map { Int($0) }
  }

  /// Reads 16-bit or 32-bit numbers.
  mutating func numbers(_ count: Int, isLong: Bool) -> [Int32]? {
    guard isLong else { return shorts(count)?.map { Int32($0) } }
    guard let shorts = shorts(count * 2) else { return nil }
    return (0..<count).map {
      Int32(shorts[2 * $0 + 1]) << 16 | Int32(UInt16(bitPattern: shorts[2 * $0]))
    }
  }
}

/// Writes the fields of a compiled terminfo entry.
struct TerminfoWriter {
  var bytes: [UInt8] = []
  /// Whether all counts fit into their fields.
  private(set) var isValid = true

  /// Advances to an even offset, where numbers start.
  mutating func align() {
    if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
  }

  mutating func append(shorts: [Int16]) {
    for number in shorts {
      let bits = UInt16(bitPattern: number)
      bytes += [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
    }
  }

  mutating func append(counts: [Int]) {
    if counts.contains(where: { $0 > Int16.max }) { isValid = false }
    append(shorts: counts.map { Int16(clamping: $0) })
  }

  mutating func append(numbers: [Int32]) {
    for number in numbers {
      append(shorts: [Int16(truncatingIfNeeded: number), Int16(truncatingIfNeeded: number >> 16)])
    }
  }
}
