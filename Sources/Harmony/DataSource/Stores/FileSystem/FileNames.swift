import Foundation

/// The names of the files that keys are stored in.
struct FileNames: Sendable {
  /// The suffix that distinguishes files with readable names from other files in their directory.
  static let suffix = ".value"

  private static let maximumLength = 255

  let encoding: FileSystemStorageDataSource.FileNameEncoding

  /// Returns the file name of a key.
  ///
  /// - Throws: ``CoreError/IllegalArgument`` if there is none. Readable names and digests exist for
  ///   every key.
  func name(of key: String) throws -> String {
    let name =
      switch encoding {
      case .readable: Self.readableName(of: key)
      case .none: key
      case .sha256: Self.hexadecimal(Self.sha256(of: key))
      case .md5: Self.hexadecimal(MD5.digest(of: key.utf8))
      case .custom(let encode): encode(key)
      }
    guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= Self.maximumLength,
      !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }),
      !AtomicFile.isTemporary(name)
    else { throw refusal }
    return name
  }

  private var refusal: CoreError.IllegalArgument {
    let isCustom = if case .custom = encoding { true } else { false }
    return .fileName(isCustom: isCustom, maximum: Self.maximumLength)
  }

  /// Returns the key that a name identifies; nil if the name is ambiguous or not that of a key.
  func key(of name: String) -> String? {
    guard !AtomicFile.isTemporary(name) else { return nil }
    switch encoding {
    case .none: return name
    case .readable:
      guard let key = Self.readableKey(of: name), Self.readableName(of: key) == name else {
        return nil
      }
      return key
    case .sha256, .md5, .custom: return nil
    }
  }

  /// Whether a file may belong to a key, which possibly only its header contains.
  func mayHaveKey(_ name: String) -> Bool {
    switch encoding {
    case .readable: Self.hasSuffix(name) && !AtomicFile.isTemporary(name)
    case .none: key(of: name) != nil
    case .sha256, .md5: isDigest(name)
    case .custom: !AtomicFile.isTemporary(name)
    }
  }

  /// Whether a name can only be a digest of a key, even if the file does not contain the key.
  func isDigest(_ name: String) -> Bool {
    let length: Int
    switch encoding {
    case .sha256: length = 64
    case .md5: length = 32
    case .none, .readable, .custom: return false
    }
    return name.utf8.count == length
      && name.utf8.allSatisfy { Self.digits.contains($0) }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the key with characters percent-encoded that are invalid in names or unsafe in a
  /// terminal.
  ///
  /// A name that would be too long is cut and ends with a tilde and the digest of the key.
  private static func readableName(of key: String) -> String {
    if key.isEmpty { return "%" + suffix }
    var pieces: [String] = []
    for scalar in key.unicodeScalars {
      let isHarmful =
        scalar.properties.generalCategory == .control || "/%~".unicodeScalars.contains(scalar)
      let isHidden = pieces.isEmpty && scalar == "."
      pieces.append(isHarmful || isHidden ? escaped(scalar) : String(scalar))
    }
    let name = pieces.joined() + suffix
    if name.utf8.count <= maximumLength { return name }
    var short = ""
    for piece in pieces {
      guard short.utf8.count + piece.utf8.count <= 160 else { break }
      short += piece
    }
    return short + "~" + hexadecimal(sha256(of: key)) + suffix
  }

  /// Compares bytes, because the dot may combine with the end of the key into one character.
  private static func hasSuffix(_ name: String) -> Bool {
    name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  private static func readableKey(of name: String) -> String? {
    guard hasSuffix(name) else { return nil }
    let rest = name.utf8.dropLast(suffix.utf8.count)
    if rest.elementsEqual("%".utf8) { return "" }
    return PercentCoding.bytes(of: rest).flatMap { String(validating: $0, as: UTF8.self) }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map(PercentCoding.escape).joined()
  }

  private static func sha256(of key: String) -> [UInt8] {
    var digest = SHA256()
    digest.update(key.utf8)
    return digest.digest()
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
