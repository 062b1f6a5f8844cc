/// The checksum of Ethernet, gzip and PNG, which detects incomplete or damaged records.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
    }
  }

  /// Returns the checksum of bytes.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      ~bytes.reduce(UInt32.max) { value, byte in
        table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8
      }
    }
  }
}
