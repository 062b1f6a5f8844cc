import Harmony

/// A digest of the bytes and types that a store holds under a key.
///
/// It is the first 128 bits of a SHA-256 over a prefix-free encoding of the value; equal
/// fingerprints mean that nothing changed. Fingerprints are stable between runs and may be stored.
public struct Fingerprint: Sendable, Hashable {
  // Stored inline, as there is one for every entry.
  private let high: UInt64
  private let low: UInt64

  /// The 16 bytes of the digest.
  public var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

  /// Creates the fingerprint of a complete value.
  public init(of value: StoredValue) {
    var digest = FingerprintDigest()
    digest.add(value)
    self = digest.takeFingerprint()
  }

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates the fingerprint of a complete value together with its spelling and storage form, where
  /// these differ from those of a new value.
  package init(of value: StoredValue, spelled spelling: [UInt8]?, form: String? = nil) {
    switch (spelling, form) {
    case (nil, nil): self.init(of: value)
    case (let spelling?, nil): self.init(of: .array([value, .data(spelling)]))
    case (let spelling, let form?):
      self.init(of: .array([value, .data(spelling ?? []), .text(form)]))
    }
  }

  /// Parses a fingerprint from its 32 hexadecimal digits.
  ///
  /// - Returns: nil if the text is invalid.
  public init?(_ text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == 32, text.utf8.count == 32 else { return nil }
    func number(_ digits: ArraySlice<Int>) -> UInt64 { digits.reduce(0) { $0 << 4 | UInt64($1) } }
    high = number(digits[..<16])
    low = number(digits[16...])
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The digest as 32 hexadecimal digits.
  public var description: String {
    withDigits { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls a closure with the 32 hexadecimal digits.
  package func withDigits<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var digits = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    return withUnsafeMutableBytes(of: &digits) { digits in
      for place in 0..<16 {
        let shift = UInt64(60 - 4 * place)
        digits[place] = Self.digit(high >> shift)
        digits[place + 16] = Self.digit(low >> shift)
      }
      return body(UnsafeRawBufferPointer(digits))
    }
  }

  /// Returns the digit for the low four bits.
  private static func digit(_ number: UInt64) -> UInt8 {
    let four = UInt8(truncatingIfNeeded: number & 0xF)
    return four < 10 ? UInt8(ascii: "0") + four : UInt8(ascii: "a") + four - 10
  }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }
}
