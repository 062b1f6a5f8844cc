import Testing

@testable import TerminalNcurses

@Suite struct LocalClipboardTests {
  private func words(_ environment: [String: String], _ installed: Set<String>) -> [String]? {
    LocalClipboard(environment) { installed.contains($0) }?.words
  }

  @Test func `The program is selected by the environment and must be installed`() {
    let all: Set = ["tmux", "wl-copy", "xclip", "xsel"]
    let everywhere = ["TMUX": "/tmp/tmux,1,0", "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"]
    #expect(words(everywhere, all) == ["tmux", "load-buffer", "-w", "-"])
    #expect(words(everywhere, all.subtracting(["tmux"])) == ["wl-copy"])
    #expect(words(["DISPLAY": ":0"], all)?.first == "xclip")
    #expect(words(["DISPLAY": ":0"], ["xsel"]) == ["xsel", "-ib"])
    #expect(words(["DISPLAY": "", "TMUX": ""], all) == nil)
    #expect(words([:], all) == nil)
    #expect(words(["DISPLAY": ":0"], []) == nil)
  }

  @Test func `A program that closes its output and goes on is not waited for`() {
    #expect(LocalClipboard.output(of: ["sh", "-c", "echo text"]) == Array("text\n".utf8))
    let start = ContinuousClock.now
    #expect(LocalClipboard.output(of: ["sh", "-c", "echo text; exec sleep 20 >&-"]) == nil)
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
