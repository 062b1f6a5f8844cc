import TerminalUI

/// The escape sequences that ncurses does not send.
enum ControlSequence {
  /// Enables reports of mouse buttons, wheel and drags with unlimited coordinates, and bracketed
  /// paste.
  static let inputOn = "\u{1b}[?1000h\u{1b}[?1002h\u{1b}[?1006h\u{1b}[?2004h"

  /// Undoes ``inputOn``.
  static let inputOff = "\u{1b}[?2004l\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?1000l"

  /// Queries the background color.
  static let askBackground = "\u{1b}]11;?\u{1b}\\"

  /// Queries support for synchronized output; see ``beginFrame``.
  static let askFrames = "\u{1b}[?2026$p"

  /// Begins synchronized output: the terminal updates the screen only after ``endFrame``.
  static let beginFrame = "\u{1b}[?2026h"

  /// Ends synchronized output.
  static let endFrame = "\u{1b}[?2026l"

  /// Saves the window title.
  static let saveTitle = "\u{1b}[22;0t"

  /// Restores the saved window title.
  static let restoreTitle = "\u{1b}[23;0t"

  /// Returns the sequence that sets the window title, sanitized and truncated.
  static func title(_ text: String) -> String {
    "\u{1b}]2;\(TextCut.truncated(Sanitizer.display(text), to: 200))\u{7}"
  }

  /// The maximum length of a hyperlink's URL; terminals reject longer ones.
  static let longestAddress = 2_083

  /// Returns the sequence that starts a hyperlink, with non-ASCII characters percent-encoded; nil
  /// if the URL is too long.
  ///
  /// Cells with the same URL belong to the same link, even on different rows.
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

  /// Ends a hyperlink.
  static let endLink = "\u{1b}]8;;\u{1b}\\"

  /// Returns the sequence that sets the clipboard, or nil if the text is too long.
  static func copy(_ text: String) -> String? {
    guard text.utf8.count <= TerminalClipboard.capacity else { return nil }
    return "\u{1b}]52;c;\(base64(Array(text.utf8)))\u{7}"
  }

  /// Returns bytes in Base64.
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
