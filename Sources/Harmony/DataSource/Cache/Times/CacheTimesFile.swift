import Foundation

/// Keeps the times of a cache in a file beside what it caches.
///
/// The file begins with the line `harmony cache times 1`. Each line after it is the checksum of the
/// rest of the line as eight hexadecimal digits (CRC-32), when the entry was stored and when it
/// expires, both in seconds since 1970, or `-` for never, or `x` in both places for what was
/// forgotten, and the name of the entry, in which other characters than letters, digits, `.`, `_` and
/// `-` are `%` and two digits. The last line of a name counts; a line that is not whole counts for
/// nothing.
///
/// A change is one line at the end of the file, so what was written survives `kill -9`, and any number
/// of processes may use the file. One that has become long is written anew.
public final class CacheTimesFile: CacheTimesStore {
  /// The path of the file.
  public let path: String

  private let name: @Sendable (String) throws -> String
  private let state = Locked(State())

  private struct State {
    var times: [String: CacheTimes] = [:]
    var lines = 0
    var status: FileIdentity?
  }

  /// What tells whether a file is as it was.
  private struct FileIdentity: Equatable {
    var device: UInt64
    var number: UInt64
    var size: Int
  }

  /// Describes a file, which is made by the first time that is kept.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose directory has to be there.
  ///   - name: What the entry of a key is called in the file; the key itself unless given.
  public init(path: String, name: @escaping @Sendable (_ key: String) throws -> String = { $0 }) {
    self.path = path
    self.name = name
  }

  /// The path of the file for what is in a directory: beside it, as every file in it may be an entry.
  package static func path(besideDirectory path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".harmony-times"
  }

  /// Reads the times of a key.
  public func times(of key: String) throws -> CacheTimes? {
    let name = try name(key)
    return try state.withLock { state in
      try refresh(&state)
      return state.times[name]
    }
  }

  /// Keeps the times of a key, or forgets them.
  public func setTimes(_ times: CacheTimes?, of key: String) throws {
    try setTimes([try name(key): times])
  }

  /// Keeps the times of entries by their names in the file, or forgets them.
  package func setTimes(_ changes: [String: CacheTimes?]) throws {
    try state.withLock { state in
      // What nobody knows need not be forgotten.
      try refresh(&state)
      let changes = changes.filter { $0.value != nil || state.times[$0.key] != nil }
      guard !changes.isEmpty else { return }
      let lines = changes.map { CacheTimesLine(name: $0.key, times: $0.value).text }
      try append(lines.sorted().joined())
      try refresh(&state)
      if state.lines > 1_000, state.lines > state.times.count * 2 { try rewrite(&state) }
    }
  }

  /// Forgets the times of all keys.
  public func forgetTimes() throws {
    try state.withLock { state in
      guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove") }
      state = State()
    }
  }

  /// All times, by the names of the entries in the file.
  package func all() throws -> [String: CacheTimes] {
    try state.withLock { state in
      try refresh(&state)
      return state.times
    }
  }

  // MARK: The file

  private func failure(_ verb: String) -> CoreError.Failed {
    CoreError.Failed("cannot \(verb) \(PathName(path)): \(String(cString: strerror(errno)))")
  }

