import Foundation

/// The process that shows its sources.
public struct InspectedProcess: Sendable, Hashable {
  /// The number of the process; 0 where the system does not tell, as from inside a container.
  public var id: Int32
  /// The number of the user that it runs as.
  public var user: UInt32
  /// The path of its program, or its name where the path is not told; nil where neither is.
  public var program: String?

  /// Finds out the program of a process.
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
  /// Whether the system runs the process, and nobody has stopped it; false also where nobody can tell.
  var isRunning: Bool {
    guard id > 0, let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
      // The name of the program stands in brackets, and may have some itself.
      let state = text.split(separator: ")").last?.first(where: { $0 != " " })
    else { return false }
    return !"TtZXx".contains(state)
  }
}
