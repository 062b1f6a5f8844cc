import LarderModel

/// A compression format.
enum Codec: String, CaseIterable {
  case gzip, zlib, zstd, lz4, brotli, snappy

  /// Detects the format from the header, or returns nil if the header is of another kind.
  init?(of bytes: ArraySlice<UInt8>) {
    var cursor = ByteCursor(bytes)
    guard let first = try? cursor.byte(), let second = try? cursor.byte(), cursor.left > 0 else {
      return nil
    }
    switch (first, second) {
    case (0x1F, 0x8B) where cursor.next == 8: self = .gzip
    case (0x28, 0xB5) where bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]): self = .zstd
    case (0x04, 0x22) where bytes.starts(with: [0x04, 0x22, 0x4D, 0x18]):
      // The next byte says version 1, and that its reserved bit is zero.
      guard let flags = bytes.dropFirst(4).first, flags & 0xC2 == 0x40 else { return nil }
      self = .lz4
    case (0xFF, 0x06) where bytes.starts(with: Snappy.magic): self = .snappy
    default:
      guard first & 0x0F == 8, first >> 4 <= 7, second & 0x20 == 0,
        (Int(first) << 8 | Int(second)) % 31 == 0
      else { return nil }
      self = .zlib
    }
  }

  /// Returns the formats that the bytes may be in: the one of their header, and those without a
  /// distinctive header if the bytes are few enough to try.
  static func candidates(for bytes: [UInt8]) -> [Codec] {
    let codec = Codec(of: bytes[...])
    if let codec, codec != .zlib { return [codec] }
    guard bytes.count <= maximumTrial, !bytes.looksLikeText else { return codec.map { [$0] } ?? [] }
    return (codec.map { [$0] } ?? []) + (Snappy.mayBegin(bytes) ? [.snappy, .brotli] : [.brotli])
  }

  /// The maximum number of bytes that are decompressed to see whether they are compressed at all.
  static let maximumTrial = 64 << 10

  /// Whether all data in the format has a header, so that no other data is taken for it.
  var hasHeader: Bool { self != .brotli && self != .snappy }

  /// The Debian package to install if the library of the format is missing; nil if it is not.
  var missingPackage: String? {
    switch self {
    case .zstd: ZstdDecompressor.isAvailable ? nil : "libzstd1"
    case .lz4: LZ4Decompressor.isAvailable ? nil : "liblz4-1"
    case .brotli: BrotliDecompressor.isAvailable ? nil : "libbrotli1"
    case .gzip, .zlib, .snappy: nil
    }
  }

  /// Returns a decompressor, or nil if there is no library or no memory.
  func makeDecompressor() -> (any Decompressor)? {
    switch self {
    case .gzip, .zlib: ZlibDecompressor()
    case .zstd: ZstdDecompressor()
    case .lz4: LZ4Decompressor()
    case .brotli: BrotliDecompressor()
    case .snappy: nil
    }
  }
}
