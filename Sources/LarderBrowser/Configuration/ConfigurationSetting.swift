import LarderModel

/// A setting in the configuration file.
///
/// The table in the README is generated from ``all``. To add a setting, add it there.
package struct ConfigurationSetting: Sendable {
  /// The name in the file.
  package let name: String
  /// An example value.
  package let example: String
  /// The description.
  package let help: String
  /// Applies a value, or records an error.
  let take: @Sendable (inout ConfigurationReader, ConfigurationNode) -> Void

  /// All settings.
  package static let all: [ConfigurationSetting] = [
    text(
      "theme", "\"nord\"", help: "The theme of the browser: a name of larder themes, or a path."
    ) { $0.theme = $1 },
    text(
      "delimiter", "\":\"", help: "Key separator for the tree; guessed by default."
    ) { $0.delimiter = $1 },
    truth(
      "read-only", "true", help: "Never write, as with --read-only."
    ) { $0.isReadOnly = $1 },
    truth(
      "journal", "false", help: "Record changes, so that they can be undone."
    ) { $0.keepsJournal = $1 },
    truth(
      "resume", "true", help: "Without a location, reopen the last session, as with --resume."
    ) { $0.resumes = $1 },
    ConfigurationSetting(
      name: "keys", example: "{\"undo\": [\"U\", \"Ctrl-O\"]}",
      help: "Key bindings; they replace the default keys of a command."
    ) { $0.takeKeys($1) },
    ConfigurationSetting(
      name: "protected", example: "[\"~/live/*.db\"]",
      help: "Stores to protect with a warning; * and ? are wildcards."
    ) { $0.takeProtected($1) },
    ConfigurationSetting(
      name: "expiry",
      example: "{\"~/app/*.db#sessions\": {\"column\": \"valid\", \"unit\": \"s\"}, "
        + "\"~/thumbs\": {\"ttl\": \"7d\"}}",
      help: "Where stores keep their expiry, or \"none\"; overrides detection."
    ) { $0.takeExpiry($1) },
    ConfigurationSetting(
      name: "lenses",
      example: "{\"thumbs\": {\"table\": \"t\", \"key\": \"url\", \"value\": \"body\", "
        + "\"expires\": \"dies\", \"unit\": \"ms\"}}",
      help: "How to read tables of your own programs."
    ) { $0.takeLenses($1) },
  ]

  private static func text(
    _ name: String, _ example: String, help: String,
    set: @escaping @Sendable (inout Configuration, String) -> Void
  ) -> Self {
    ConfigurationSetting(name: name, example: example, help: help) { reader, node in
      guard let text = node.text else {
        return reader.add(Messages.mustBeText(such: example), at: node, name)
      }
      guard !text.isEmpty else {
        return reader.add(Messages.emptySetting(example), at: node, name)
      }
      set(&reader.configuration, text)
    }
  }

  private static func truth(
    _ name: String, _ example: String, help: String,
    set: @escaping @Sendable (inout Configuration, Bool) -> Void
  ) -> Self {
    ConfigurationSetting(name: name, example: example, help: help) { reader, node in
      guard let bool = node.bool else {
        return reader.add(Messages.mustBeTruth, at: node, name)
      }
      set(&reader.configuration, bool)
    }
  }
}

extension ConfigurationReader {
  fileprivate mutating func takeProtected(_ node: ConfigurationNode) {
    guard let elements = node.elements else {
      return add(Messages.mustBePaths, at: node, "protected")
    }
    for element in elements {
      guard let path = element.text, path.hasPrefix("/") || path.hasPrefix("~/") else {
        add(Messages.mustBePath, at: element, "protected")
        continue
      }
      configuration.protected.append(path)
    }
  }

  fileprivate mutating func takeKeys(_ node: ConfigurationNode) {
    guard let members = node.members else {
      return add(Messages.mustBeCommands, at: node, "keys")
    }
    var callers: [String: [Command]] = [:]
    var losses: [(node: ConfigurationNode, name: String, key: String, loser: Command)] = []
    for (id, node) in members {
      let name = "keys.\(id)"
      guard let command = Command.named(id) else {
        let advice = SpellingSuggestion.advice(
          for: id, in: Command.all.map(\.id), otherwise: Messages.listed(by: "larder keys"))
        add(Messages.unknown("command", advice), at: node, name)
        continue
      }
      guard let texts = node.text.map({ [$0] }) ?? list(node) else {
        add(Messages.mustBeKeys, at: node, name)
        continue
      }
      let keys = texts.compactMap { text -> String? in
        guard let key = spelling(text) else {
          add(Messages.noKeyName(text, near: nearestKey(to: text)), at: node, name)
          return nil
        }
        guard !Self.fixed.contains(key) else {
          add(Messages.fixedKey(key), at: node, name)
          return nil
        }
        if let other = callers[key]?.first(where: { !$0.places.isDisjoint(with: command.places) }) {
          add(Messages.usedKey(key, other.id), at: node, name)
          return nil
        }
        callers[key, default: []].append(command)
        return key
      }
      // If only some of the keys are wrong, the others apply; if all are, the command keeps its
      // own.
      guard !keys.isEmpty || texts.isEmpty else { continue }
      for loser in configuration.bindings.choose(keys, for: command) {
        losses += loser.keys.map { (node, name, $0, loser.command) }
      }
    }
    // A user who also rebinds the other command has taken its key on purpose.
    let named = Set(members.map(\.0))
    for loss in losses where !named.contains(loss.loser.id) {
      guard configuration.bindings.keys(of: loss.loser).isEmpty else { continue }
      add(
        Messages.lostKey(loss.key, loss.loser.id), at: loss.node,
        loss.name)
    }
  }

  /// Returns the key that was probably meant by a mistyped one, or `nil` if none is similar enough.
  private func nearestKey(to text: String) -> String? {
    let parts = text.split(separator: "-").map(String.init)
    guard let last = parts.last else { return nil }
    let names = [
      "Enter", "Esc", "Tab", "Backspace", "Delete", "Insert", "Space", "Up", "Down", "Left",
      "Right", "Home", "End", "PgUp", "PgDn",
    ]
    let name = spelling(last) == nil ? SpellingSuggestion.word(to: last, in: names) : last
    let modifiers = parts.dropLast().map {
      SpellingSuggestion.word(to: $0, in: ["Ctrl", "Alt", "Shift"])
    }
    guard let name, !modifiers.contains(nil) else { return nil }
    return spelling((modifiers.compactMap { $0 } + [name]).joined(separator: "-"))
  }

  /// The keys that cannot be rebound.
  private static let fixed = ["Esc", "Ctrl-Z", "Ctrl-C"]

  private func list(_ node: ConfigurationNode) -> [String]? {
    guard let elements = node.elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }
}
