extension Subcommand {
  static let schema = Subcommand(
    name: "schema", summary: "describe the fields of JSON output", isPaged: true
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    for (place, lines) in LineFields.all.enumerated() {
      if place > 0 { output.line("") }
      for line in lines.text { output.line(line) }
    }
    output.flush()
    return .done
  }
}

/// The fields of the JSON lines that commands print, which scripts can rely on.
struct LineFields: Sendable {
  /// A field of a line.
  struct Field: Sendable {
    let name: String
    /// The type of the value: text, integer, bool, key, value, list or object.
    let type: String
    /// Whether every line has the field.
    let isAlways: Bool
    /// The meaning, as a clause.
    let meaning: String

    static func always(_ name: String, _ type: String, _ meaning: String) -> Field {
      Field(name: name, type: type, isAlways: true, meaning: meaning)
    }

    static func sometimes(_ name: String, _ type: String, _ meaning: String) -> Field {
      Field(name: name, type: type, isAlways: false, meaning: meaning)
    }
  }

  /// The commands that print such lines.
  let commands: [String]
  /// The fields, in order.
  let fields: [Field]

  /// The lines of `export` and of all commands that have `--json`.
  static let all = [
    LineFields(
      commands: ["ls", "get", "put", "rm", "mv", "touch", "cp"],
      fields: [
        .always("key", "key", "the key; before a rename"),
        .sometimes("newKey", "key", "the key after a rename"),
        .sometimes("type", "text", "the type of the value, or of what is stored instead"),
        .sometimes("size", "integer", "the size of the value in bytes"),
        .sometimes("modified", "text", "when it was last written, as ISO 8601"),
        .sometimes("expires", "text", "when it expires, as ISO 8601"),
        .sometimes("remaining", "integer", "the seconds until then"),
        .sometimes("collection", "text", "the collection that it is in"),
        .sometimes("fingerprint", "text", "the fingerprint for put --expect"),
        .sometimes("value", "value", "the value, of get"),
        .sometimes("remarks", "list", "warnings about the change"),
      ]),
    LineFields(
      commands: ["export"],
      fields: [
        .always("key", "key", "the key"), .always("type", "text", "the type of the value"),
        .always("value", "value", "the value"),
        .sometimes("form", "text", "details of how the store holds the value, if unusual"),
        .sometimes("modified", "text", "when it was last written, as ISO 8601"),
        .sometimes("expires", "text", "when it expires, as ISO 8601, or never"),
        .sometimes("valueColumn", "text", "the column that holds the value"),
        .sometimes("expiryColumn", "text", "the column that holds the expiry"),
      ]),
    LineFields(
      commands: ["import"],
      fields: [
        .always("imported", "integer", "the number of entries written, or to be written"),
        .always("same", "integer", "the number of entries that existed already"),
        .always("location", "text", "the store"),
        .sometimes("collection", "text", "the collection in it"),
        .sometimes("remarks", "list", "warnings about the change"),
      ]),
    LineFields(
      commands: ["diff", "watch"],
      fields: [
        .always(
          "change", "text", "added, changed or removed; of watch also expired and unknown"),
        .sometimes("key", "key", "the key, if known"),
        .sometimes("type", "text", "the type of the value"),
        .sometimes("value", "value", "the value now, or in the second store"),
        .sometimes("old", "value", "the value before, or in the first store"),
        .sometimes("form", "text", "how it is stored now, or in the second store, if that differs"),
        .sometimes("oldForm", "text", "how it was stored before, or in the first store"),
      ]),
    LineFields(
      commands: ["info"],
      fields: [
        .always("location", "text", "the location"), .always("kind", "text", "the kind of store"),
        .always("recognised", "text", "how the kind was detected"),
        .sometimes("capabilities", "list", "the operations it supports"),
        .sometimes("readOnly", "text", "why it is read-only"),
        .always(
          "collections", "list",
          "the collections inside, as objects; expiry has unit, lifetimeUnit, confidence, doubts"),
        .always("facts", "object", "other facts, by name"),
      ]),
    LineFields(
      commands: ["stats"],
      fields: [
        .always("location", "text", "the store"),
        .sometimes("collection", "text", "the collection in it"),
        .sometimes("prefix", "text", "the prefix of all keys"),
        .sometimes("delimiter", "text", "the separator"),
        .always("time", "text", "when it was read, as ISO 8601"),
        .always("entries", "integer", "the number of entries"),
        .sometimes("bytes", "integer", "the total size of their values in bytes"),
        .sometimes("unsized", "integer", "the number of entries of unknown size"),
        .sometimes(
          "expiry", "object",
          "the number of entries that are expired, or expire in the next minute, hour, day, later, "
            + "never"),
        .sometimes("next", "text", "when the next one expires, as ISO 8601"),
        .sometimes("remaining", "integer", "the seconds until then"),
        .always("exact", "bool", "false if a prefix may have more entries than counted"),
        .always("whole", "bool", "false if the scan was interrupted"),
        .always(
          "prefixes", "list",
          "by size, as objects: prefix (null for keys in none) or others (how many more), entries, "
            + "bytes, share, expired, never, next, remaining, histogram (those that expire within "
            + "1m, 10m, 1h, 6h, 1d, 7d, 30d, later)"),
        .always("types", "list", "by size, as objects: type, entries, bytes"),
        .always("largest", "list", "the largest, as objects: key, size, type, expires, remaining"),
      ]),
    LineFields(
      commands: ["log", "undo", "redo"],
      fields: [
        .always("step", "integer", "the number of the change"),
        .always("time", "text", "when it was made, as ISO 8601"),
        .always("action", "text", "write, delete, rename, touch, refresh or evict"),
        .always("location", "text", "the store"),
        .sometimes("collection", "text", "the collection in it"),
        .always("key", "key", "the key of the first entry"),
        .sometimes("unreadable", "bool", "true if that key cannot be read"),
        .sometimes("newKey", "key", "the key after a rename"),
        .sometimes("columns", "list", "the columns that were changed, of one row"),
        .sometimes(
          "member", "text", "the member with all that changed, such as users[0].name"),
        .always("count", "integer", "the number of entries changed"),
        .always("undone", "bool", "whether it is undone"),
        .sometimes("partlyUndone", "bool", "true if part of it is undone"),
        .sometimes(
          "conflicts", "list",
          "entries that changed since, as objects: key, expected, found (after a rename: "
            + "expectedFingerprint, foundFingerprint); nothing is undone or redone"),
        .sometimes("remarks", "list", "messages about what was undone or redone"),
      ]),
    LineFields(
      commands: ["doctor"],
      fields: [
        .always("subject", "text", "the store, or terminal, settings or journal"),
        .always("state", "text", "fine, finding or failed"),
        .always("text", "text", "what was found"), .sometimes("advice", "text", "what to do"),
      ]),
  ]

  /// The lines of a table that both people and scripts can read.
  var text: [String] {
    [commands.joined(separator: " ")]
      + fields.map { field in
        "  " + field.name.padded(to: 14) + field.type.padded(to: 9)
          + (field.isAlways ? "always" : "-").padded(to: 8) + field.meaning
      }
  }
}

extension String {
  /// Returns the string padded with spaces to a width, with at least one space after it.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
