import TerminalUI

/// Converts input from ncurses to events.
///
/// ncurses recognizes the sequences listed in terminfo. All others arrive as single characters and
/// are parsed here: keys with modifiers, mouse reports, pasted text, Alt. Unknown sequences are
/// ignored and never become typed characters.
struct InputParser {
  /// The parser states.
  private enum State {
    case ground
    case escape
    case csi(String)
    case ss3
    case mouseBytes([UInt32])
    case paste
    case command(String)
    case commandEnd(String)
    /// Inside an irrelevant string sequence; at its start, nothing but the introducer has arrived.
    case string(Unicode.Scalar, isAtStart: Bool)
    case stringEnd
  }

  private var state = State.ground
  /// Characters to which a combining mark may still be added.
  private var pending = ""
  /// The text pasted so far.
  private var pasted = ""
  private var events: [TerminalEvent] = []
  /// Whether the background color was queried and no input has arrived since.
  ///
  /// While true, input that starts like an answer is parsed as one, however it is split up.
  var isAwaitingBackground = false

  /// Whether synchronized output was queried and no input has arrived since.
  var isAwaitingFrames = false
  /// Whether the last input was only an ESC while an answer was expected: either the key, or the
  /// start of an answer that is split up.
  private var mayHaveLostEscape = false
  /// Whether the terminal reported support for synchronized output.
  private(set) var takesFrames = false

  /// The maximum length of a sequence; longer ones are ignored.
  private static let longestSequence = 64
  private static let pasteEnd = "\u{1b}[201~"

  /// Parses the input that is currently available and returns its events.
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
      // The prefix is `ESC [ <` or `ESC [ M`, depending on the next character.
      flush()
      state = .csi("<?")
    case (_, .unknownKey):
      flush()
      state = .ground
    }
  }

  /// Parses a character outside pasted text.
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
      // ncurses consumed the prefix: a digit belongs to an SGR report, anything else to an X10 one.
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
      // On or off; a permanent setting is of no use.
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

  /// Parses a character of an operating system command (OSC), as in answers to queries.
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

  /// Skips a character of an irrelevant string, such as a late answer to another program's query.
  ///
  /// A control character ends the string, so that users can get out of it.
  private mutating func takeString(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x07: state = .ground
    case 0x1B: state = .stringEnd
    case 0x00..<0x20: state = .ground
    default: state = .string(scalar, isAtStart: false)
    }
  }

  private mutating func finishCommand(_ text: String) {
    if let color = XtermSequences.background(text) { events.append(.background(color)) }
  }

  private mutating func takePasted(_ scalar: Unicode.Scalar) {
    pasted.unicodeScalars.append(scalar)
    guard scalar == "~", pasted.utf8.suffix(6).elementsEqual(Self.pasteEnd.utf8) else { return }
    pasted.unicodeScalars.removeLast(6)
    finishPaste()
  }

  /// Whether the input is an answer without its ESC; no one types that fast.
  private static func isRestOfAnswer(_ tokens: some Sequence<InputToken>) -> Bool {
    ["]11;", "[?2026;"].contains { answer in
      let start = answer.unicodeScalars.map { InputToken.scalar($0) }
      return tokens.prefix(start.count).elementsEqual(start)
    }
  }

  /// Whether the input is just Ctrl-C, which ends a paste whose end never arrives.
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

  /// Returns the text with `\n` for the carriage returns that terminals send for line ends.
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

  /// Resolves pending states when no more input is available.
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

  /// Sends the pending characters.
  private mutating func flush() {
    for character in pending { events.append(.key(.character(character))) }
    pending = ""
  }
}
