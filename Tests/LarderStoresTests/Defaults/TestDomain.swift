import Foundation

/// A user-defaults domain unique to a test, deleted with this object.
final class TestDomain: Sendable {
  let name = "larder-tests-" + UUID().uuidString

  deinit {
    for name in names { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
  }

  var location: String { "defaults:" + name }
  var list: String { "\(folder)/\(name).plist" }

  /// The folder in which Foundation stores the property lists.
  var folder: String {
    let environment = ProcessInfo.processInfo.environment
    return environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
  }

  /// The names of the domain's files.
  var names: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasPrefix(name) }
  }

  /// Runs a command in another process that uses the domain through Foundation, and returns the
  /// first line of its output.
  func ask(_ verb: String, _ key: String, _ value: String = "") throws -> String? {
    var process = try DocumentProcess(["defaults", verb, name, key, value])
    defer { process.wait() }
    return process.line()
  }
}
