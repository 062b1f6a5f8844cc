import LarderModel

/// A reader of configurations that skips only the settings with errors.
package struct ConfigurationReader {
  /// The settings read so far.
  package internal(set) var configuration = Configuration()
  /// The errors so far, in file order.
  package internal(set) var problems: [ConfigurationProblem] = []
  /// The line of each setting, from 1.
  package private(set) var lines: [String: Int] = [:]
  /// Returns the canonical spelling of a key of the keyboard, or `nil` if there is no such key.
  let spelling: (String) -> String?

  /// Reads the contents of a file.
  ///
  /// - Parameters:
  ///   - bytes: JSON in UTF-8, in which comments and trailing commas are allowed.
  ///   - spelling: Returns the canonical spelling of a key of the keyboard, or `nil` if there is no
  ///     such key.
  package init(_ bytes: [UInt8], spelling: @escaping (String) -> String?) {
    self.spelling = spelling
    // An empty file has no settings.
    guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else { return }
    do {
      let root = try ConfigurationNode(bytes)
      guard let members = root.members else {
        add(Messages.mustBeObject, at: root, "")
        return
      }
      for (name, node) in members { take(name, node) }
    } catch {
      problems.append(error)
      if String(decoding: bytes, as: UTF8.self).contains(Self.readOnly) { closeStores() }
    }
  }

  private static let readOnly = "read-only"

  /// Makes all stores read-only, because the setting with the last error may have asked for it.
  private mutating func closeStores() {
    configuration.isReadOnly = true
    guard let last = problems.popLast() else { return }
    problems.append(
      ConfigurationProblem(
        line: last.line, name: last.name,
        message: last.message + (last.message.hasSuffix("?") ? " " : "; ")
          + Messages.nothingUntilFixed))
  }

  private mutating func take(_ name: String, _ node: ConfigurationNode) {
    guard let setting = ConfigurationSetting.all.first(where: { $0.name == name }) else {
      let names = ConfigurationSetting.all.map(\.name)
      let advice = SpellingSuggestion.advice(
        for: name, in: names, otherwise: Messages.settings(names))
      add(Messages.unknown("setting", advice), at: node, name)
      if SpellingSuggestion.word(to: name.lowercased(), in: names) == Self.readOnly {
        closeStores()
      }
      return
    }
    if let line = lines[name] {
      add(Messages.setTwice(line: line), at: node, name)
    }
    let count = problems.count
    setting.take(&self, node)
    if problems.count > count, name == Self.readOnly { closeStores() }
    if problems.count == count || lines[name] == nil { lines[name] = node.line }
  }

  /// Records an error.
  mutating func add(_ message: String, at node: ConfigurationNode, _ name: String) {
    problems.append(ConfigurationProblem(line: node.line, name: name, message: message))
  }
}
