import Testing

@testable import TerminalNcurses

/// Incremental decoding of bytes to characters.
@Suite struct InputDecoderTests {
  private func decode(_ bytes: [UInt8]) -> String {
    var decoder = InputDecoder()
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars += decoder.take(byte) }
    scalars += decoder.end()
    return String(scalars)
  }

  @Test func `every character survives a round trip`() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      if decode(Array(text.utf8)).unicodeScalars.elementsEqual([scalar]) { continue }
      Issue.record("U+\(String(value, radix: 16))")
      return
    }
  }

  @Test func `invalid UTF-8 is replaced as in Swift`() {
    let bytes: [UInt8] = [
      0x41, 0x7F, 0x80, 0xBF, 0xC1, 0xC3, 0xE0, 0xE9, 0xED, 0xA0, 0xF0, 0x90, 0xF5,
    ]
    for one in bytes {
      for two in bytes {
        for three in bytes {
          for four in bytes {
            let all = [one, two, three, four]
            #expect(decode(all) == String(decoding: all, as: UTF8.self))
          }
        }
      }
    }
  }
}
