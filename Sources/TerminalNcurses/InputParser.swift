import TerminalUI

/// Turns what ncurses hands over into events.
///
/// ncurses recognises the sequences that terminfo lists. The rest come as single characters and
/// are put together here: keys with modifiers, reports of the mouse, pasted text, Alt. Sequences
/// that nobody knows are swallowed and never become typed characters.
struct InputParser {
  /// What the characters so far may become.
  private enum State {
    case ground
    case escape
    case csi(String)
    case ss3
    case mouseBytes([UInt32])
    case paste
    case command(String)
    case commandEnd(String)
    /// Within a string that means nothing here; at first where nothing of it has come yet.
    case string(Unicode.Scalar, isAtStart: Bool)
    case stringEnd
  }

  private var state = State.ground
  /// Characters that may still grow by a combining mark.
  private var pending = ""
  /// What has been pasted so far.
  private var pasted = ""
  private var events: [TerminalEvent] = []
  /// Whether the terminal was asked for its background, and nothing has come since.
  ///
  /// Then what begins like an answer is one, however it is cut into pieces.
  var isAwaitingBackground = false

  /// Whether the terminal was asked if it can show a frame at once, and nothing has come since.
  var isAwaitingFrames = false
  /// Whether all that was read last is an ESC while an answer was awaited: it was the key, or the
  /// rest of the answer comes late.
  private var mayHaveLostEscape = false
  /// Whether the terminal has said that it can.
  private(set) var takesFrames = false

  /// The longest sequence; what goes on longer is no sequence.
  private static let longestSequence = 64
  private static let pasteEnd = "\u{1b}[201~"

  /// Takes what is there to read at once and returns what it means.
  mutating func parse(_ tokens: some Sequence<InputToken>) -> [TerminalEvent] {
    if mayHaveLostEscape, Self.isRestOfAnswer(tokens) { state = .escape }
    mayHaveLostEscape = false
    if case .paste = state, Self.isInterrupt(tokens) {
      finishPaste()
    } else {
      for token in tokens { take(token) }
    }
    endOfInput()
    if !events.isEmpty {
      isAwaitingBackground = false
      isAwaitingFrames = false
    }
    defer { events = [] }
    return events
  }

  private mutating func take(_ token: InputToken) {
    switch (state, token) {
    case (.paste, .scalar(let scalar)):
      takePasted(scalar)
    case (.paste, _):
      break
    case (_, .scalar(let scalar)):
      take(scalar)
    case (let before, .key(let key)):
      flush()
      state = .ground
      var key = key
      if case .escape = before { key.modifiers.insert(.alt) }
      events.append(.key(key))
    case (_, .mousePrefix):
      // The prefix is `ESC [ <` or `ESC [ M`; the next character tells which.
      flush()
      state = .csi("<?")
    case (_, .unknownKey):
      flush()
      state = .ground
    }
  }

  /// Takes a character outside pasted text.
  private mutating func take(_ scalar: Unicode.Scalar) {
    switch state {
    case .ground: takeGround(scalar)
    case .escape: takeEscaped(scalar)
    case .csi(let parameters): takeSequence(scalar, after: parameters)
    case .ss3:
      state = .ground
      if let key = XtermSequences.ss3Key(scalar) { events.append(.key(key)) }
    case .mouseBytes(let bytes):
      state = .mouseBytes(bytes + [scalar.value])
      guard bytes.count == 2 else { return }
      state = .ground
      if let event = XtermSequences.mouse(bytes: bytes + [scalar.value]) {
        events.append(.mouse(event))
      }
    case .command(let text): takeCommand(scalar, after: text)
    case .commandEnd(let text):
      state = .ground
      if scalar == "\\" { finishCommand(text) } else { takeGround("\u{1b}"); take(scalar) }
    case .string: takeString(scalar)
    case .stringEnd:
      state = .escape
      if scalar == "\\" { state = .ground } else { take(scalar) }
    case .paste: break
    }
  }

  private mutating func takeGround(_ scalar: Unicode.Scalar) {
    if scalar.value == 0x1B {
      flush()
      state = .escape
    } else if let key = XtermSequences.controlKey(scalar) {
      flush()
      events.append(.key(key))
    } else {
      pending.unicodeScalars.append(scalar)
      while pending.count > 1 { events.append(.key(.character(pending.removeFirst()))) }
    }
  }

