import Foundation

/// A program running on its own pseudo-terminal, as a user would run it.
final class PseudoTerminal {
  /// The process identifier of the program.
  let process: pid_t
  private let master: Int32

  // Linux constants that the Glibc module lacks: TIOCSPTLCK, TIOCGPTN and POSIX_SPAWN_SETSID.
  private static let unlock: UInt = 0x4004_5431
  private static let number: UInt = 0x8004_5430
  private static let newSession: Int16 = 0x80

  /// Starts a program on a new terminal of the given size.
  init(
    _ path: String, _ arguments: [String], columns: UInt16 = 120, rows: UInt16 = 40
  ) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var number: UInt32 = 0
    var lock: Int32 = 0
    guard master >= 0, ioctl(master, Self.unlock, &lock) == 0,
      ioctl(master, Self.number, &number) == 0
    else { throw ChildProcess.Failure(description: "no pseudo-terminal can be had") }
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, name, O_RDWR, 0)
    }
    posix_spawn_file_actions_addclose(&actions, master)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Self.newSession)
    process = try ChildProcess.spawn(
      path, arguments, actions: &actions, attributes: &attributes,
      environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"])
    _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    close(master)
  }

  /// Sends keys, as the bytes that a terminal sends for them.
  func press(_ keys: String) {
    _ = Array(keys.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  /// Returns the time until the program has drawn a string; nil if it exits or takes over a minute.
  func time(toDraw text: String) -> Duration? {
    let start = ContinuousClock.now
    var drawn: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while ContinuousClock.now - start < .seconds(60) {
      var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 50) > 0 else { continue }
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return nil }
      drawn += buffer[..<count]
      if String(decoding: drawn, as: UTF8.self).contains(text) {
        return ContinuousClock.now - start
      }
    }
    return nil
  }

  /// Returns the time from a key press to the last byte that the program draws in response.
  ///
  /// A byte is the last one if none follows within `quiet`.
  func response(to key: String, quiet: Duration = .milliseconds(60)) -> Duration {
    let start = ContinuousClock.now
    press(key)
    return drain(quiet: quiet).last - start
  }

  /// Reads and discards output until the program has drawn nothing for a while.
  ///
  /// - Returns: The number of bytes drawn, and the time of the last one.
  @discardableResult
  func drain(
    quiet: Duration = .milliseconds(300)
  ) -> (count: Int, last: ContinuousClock.Instant) {
    var total = 0
    var last = ContinuousClock.now
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while ContinuousClock.now - last < quiet {
      var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 20) > 0 else { continue }
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      total += count
      last = ContinuousClock.now
    }
    return (total, last)
  }

  /// The resident memory of the program, in bytes.
  var residentMemory: Int {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let digits = line?.filter(\.isNumber) ?? ""
    return (Int(digits) ?? 0) * 1_024
  }

  /// The processor time used by the program, in clock ticks.
  var processorTicks: Int {
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = stat?.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12 else { return 0 }
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }
}
