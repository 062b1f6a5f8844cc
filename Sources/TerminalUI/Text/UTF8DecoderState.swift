/// An incremental UTF-8 decoder that escapes invalid bytes.
struct UTF8DecoderState {
  /// The bytes of an incomplete sequence.
  private var pending: [UInt8] = []
  /// The total length of the sequence.
  private var needed = 0

  /// Decodes the next byte.
  mutating func feed(_ byte: UInt8, into text: inout String) {
    if needed > 0 {
      if byte & 0xC0 == 0x80 {
        pending.append(byte)
        if pending.count == needed { finish(into: &text) }
        return
      }
      finish(into: &text)
    }
    switch byte {
    case 0..<0x80: text.unicodeScalars.append(Unicode.Scalar(byte))
    case 0xC2..<0xE0: start(byte, needed: 2)
    case 0xE0..<0xF0: start(byte, needed: 3)
    case 0xF0..<0xF5: start(byte, needed: 4)
    default: text += Self.escape(byte)
    }
  }

  /// Ends the current sequence, complete or not.
  mutating func finish(into text: inout String) {
    guard needed > 0 else { return }
    if let decoded = String(validating: pending, as: UTF8.self) {
      text += decoded
    } else {
      for byte in pending { text += Self.escape(byte) }
    }
    pending.removeAll(keepingCapacity: true)
    needed = 0
  }

  /// Starts a sequence.
  private mutating func start(_ byte: UInt8, needed: Int) {
    pending.append(byte)
    self.needed = needed
  }

  /// Returns the escape of a byte: `\xff`.
  private static func escape(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
