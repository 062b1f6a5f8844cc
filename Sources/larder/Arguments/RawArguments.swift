import Foundation

/// The command-line arguments as raw bytes.
///
/// `CommandLine.arguments` replaces bytes that are not UTF-8 with U+FFFD, which would then be
/// stored.
enum RawArguments {
  /// Returns the arguments after the program name.
  ///
  /// - Throws: `Failure` for the first argument that is not UTF-8.
  static func checked() throws -> [String] {
    try (1..<max(1, Int(CommandLine.argc))).compactMap { place in
      guard let word = CommandLine.unsafeArgv[place] else { return nil }
      let bytes = UnsafeRawBufferPointer(start: word, count: strlen(word))
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw refusal(Array(bytes), isFile: access(word, F_OK) == 0)
      }
      return text
    }
  }

  private static func refusal(_ word: [UInt8], isFile: Bool) -> Failure {
    let shown = String(decoding: word.flatMap(shown), as: UTF8.self)
    guard !isFile else { return .pathNotUTF8(shown) }
    let digits = word.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return .wordNotUTF8(shown, digits: digits)
  }

  /// Returns a printable byte as it is, and any other as a hexadecimal escape.
  private static func shown(_ byte: UInt8) -> [UInt8] {
    0x20..<0x7F ~= byte ? [byte] : Array("\\x".utf8) + Array(String(byte, radix: 16).utf8)
  }
}
