import Foundation
import LarderCore
import LarderStores
import TerminalUI

/// The file that a person keeps settings in.
struct ConfigurationFile: Sendable {
  /// What is set; everything is as usual where there is no file.
  private(set) var configuration = Configuration()
  /// What of the file could not be applied, as sentences.
  private(set) var problems: [String] = []
  /// The file, and the line of each setting in it.
  private var path = ""
  private var lines: [String: Int] = [:]

  /// The greatest number of bytes that are taken for settings.
  private static let greatestSize = 1 << 20

  init() {}

  /// Reads the file that the command line names, else the usual one if there is one.
  ///
  /// - Throws: ``Failure`` where the file that was named cannot be read.
  init(_ named: String?, environment: [String: String]) throws {
    let path = named ?? HomePath.larder(.configuration, environment) + "/config.json"
    let data: Data
    do {
      data =
        try named == "-"
        ? FileHandle.standardInput.read(upToCount: Self.greatestSize + 1) ?? Data()
        : Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      guard named == nil else {
        throw Failure.usage("--config: \(path) cannot be read; name a file that is there")
      }
      if FileManager.default.fileExists(atPath: path) { problems = ["\(path) cannot be read"] }
      return
    }
    guard data.count <= Self.greatestSize else {
      problems = ["\(path) is too large for settings, and is not applied"]
      return
    }
    let reader = ConfigurationReader(Array(data)) { Key($0)?.description }
    configuration = reader.configuration
    problems = reader.problems.map { "\(path), \($0)" }
    self.path = path
    lines = reader.lines
  }

  /// Where it is set that nothing is written, as a sentence.
  var readOnlyReason: String {
    lines["read-only"].map { "\"read-only\" is set in \(path), line \($0)" }
      ?? "\(path) may say \"read-only\", and has a mistake; larder doctor names it"
  }

  /// What is wrong with a setting, with its place in the file.
  func problem(_ name: String, _ message: String) -> String {
    "\(path), \(ConfigurationProblem(line: lines[name] ?? 1, name: name, message: message))"
  }
}
