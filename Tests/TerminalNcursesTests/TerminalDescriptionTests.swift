import CNcurses
import Glibc
import TerminalUI
import Testing

@testable import TerminalNcurses

/// An extension of the serialized suite because terminfo has global state as well.
extension NcursesTerminalTests {
  @Test(arguments: ["", "dumb", "no-such-terminal", "../../etc/passwd"])
  func `Unsuitable terminals are refused with a message`(term: String) throws {
    let error = try #require(throws: TerminalError.self) {
      _ = try TerminalOnFiles(term: term)
    }
    #expect(error.code == .unsuitableTerminal)
    #expect(error.message.contains("xterm-256color"))
  }

  @Test func `Files are not terminals`() throws {
    let null = open("/dev/null", O_RDWR)
    defer { close(null) }
    let error = try #require(throws: TerminalError.self) {
      _ = try NcursesTerminal(input: null, output: null)
    }
    #expect(error.code == .notATerminal)
  }

  @Test(
    arguments: [
      ("xterm-256color", [:], ColorDepth.indexed256), ("xterm", [:], .ansi8),
      ("vt100", [:], .monochrome), ("linux", [:], .ansi8), ("tmux-256color", [:], .indexed256),
      ("xterm-256color", ["NO_COLOR": "1"], .monochrome),
      ("xterm-256color", ["NO_COLOR": ""], .indexed256),
    ] as [(String, [String: String], ColorDepth)])
  func colorDepthFollowsTheEnvironment(
    term: String, environment: [String: String], depth: ColorDepth
  ) throws {
    let place = try TerminalOnFiles(term: term, environment: environment)
    defer { place.close() }
    #expect(place.terminal.colorDepth == depth)
  }

  @Test(arguments: ["vt100", "linux", "xterm", "screen", "rxvt-unicode", "ansi"])
  func `Colored screens are shown on every terminal`(term: String) throws {
    let place = try TerminalOnFiles(term: term)
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    for index in UInt8.min...UInt8.max {
      screen.put(
        "x", at: Point(x: Int(index % 40), y: Int(index / 40)),
        style: Style(foreground: .indexed(index), background: .rgb(index, 9, 200)))
    }
    place.terminal.present(screen)
    #expect(place.cell(3, 3).text == "x")
    #expect(place.written().contains("x"))
  }

  @Test func `Widths agree with the system`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    var different: [String] = []
    // Only ideographs and unassigned scalars follow.
    for value in UInt32(0xA0)...0x20010 {
      guard let scalar = Unicode.Scalar(value), !Sanitizer.display(String(scalar)).hasPrefix("\\"),
        case let width = cn_wcwidth(wchar_t(value)), width >= 0
      else { continue }
      if Int(width) != TextWidth.of(scalar) { different.append(String(value, radix: 16)) }
    }
    #expect(different.isEmpty)
  }
}
