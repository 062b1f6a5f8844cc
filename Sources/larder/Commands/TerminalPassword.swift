import Foundation
import LarderModel

extension PasswordPrompt {
  /// The prompt on the terminal, where the password is not shown.
  ///
  /// Without a terminal, or after Ctrl-C or Ctrl-D, there is no password.
  static let terminal = PasswordPrompt { server in
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return nil }
    var hidden = before
    // Ctrl-C is read as a key, so that the settings are restored.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG | ICANON)
    guard tcsetattr(terminal, TCSAFLUSH, &hidden) == 0 else { return nil }
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    Output.prompt(Messages.password(of: server) + ": ")
    defer { Output.say("\n") }
    var password: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      switch byte {
      case 10, 13: return String(validating: password, as: UTF8.self)
      case 3, 4: return nil
      case 8, 127: _ = password.popLast()
      default: password.append(byte)
      }
    }
  }
}
