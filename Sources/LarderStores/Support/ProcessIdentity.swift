import Foundation

/// A process as what it leaves behind names it, so that what a killed one has begun can be told from
/// what another is doing just now.
enum ProcessIdentity {
  /// The name of this process: its number, and when it was started, as numbers are used again.
  static let own = name(of: getpid()) ?? "\(getpid())"

  /// Whether a process of the name is still running; true where that cannot be found out.
  static func isRunning(_ name: String) -> Bool {
    guard let number = pid_t(name.prefix { $0.isNumber }), number > 0 else { return false }
    guard kill(number, 0) == 0 || errno == EPERM else { return false }
    return Self.name(of: number).map { $0 == name } ?? true
  }

  private static func name(of process: pid_t) -> String? {
    guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(process)/stat")),
      // The name of the program comes before, and may hold anything.
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    // Field 22 of proc(5), counted from 1; the first two are gone here.
    guard fields.count > 19 else { return nil }
    // A zombie is running no more.
    return fields[0] == "Z" ? "" : "\(process):\(fields[19])"
  }
}
