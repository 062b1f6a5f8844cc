import LarderModel

extension ValueFormat {
  /// The compression formats: data is decompressed and shown in the most suitable format.
  static let compressed = Codec.allCases.map(compressed)
  /// The compression formats that are recognized by a header.
  static let compressedWithHeader = Codec.allCases.filter(\.hasHeader).map(compressed)

  /// The names of the formats that decode bytes or text and show the result in its own best format.
  package static let openers = Set(Codec.allCases.map(\.rawValue) + ["base64"])

  private static func compressed(_ codec: Codec) -> ValueFormat {
    opening(
      name: codec.rawValue, shows: "\(codec.rawValue)-compressed data",
      suits: { value in
        guard case .data(let bytes) = value else { return 0 }
        return isCompressed(bytes, codec) ? 5 : 0
      },
      { value in
        let compressed = bytes(of: value)
        if let package = codec.missingPackage { return unopened(value, codec, package) }
        let result = Decompression(compressed, as: codec)
        let count = DecodedValue.bytes(result.bytes.count)
        return DecodedValue(
          codec.rawValue, result.bytes, size: result.isCut ? "the first \(count)" : count,
          from: compressed.count, problem: result.problem, except: openers.union(["jwt"]))
      })
  }

  /// Returns the compressed bytes, with a heading that asks to install a package.
  static func unopened(_ value: StoredValue, _ codec: Codec, _ package: String) -> DecodedValue {
    let count = DecodedValue.bytes(bytes(of: value).count)
    return DecodedValue(
      value, head: Messages.install(package, for: codec.rawValue, count), as: .hex)
  }

  private static func isCompressed(_ bytes: [UInt8], _ codec: Codec) -> Bool {
    guard Codec.candidates(for: bytes).contains(codec) else { return false }
    switch codec {
    case .gzip, .zstd, .lz4: return true
    case .zlib:
      // The header is only two bytes and can occur by chance.
      let start = Decompression(Array(bytes.prefix(4_096)), as: codec, limit: 4_096)
      return !start.bytes.isEmpty
        && (start.problem == nil
          || bytes.count > 4_096 && start.problem == FormatError.endsEarly.reason)
    case .snappy where bytes.starts(with: Snappy.magic): return true
    case .snappy, .brotli: return holdsReadable(bytes, codec)
    }
  }

  /// Whether bytes without a header decompress, to the last byte, to text or a property list.
  private static func holdsReadable(_ bytes: [UInt8], _ codec: Codec) -> Bool {
    // Bytes that are not compressed rarely get this far.
    let start = Decompression(bytes, as: codec, limit: 8_192)
    guard start.isCut || start.isWhole, start.bytes.count >= minimumReadable,
      start.bytes.looksLikeText || looksLikeList(start.bytes)
    else { return false }
    let whole = start.isCut ? Decompression(bytes, as: codec, limit: maximumReadable) : start
    return whole.isWhole
      && (whole.bytes.plainText != nil || plist.suits(.data(whole.bytes)) > 0)
  }

  /// The maximum number of decompressed bytes, as lists recognize the formats of many values.
  private static let maximumReadable = 4 << 20

  /// The minimum number of decompressed bytes, below which arbitrary bytes could mean text.
  private static let minimumReadable = 4
}
