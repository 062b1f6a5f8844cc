import CNcurses
import TerminalUI
import Testing

@testable import TerminalNcurses

@Suite struct NcursesKeysTests {
  @Test func `Key codes of ncurses are keys`() {
    #expect(NcursesKeys.token(KEY_UP) == .key(.up))
    #expect(NcursesKeys.token(KEY_BTAB) == .key(.backTab))
    #expect(NcursesKeys.token(KEY_SLEFT) == .key(Key(.left, modifiers: .shift)))
    #expect(NcursesKeys.token(cn_key_function(12)) == .key(.function(12)))
    #expect(NcursesKeys.token(cn_key_function(13)) == .key(Key(.function(1), modifiers: .shift)))
    #expect(NcursesKeys.token(cn_key_function(29)) == .key(Key(.function(5), modifiers: .control)))
    #expect(NcursesKeys.token(KEY_RESIZE) == nil)
    #expect(NcursesKeys.token(KEY_MOUSE) == .mousePrefix)
    #expect(NcursesKeys.token(KEY_UNDO) == .unknownKey)
  }

  @Test func extendedNamesAreKeysWithModifiers() {
    #expect(NcursesKeys.extendedKey("kUP5") == Key(.up, modifiers: .control))
    #expect(NcursesKeys.extendedKey("kDN") == Key(.down, modifiers: .shift))
    #expect(NcursesKeys.extendedKey("kDC7") == Key(.delete, modifiers: [.control, .alt]))
    #expect(NcursesKeys.extendedKey("kxyz") == nil)
    #expect(NcursesKeys.extendedKey("") == nil)
  }

  @Test func `Base64 follows the standard`() {
    let pairs = [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ]
    for (text, encoded) in pairs {
      #expect(ControlSequence.base64(Array(text.utf8)) == encoded)
    }
  }
}
