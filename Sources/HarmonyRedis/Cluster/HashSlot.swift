/// The hash slots of a cluster; each belongs to one master.
enum HashSlot {
  static let count = 16_384

  /// Returns the slot of a key: that of the part in its first braces, if there is one.
  static func of(_ key: [UInt8]) -> Int {
    var part = key[...]
    if let open = key.firstIndex(of: 0x7B) {
      let rest = key[(open + 1)...]
      if let close = rest.firstIndex(of: 0x7D), close > open + 1 { part = rest[..<close] }
    }
    return Int(checksum(part)) % count
  }

  /// Returns the CRC-16 with the polynomial 0x1021, as in XMODEM.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { checksum, byte in
      (0..<8).reduce(checksum ^ UInt16(byte) << 8) { checksum, _ in
        checksum & 0x8000 == 0 ? checksum << 1 : checksum << 1 ^ 0x1021
      }
    }
  }
}
