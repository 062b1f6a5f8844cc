import Foundation

/// A domain of this user's defaults that nobody else has, gone with the test.
final class TestDomain: Sendable {
  let name = "larder-tests-" + UUID().uuidString

  deinit {
    for name in names { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
  }

  var location: String { "defaults:" + name }
  var list: String { "\(folder)/\(name).plist" }

  /// Where Foundation has the lists.
  var folder: String {
    let environment = ProcessInfo.processInfo.environment
    return environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
  }

  /// The files of the domain.
  var names: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasPrefix(name) }
  }

  /// What another process says that uses the domain in its own way.
  func ask(_ verb: String, _ key: String, _ value: String = "") throws -> String? {
    var process = try DocumentProcess(["defaults", verb, name, key, value])
    defer { process.wait() }
    return process.line()
  }
}