  /// Reads the file, if it is not as it was.
  private func refresh(_ state: inout State) throws {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      guard errno == ENOENT else { throw failure("read") }
      state = State()
      return
    }
    let identity = FileIdentity(
      device: UInt64(facts.st_dev), number: UInt64(facts.st_ino), size: Int(facts.st_size))
    guard identity != state.status else { return }
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    state = State()
    state.status = identity
    // Somebody else's file says nothing.
    guard text.hasPrefix(CacheTimesLine.head) else { return }
    // What follows the last end of a line is still being written.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
    {
      state.lines += 1
      guard let line = CacheTimesLine(line) else { continue }
      state.times[line.name] = line.times
    }
  }

  private func append(_ text: String) throws {
    try whileAlone {
      let number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      guard number >= 0 else { throw failure("write") }
      defer { close(number) }
      var facts = stat()
      guard fstat(number, &facts) == 0 else { throw failure("write") }
      var start = facts.st_size == 0 ? CacheTimesLine.head : ""
      if facts.st_size > 0 {
        let head = CacheTimesLine.head.utf8
        let found = try beginning(head.count)
        guard head.starts(with: found) else {
          throw CoreError.Failed("\(PathName(path)) is a file of something else; use another path")
        }
        if found.count < head.count {
          // A process that was killed had only just begun the file.
          guard ftruncate(number, 0) == 0 else { throw failure("write") }
          start = CacheTimesLine.head
        } else if try !endsLine() {
          // A line that a killed process began ends here.
          start = "\n"
        }
      }
      try write(start + text, to: number)
    }
  }

  private func beginning(_ count: Int) throws -> Data {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    return try handle.read(upToCount: count) ?? Data()
  }

  private func endsLine() throws -> Bool {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    let end = try handle.seekToEnd()
    try handle.seek(toOffset: end > 0 ? end - 1 : 0)
    return try handle.read(upToCount: 1)?.first == UInt8(ascii: "\n")
  }

  /// Writes the file anew, with one line for each name.
  private func rewrite(_ state: inout State) throws {
    try whileAlone {
      // Others may have written meanwhile.
      try refresh(&state)
      let draft = path + ".new"
      let number = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard number >= 0 else { throw failure("write") }
      defer { close(number) }
      let lines = state.times.sorted { $0.key.isOrderedBefore($1.key) }.map { name, times in
        CacheTimesLine(name: name, times: times).text
      }
      try write(CacheTimesLine.head + lines.joined(), to: number)
      guard rename(draft, path) == 0 else { throw failure("write") }
      state.status = nil
      try refresh(&state)
    }
  }

  private func write(_ text: String, to number: Int32) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw failure("write") }
      if count > 0 { rest = rest.dropFirst(count) }
    }
  }

  /// Does something while no other process writes the file.
  private func whileAlone(_ body: () throws -> Void) throws {
    let folder = (path as NSString).deletingLastPathComponent
    let number = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw failure("write") }
    defer { close(number) }
    while flock(number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure("lock the folder of") }
    }
    try body()
  }
}

/// A line of the file.
struct CacheTimesLine: Equatable {
  /// The first line of a file, with its end.
  static let head = "harmony cache times 1\n"

  var name: String
  var times: CacheTimes?

  init(name: String, times: CacheTimes?) {
    self.name = name
    self.times = times
  }

  /// Reads a line without its end; nil where it is not whole.
  init?(_ line: some StringProtocol) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, let sum = UInt32(parts[0], radix: 16), parts[0].utf8.count == 8,
      sum == Self.sum(parts[1...].joined(separator: " ")),
      let name = String(parts[3]).removingPercentEncoding
    else { return nil }
    self.name = name
    if parts[1] == "x" { return }
    guard let stored = Double(parts[1]), stored.isFinite else { return nil }
    let expires = Double(parts[2])
    guard parts[2] == "-" || expires?.isFinite == true else { return nil }
    times = CacheTimes(
      stored: Date(timeIntervalSince1970: stored),
      expires: expires.map { Date(timeIntervalSince1970: $0) })
  }

  /// The line with its end.
  var text: String {
    let stored = times.map { String($0.stored.timeIntervalSince1970) } ?? "x"
    let expires = times.map { times in
      times.expires.map { String($0.timeIntervalSince1970) } ?? "-"
    }
    let rest = "\(stored) \(expires ?? "x") \(Self.escaped(name))"
    let sum = String(Self.sum(rest), radix: 16)
    return String(repeating: "0", count: 8 - sum.utf8.count) + sum + " " + rest + "\n"
  }

  private static func sum(_ text: String) -> UInt32 { CRC32.checksum(text.utf8) }

  private static func escaped(_ name: String) -> String {
    PercentCoding.escaped(Array(name.utf8), besides: "._-")
  }
}
