import Foundation

/// A live process that exposes its sources.
public struct InspectedProcess: Sendable, Hashable {
  /// The process ID; 0 if the system does not report it, for example inside a container.
  public var id: Int32
  /// The ID of the user that the process runs as.
  public var user: UInt32
  /// The path of the executable, or its name if the path is unavailable; nil if neither is
  /// available.
  public var program: String?

  /// Creates a description of a process and looks up its executable.
  init(id: Int32, user: UInt32) {
    self.id = id
    self.user = user
    program = Self.program(of: id)
  }

  private static func program(of id: Int32) -> String? {
    guard id > 0 else { return nil }
    let place = "/proc/\(id)"
    if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: place + "/exe") {
      return path
    }
    guard let name = try? String(contentsOfFile: place + "/comm", encoding: .utf8) else {
      return nil
    }
    return name.trimmingCharacters(in: .newlines)
  }
}

extension InspectedProcess {
  /// Whether the process is running and not stopped; false if that is unknown.
  var isRunning: Bool {
    guard id > 0, let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
      // The name of the executable is in parentheses, and may contain some itself.
      let state = text.split(separator: ")").last?.first(where: { $0 != " " })
    else { return false }
    return !"TtZXx".contains(state)
  }
}
