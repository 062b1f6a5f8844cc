import LarderModel

/// Reads a configuration, setting by setting, so that a mistake in one leaves the others.
package struct ConfigurationReader {
  /// What was read so far.
  package internal(set) var configuration = Configuration()
  /// What could not be applied, in the order of the file.
  package internal(set) var problems: [ConfigurationProblem] = []
  /// The line of each setting, from 1.
  package private(set) var lines: [String: Int] = [:]
  /// The usual spelling of a key of the keyboard, or nil where there is no such key.
  let spelling: (String) -> String?

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: JSON in UTF-8, with comments and a comma before the end of a list where one likes.
  ///   - spelling: The usual spelling of a key of the keyboard, or nil where there is no such key.
  package init(_ bytes: [UInt8], spelling: @escaping (String) -> String?) {
    self.spelling = spelling
    // A file that was only just made sets nothing.
    guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else { return }
    do {
      let root = try ConfigurationNode(bytes)
      guard let members = root.members else {
        add("the file has to be an object: {\"theme\": \"nord\"}", at: root, "")
        return
      }
      for (name, node) in members { take(name, node) }
    } catch {
      problems.append(error)
      if String(decoding: bytes, as: UTF8.self).contains(Self.readOnly) { closeStores() }
    }
  }

  private static let readOnly = "read-only"

  /// Has nothing written, as the setting that the last mistake is in may have said so.
  private mutating func closeStores() {
    configuration.isReadOnly = true
    guard let last = problems.popLast() else { return }
    problems.append(
      ConfigurationProblem(
        line: last.line, name: last.name,
        message: last.message + (last.message.hasSuffix("?") ? " " : "; ")
          + "nothing is written until that is right"))
  }

  private mutating func take(_ name: String, _ node: ConfigurationNode) {
    guard let setting = ConfigurationSetting.all.first(where: { $0.name == name }) else {
      let names = ConfigurationSetting.all.map(\.name)
      let advice = Nearest.advice(
        for: name, in: names, otherwise: "the settings are \(names.joined(separator: ", "))")
      add("there is no such setting; \(advice)", at: node, name)
      if Nearest.word(to: name.lowercased(), in: names) == Self.readOnly { closeStores() }
      return
    }
    if let line = lines[name] {
      add("this is set in line \(line), too; leave one of them", at: node, name)
    }
    let count = problems.count
    setting.take(&self, node)
    if problems.count > count, name == Self.readOnly { closeStores() }
    if problems.count == count || lines[name] == nil { lines[name] = node.line }
  }

  /// Notes a mistake.
  mutating func add(_ message: String, at node: ConfigurationNode, _ name: String) {
    problems.append(ConfigurationProblem(line: node.line, name: name, message: message))
  }
}
