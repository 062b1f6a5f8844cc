import LarderFiles
import Foundation
import Harmony
import LarderBrowser
import LarderStores
import TerminalUI

/// The file that a user keeps settings in.
struct ConfigurationFile: Sendable {
  /// What is set; everything is as usual where there is no file.
  private(set) var configuration = Configuration()
  /// What of the file could not be applied, as sentences.
  private(set) var problems: [String] = []
  /// The file, and the line of each setting in it.
  private var path = ""
  private var lines: [String: Int] = [:]

  /// The maximum number of bytes that are taken for settings.
  private static let maximumSize = 1 << 20

  init() {}

  /// Reads the file that the command line names, else the usual one if there is one.
  ///
  /// - Throws: ``Failure`` where the file that was named cannot be read.
  init(_ named: String?, environment: [String: String]) throws {
    let path = named ?? HomePath.larder(.configuration, environment) + "/config.json"
    self.path = path
    let data: Data
    var refusal: TrustedPath.Refusal?
    do {
      let found = try named.map(Self.read(named:)) ?? Self.read(usual: path, &refusal)
      guard let found else { return }
      data = found
      guard data.count <= Self.maximumSize else { throw Unreadable("it is too large") }
    } catch {
      if named != nil, !(error is Unreadable) {
        throw Failure.usage("--config: \(path) cannot be read; name a file that is there")
      }
      problems = ["\(path) is not applied, so nothing is written: \(error)"]
      configuration.isReadOnly = true
      return
    }
    let reader = ConfigurationReader(Array(data)) { Key($0)?.description }
    if let refusal {
      // What others may have written can protect stores, and do nothing else.
      configuration.isReadOnly = reader.configuration.isReadOnly
      configuration.protected = reader.configuration.protected
      problems = [
        "\(path) is not applied, except for \"read-only\" and \"protected\": \(refusal)"
      ]
      lines = reader.lines
      return
    }
    configuration = reader.configuration
    problems = reader.problems.map { "\(path), \($0)" }
    lines = reader.lines
  }

  /// Why the file cannot be taken, as a clause.
  private struct Unreadable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  private static func read(named path: String) throws -> Data {
    let file =
      path == "-"
      ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    return try file.read(upToCount: maximumSize + 1) ?? Data()
  }

  /// Reads the usual file; nil where there is none, or none of a user who could get there.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - refusal: Set to why others may have written what is read, where they may.
  /// - Returns: What it holds.
  /// - Throws: Why it cannot be read.
  private static func read(
    usual path: String, _ refusal: inout TrustedPath.Refusal?
  ) throws -> Data? {
    var status = stat()
    guard lstat(path, &status) == 0 || errno == ELOOP else { return nil }
    do {
      try TrustedPath.check(file: path)
    } catch {
      refusal = error
    }
    // What stands in the place of the file may be something that opening waits for.
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw Unreadable(String(cString: strerror(errno))) }
    let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    do {
      try TrustedPath.check(descriptor: number, path)
    } catch {
      refusal = error
    }
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable("it is not a regular file")
    }
    return try file.read(upToCount: maximumSize + 1) ?? Data()
  }

  /// Where it is set that nothing is written, as a sentence.
  var readOnlyReason: String {
    lines["read-only"].map { "\"read-only\" is set in \(path), line \($0)" }
      ?? "\(path) may say \"read-only\", and cannot be read or has a mistake; larder doctor names it"
  }

  /// What is wrong with a setting, with its place in the file.
  func problem(_ name: String, _ message: String) -> String {
    "\(path), \(ConfigurationProblem(line: lines[name] ?? 1, name: name, message: message))"
  }
}
