import LarderFiles
import Foundation
import Harmony
import LarderBrowser
import LarderStores
import TerminalUI

/// The user's settings file.
struct ConfigurationFile: Sendable {
  /// The settings; all defaults if the file does not exist.
  private(set) var configuration = Configuration()
  /// Warnings about settings that could not be applied, as sentences.
  private(set) var problems: [String] = []
  /// The path of the file, and the line of each setting in it.
  private var path = ""
  private var lines: [String: Int] = [:]

  /// The maximum size of a settings file, in bytes.
  private static let maximumSize = 1 << 20

  init() {}

  /// Reads the file named on the command line, or the default one if it exists.
  ///
  /// - Throws: ``Failure`` if the named file cannot be read.
  init(_ named: String?, environment: [String: String]) throws {
    let path = named ?? HomePath.larder(.configuration, environment) + "/config.json"
    self.path = path
    let data: Data
    var refusal: TrustedPath.Refusal?
    do {
      let found = try named.map(Self.read(named:)) ?? Self.read(usual: path, &refusal)
      guard let found else { return }
      data = found
      guard data.count <= Self.maximumSize else { throw Unreadable.tooLarge }
    } catch {
      if named != nil, !(error is Unreadable) {
        throw Failure.unreadableSettings(path)
      }
      problems = [Messages.unreadable(path, error)]
      configuration.isReadOnly = true
      return
    }
    let reader = ConfigurationReader(Array(data)) { Key($0)?.description }
    if let refusal {
      // A file that another user may have written can only make stores safer.
      configuration.isReadOnly = reader.configuration.isReadOnly
      configuration.protected = reader.configuration.protected
      problems = [Messages.untrusted(path, refusal)]
      lines = reader.lines
      return
    }
    configuration = reader.configuration
    problems = reader.problems.map { "\(path), \($0)" }
    lines = reader.lines
  }

  /// The reason why the file cannot be read, as a clause.
  struct Unreadable: Error, CustomStringConvertible {
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

  /// Reads the default settings file; returns nil if it does not exist or cannot be reached.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - refusal: Set to the reason why another user may have written the file, if so.
  /// - Returns: The contents of the file.
  /// - Throws: An error if the file cannot be read.
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
    // Opening a FIFO in place of the file would block without `O_NONBLOCK`.
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw Unreadable(String(cString: strerror(errno))) }
    let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    do {
      try TrustedPath.check(descriptor: number, path)
    } catch {
      refusal = error
    }
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable.notRegular
    }
    return try file.read(upToCount: maximumSize + 1) ?? Data()
  }

  /// The place of the setting that makes everything read-only, as a sentence.
  var readOnlyReason: String {
    lines["read-only"].map { Messages.readOnly(bySettings: path, line: $0) }
      ?? Messages.readOnly(byUnreadable: path)
  }

  /// Returns a message about a setting, with its line in the file.
  func problem(_ name: String, _ message: String) -> String {
    "\(path), \(ConfigurationProblem(line: lines[name] ?? 1, name: name, message: message))"
  }
}
