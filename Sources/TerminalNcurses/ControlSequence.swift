import TerminalUI

/// The escape sequences that ncurses does not send itself.
enum ControlSequence {
  /// Asks for mouse buttons, wheel and drags with coordinates of any size, and for pasted text to
  /// be marked.
  static let inputOn = "\u{1b}[?1000h\u{1b}[?1002h\u{1b}[?1006h\u{1b}[?2004h"

  /// Takes back what ``inputOn`` asked for.
  static let inputOff = "\u{1b}[?2004l\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?1000l"

  /// Asks the terminal what its background is.
  static let askBackground = "\u{1b}]11;?\u{1b}\\"

  /// Asks the terminal whether it can show a frame at once; see ``beginFrame``.
  static let askFrames = "\u{1b}[?2026$p"

  /// Asks the terminal to show what follows once all of it has come, so that no half of it is seen.
  static let beginFrame = "\u{1b}[?2026h"

  /// Says that all of a frame has come.
  static let endFrame = "\u{1b}[?2026l"

  /// Asks the terminal to remember the title of its window.
  static let saveTitle = "\u{1b}[22;0t"

  /// Gives the window the title that was remembered.
  static let restoreTitle = "\u{1b}[23;0t"

  /// Gives the window a title, from which everything harmful is taken, and no more of it than a
  /// title bar shows.
  static func title(_ text: String) -> String {
    "\u{1b}]2;\(TextCut.truncated(Sanitizer.display(text), to: 200))\u{7}"
  }

  /// How long an address can be that a link leads to; terminals do not take longer ones.
  static let longestAddress = 2_083

  /// Lets what is drawn from here on lead to an address, with everything in it spelled out that is
  /// not printable ASCII; nil if it is too long.
  ///
  /// Cells that lead to the same address are one link, also on several rows.
  static func beginLink(_ address: String) -> String? {
    var escaped = ""
    var number: UInt32 = 2_166_136_261
    for byte in address.utf8.prefix(longestAddress + 1) {
      number = (number ^ UInt32(byte)) &* 16_777_619
      if byte > 0x20, byte < 0x7F {
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    guard !escaped.isEmpty, escaped.utf8.count <= longestAddress else { return nil }
    return "\u{1b}]8;id=\(String(number, radix: 36));\(escaped)\u{1b}\\"
  }

  /// Lets what is drawn from here on lead nowhere.
  static let endLink = "\u{1b}]8;;\u{1b}\\"

  /// Offers text to the clipboard; nil if it is too long.
  static func copy(_ text: String) -> String? {
    guard text.utf8.count <= TerminalClipboard.capacity else { return nil }
    return "\u{1b}]52;c;\(base64(Array(text.utf8)))\u{7}"
  }

  /// Bytes in base 64.
  static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var number = 0
      for place in 0..<3 {
        number = number << 8 | Int(place < group.count ? group[start + place] : 0)
      }
      for place in 0..<4 {
        let digit = digits[number >> (18 - 6 * place) & 63]
        result.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