  private mutating func takeEscaped(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "[": state = .csi("")
    case "O": state = .ss3
    case "]": state = .command("")
    case "P", "_", "^", "X": state = .string(scalar, isAtStart: true)
    case "\u{1b}":
      events.append(.key(.escape))
    default:
      state = .ground
      var key = XtermSequences.controlKey(scalar) ?? .character(Character(scalar))
      key = TerminalKey(key.code, modifiers: key.modifiers.union(.alt))
      events.append(.key(key))
    }
  }

  private mutating func takeSequence(_ scalar: Unicode.Scalar, after parameters: String) {
    var parameters = parameters
    if parameters == "<?" {
      // ncurses swallowed the prefix: a digit belongs to the modern report, all else to the old.
      guard (0x30...0x39).contains(scalar.value) else {
        state = .mouseBytes([scalar.value])
        return
      }
      parameters = "<"
    }
    switch scalar.value {
    case 0x20...0x3F where parameters.unicodeScalars.count < Self.longestSequence:
      parameters.unicodeScalars.append(scalar)
      state = .csi(parameters)
    case 0x40...0x7E:
      state = .ground
      finishSequence(parameters, final: scalar)
    case 0x1B:
      state = .escape
    default:
      state = .ground
    }
  }

  private mutating func finishSequence(_ parameters: String, final: Unicode.Scalar) {
    switch (parameters, final) {
    case ("200", "~"): state = .paste
    case (_, "y"):
      guard let state = XtermSequences.state(ofMode: 2026, parameters) else { return }
      isAwaitingFrames = false
      // It is on or off; one that is so for ever cannot be used.
      takesFrames = state == 1 || state == 2
    case ("", "M"): state = .mouseBytes([])
    case (_, "M"), (_, "m"):
      if parameters.hasPrefix("<"),
        let event = XtermSequences.mouse(
          parameters: String(parameters.dropFirst()), isRelease: final == "m")
      {
        events.append(.mouse(event))
      }
    default:
      if let key = XtermSequences.csiKey(parameters, final: final) { events.append(.key(key)) }
    }
  }

  /// Takes a character of an operating system command: what terminals answer to questions.
  private mutating func takeCommand(_ scalar: Unicode.Scalar, after text: String) {
    switch scalar.value {
    case 0x07:
      state = .ground
      finishCommand(text)
    case 0x1B: state = .commandEnd(text)
    case 0x20...0x7E where text.unicodeScalars.count < Self.longestSequence:
      state = .command(text + String(scalar))
    default: takeString(scalar)
    }
  }

  /// Takes a character of a string that means nothing here, such as a late answer to a question of
  /// another program; a control character that cannot be in one ends it, so that a user can.
  private mutating func takeString(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x07: state = .ground
    case 0x1B: state = .stringEnd
    case 0x00..<0x20: state = .ground
    default: state = .string(scalar, isAtStart: false)
    }
  }

  private mutating func finishCommand(_ text: String) {
    if let colour = XtermSequences.background(text) { events.append(.background(colour)) }
  }

  private mutating func takePasted(_ scalar: Unicode.Scalar) {
    pasted.unicodeScalars.append(scalar)
    guard scalar == "~", pasted.utf8.suffix(6).elementsEqual(Self.pasteEnd.utf8) else { return }
    pasted.unicodeScalars.removeLast(6)
    finishPaste()
  }

  /// Whether what was read at once is an answer of a terminal but for its ESC: nobody types as fast.
  private static func isRestOfAnswer(_ tokens: some Sequence<InputToken>) -> Bool {
    ["]11;", "[?2026;"].contains { answer in
      let start = answer.unicodeScalars.map { InputToken.scalar($0) }
      return tokens.prefix(start.count).elementsEqual(start)
    }
  }

  /// Whether all that was read at once is Ctrl-C: a paste whose end never comes can be ended so.
  private static func isInterrupt(_ tokens: some Sequence<InputToken>) -> Bool {
    var count = 0
    for token in tokens {
      guard case .scalar("\u{3}") = token, count == 0 else { return false }
      count += 1
    }
    return count == 1
  }

  private mutating func finishPaste() {
    events.append(.paste(Self.withPlainLineEnds(pasted)))
    pasted = ""
    state = .ground
  }

  /// The text with `\n` for the carriage returns that terminals make of line ends.
  private static func withPlainLineEnds(_ text: String) -> String {
    guard text.utf8.contains(13) else { return text }
    var result = ""
    var wasReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" || (scalar == "\n" && !wasReturn) {
        result.unicodeScalars.append("\n")
      } else if scalar != "\n" {
        result.unicodeScalars.append(scalar)
      }
      wasReturn = scalar == "\r"
    }
    return result
  }

  /// Decides what was left open when there is nothing more to read.
  private mutating func endOfInput() {
    flush()
    switch state {
    case .escape:
      mayHaveLostEscape = isAwaitingBackground || isAwaitingFrames
      events.append(.key(.escape))
      state = .ground
    case .csi("") where !isAwaitingFrames:
      events.append(.key(.alt("[")))
      state = .ground
    case .ss3:
      events.append(.key(.alt("O")))
      state = .ground
    case .command("") where !isAwaitingBackground:
      events.append(.key(.alt("]")))
      state = .ground
    case .string(let scalar, isAtStart: true):
      events.append(.key(.alt(Character(scalar))))
      state = .ground
    case .ground, .csi, .mouseBytes, .paste, .command, .commandEnd, .string, .stringEnd: break
    }
  }

  /// Sends the characters that nothing joined.
  private mutating func flush() {
    for character in pending { events.append(.key(.character(character))) }
    pending = ""
  }
}
