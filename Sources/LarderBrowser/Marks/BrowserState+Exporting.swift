package import LarderModel
import LarderFormats

extension BrowserState {
  /// The keys that a command applies to: the marked ones in order, or else the selected one.
  var chosenKeys: [EntryKey] {
    guard let model = keys else { return [] }
    if !model.marked.isEmpty { return model.marked.sorted() }
    guard let key = model.selected?.key, key.branchPrefix == nil else { return [] }
    return [key]
  }

  /// Copies the marked keys to the clipboard, one per line.
  mutating func copyKeys() -> Effects {
    let style = keys?.store.keyStyle ?? .typed
    let text = chosenKeys.map { $0.notation(style) }.joined(separator: "\n")
    guard text.utf8.count <= EntriesText.maximumCopy else {
      say(Messages.tooManyKeys, .warning)
      return []
    }
    return copy(text, saying: Messages.copied(Messages.keys(chosenKeys.count)))
  }

  /// Copies the marked entries, or else the selected one, to the clipboard in a given format.
  mutating func copy(as typed: String) -> Effects {
    guard let store = keys?.store else { return [] }
    guard let format = EntriesText.Format(rawValue: typed.lowercased()) else {
      say(Messages.noCopyFormat(typed, EntriesText.Format.allCases.map(\.rawValue)), .error)
      return []
    }
    guard !chosenKeys.isEmpty else { return [] }
    if format == .keys { return copyKeys() }
    let ticket = ticket { $0.exporting?.token }
    exporting = ExportInProgress(token: ticket.token, isExport: false)
    return [
      CopyEntries(
        store: store.reference, keys: chosenKeys,
        form: EntriesText(format, store.keyStyle, store.valueColumns), ticket: ticket)
    ]
  }

  /// Exports the marked entries, or else the selected one, to a JSON Lines file.
  mutating func export(to typed: String) -> Effects {
    guard let store = keys?.store else { return [] }
    let words = typed.split(separator: " ", maxSplits: 1)
    let replaces = words.first == "--replace"
    let path = replaces ? words.dropFirst().joined() : typed
    guard !path.isEmpty else {
      say(Messages.whichFile, .error)
      return []
    }
    guard !chosenKeys.isEmpty else { return [] }
    let ticket = ticket { $0.exporting?.token }
    exporting = ExportInProgress(token: ticket.token, isExport: true)
    return [
      ExportEntries(
        store: store.reference, keys: chosenKeys, path: path, replaces: replaces, question: ticket)
    ]
  }

  mutating func entriesCopied(_ result: Answer<EntriesExport>) -> Effects {
    guard let wanted = exporting else { return [] }
    exporting = nil
    switch result {
    case .success(let taken):
      if let path = taken.path {
        say(Messages.exported(taken.count, to: path))
        return []
      }
      return copy(taken.text, saying: Messages.copied(Messages.entries(taken.count)))
    case .failure(.cancelled):
      if wanted.isExport { say(Messages.stopped(Messages.nothing("exported"))) }
      return []
    case .failure(let error):
      say(error.message, .error)
      return []
    }
  }

  /// Stops the copy or export in progress.
  ///
  /// If the file of an export is being written already, that completes and is reported.
  mutating func stopExport() -> Effects {
    guard let wanted = exporting else { return [] }
    if wanted.isExport { return [CancelBulkChange(token: wanted.token)] }
    exporting = nil
    say(Messages.nothing("copied"))
    return [Cancel(.text)]
  }
}

/// A copy or export in progress.
package struct ExportInProgress: Sendable, Equatable {
  /// The token of the effect.
  package var token: Int
  /// Whether the entries are for a file rather than for the clipboard.
  package var isExport: Bool
}

/// A text format for entries, with one per line.
package struct EntriesText: Sendable, Equatable {
  /// The available formats.
  package enum Format: String, Sendable, CaseIterable {
    /// The key alone.
    case keys
    /// The key, a tab and the value, with backslashes, tabs and line breaks escaped.
    case table
    /// JSON objects, as in an export.
    case json
  }

  package let format: Format
  package let keyStyle: KeyStyle
  /// The value and expiry columns of rows that have one value.
  package let columns: ValueColumns?

  /// The maximum number of bytes to copy to the clipboard.
  ///
  /// Clipboard programs accept this much. A terminal may accept less, which it reports itself.
  static let maximumCopy = 750_000
  /// The maximum number of bytes to write to a file.
  static let maximumFile = 256 << 20

  package init(_ format: Format, _ keyStyle: KeyStyle, _ columns: ValueColumns? = nil) {
    self.format = format
    self.keyStyle = keyStyle
    self.columns = columns
  }

  /// Returns the line for an entry, which must have its whole value.
  package func line(_ entry: Entry) -> String {
    let value = entry.value ?? .null
    switch format {
    case .keys: return entry.key.notation(keyStyle)
    case .table:
      let key = Self.escaped(entry.key.notation(keyStyle))
      return key + "\t" + Self.escaped(ValueText.text(of: value))
    case .json:
      let line = EntryLine(
        key: entry.key, value: value, expires: entry.expires, form: entry.form, columns: columns)
      return line.text(modified: entry.modified)
    }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// The text of entries to copy or export.
package struct EntriesExport: Sendable, Equatable {
  package var text = ""
  /// The number of entries.
  package var count: Int
  /// The path of the file that was written, or `nil` for the clipboard.
  package var path: String?

  package init(text: String = "", count: Int, path: String? = nil) {
    self.text = text
    self.count = count
    self.path = path
  }
}
