import Foundation
import Testing

/// Limits on the process, its input and its output.
@Suite struct LimitTests {
  private let scratch: Scratch
  private let json: String

  init() throws {
    scratch = try Scratch()
    json = try scratch.file("a.json", #"{"a": 1}"#.utf8)
  }

  /// A limit of address space that only suffices for loading the program.
  private static let loading = (6...100).lazy.map { "--as=\($0)0000000" }.first { limit in
    // The loader ends with this code.
    (try? Shell.run("prlimit", [limit, Shell.larder, "--version"]).code) != 127
  }

  @Test(arguments: ["--nofile=4", loading ?? ""])
  func `too few file descriptors or too little memory ends with a message`(limit: String) throws {
    let outcome = try Shell.run("timeout", ["60", "prlimit", limit, Shell.larder, "ls", json])
    #expect(outcome.code == 3)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }

  @Test func `endless input is refused before it fills the memory`() throws {
    let outcome = try Shell.run(
      "prlimit",
      ["--as=1500000000", Shell.larder, "put", json, "a", "--file", "/dev/zero", "--no-journal"])
    #expect(outcome.code == 3, "\(outcome.errors)")
    #expect(try Data(contentsOf: URL(filePath: json)) == Data(#"{"a": 1}"#.utf8))
  }

  @Test func `an output error after a change says that the change was made`() throws {
    func run(_ words: String) throws -> Outcome {
      try Shell.run("sh", ["-c", "'\(Shell.larder)' \(words) > /dev/full"])
    }
    let read = try run("get '\(json)' a --json")
    let written = try run("put '\(json)' a 2 --json")
    #expect(read.code == 3 && written.code == 3)
    #expect(written.errors.count > read.errors.count, "\(written.errors)")
    #expect(try Data(contentsOf: URL(filePath: json)) == Data(#"{"a": 2}"#.utf8))
  }

  @Test(arguments: [(32_768, 80), (24, 65_535), (65_535, 65_535)])
  func `a window that is too large is drawn partly`(rows: Int, columns: Int) throws {
    let script = """
      import fcntl, os, pty, struct, sys, termios
      rows, columns = int(sys.argv[1]), int(sys.argv[2])
      ends = os.pipe()
      process, terminal = pty.fork()
      if process == 0:
          os.read(ends[0], 1)
          os.environ['TERM'] = 'xterm-256color'
          os.execv(sys.argv[3], sys.argv[3:])
      fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
      os.write(ends[1], b'.')
      text = b''
      while b'integer' not in text: text += os.read(terminal, 65536)
      fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
      os.write(terminal, b'q')
      try:
          while os.read(terminal, 65536): pass
      except OSError: pass
      print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
      """
    let outcome = try Shell.run(
      "timeout",
      ["120", "python3", "-c", script, "\(rows)", "\(columns)", Shell.larder, json])
    #expect(outcome.lines == ["0"], "\(outcome.errors)")
  }
}
