package import LarderModel
import LarderFormats

extension BrowserState {
  /// The keys that a command is about: those that are marked, in order, else the selected one.
  var chosenKeys: [EntryKey] {
    guard let model = keys else { return [] }
    if !model.marked.isEmpty { return model.marked.sorted() }
    guard let key = model.selected?.key, key.branchPrefix == nil else { return [] }
    return [key]
  }

  /// Puts the marked keys on the clipboard, one a line.
  mutating func copyKeys() -> Effects {
    let style = keys?.store.keyStyle ?? .typed
    let text = chosenKeys.map { $0.notation(style) }.joined(separator: "\n")
    guard text.utf8.count <= EntriesText.maximumCopy else {
      say("the keys are too many for the clipboard; larder ls prints them", .warning)
      return []
    }
    return copy(text, saying: "copied \(Self.keys(chosenKeys.count))")
  }

  /// Puts what is marked, or the selected entry, on the clipboard in a form.
  mutating func copy(as typed: String) -> Effects {
    guard let store = keys?.store else { return [] }
    guard let format = EntriesText.Format(rawValue: typed.lowercased()) else {
      let names = EntriesText.Format.allCases.map(\.rawValue).joined(separator: ", ")
      say("there is no form “\(typed)” to copy in; there are \(names)", .error)
      return []
    }
    guard !chosenKeys.isEmpty else { return [] }
    if format == .keys { return copyKeys() }
    let ticket = ticket { $0.taking?.token }
    taking = Taking(token: ticket.token, isExport: false)
    return [
      TakeText(
        store: store.reference, keys: chosenKeys,
        form: EntriesText(format, store.keyStyle, store.valueColumns), ticket: ticket)
    ]
  }

  /// Writes what is marked, or the selected entry, into a file, as JSON Lines.
  mutating func export(to typed: String) -> Effects {
    guard let store = keys?.store else { return [] }
    let words = typed.split(separator: " ", maxSplits: 1)
    let replaces = words.first == "--replace"
    let path = replaces ? words.dropFirst().joined() : typed
    guard !path.isEmpty else {
      say("export to which file? :export FILE, or :export --replace FILE", .error)
      return []
    }
    guard !chosenKeys.isEmpty else { return [] }
    let ticket = ticket { $0.taking?.token }
    taking = Taking(token: ticket.token, isExport: true)
    return [
      ExportEntries(
        store: store.reference, keys: chosenKeys, path: path, replaces: replaces, question: ticket)
    ]
  }

  mutating func textTaken(_ result: Answer<TakenText>) -> Effects {
    guard let wanted = taking else { return [] }
    taking = nil
    switch result {
    case .success(let taken):
      let entries = PrefixDeletionModel.entries(taken.count)
      if let path = taken.path {
        say("exported \(entries) to \(path)")
        return []
      }
      return copy(taken.text, saying: "copied \(entries)")
    case .failure(.cancelled):
      if wanted.isExport { say("stopped: nothing was exported") }
      return []
    case .failure(let error):
      say(error.message, .error)
      return []
    }
  }

  /// Stops what is read to be copied or exported; of a file that is being written by then, it is
  /// said that it is there.
  mutating func stopTaking() -> Effects {
    guard let wanted = taking else { return [] }
    if wanted.isExport { return [StopWork(token: wanted.token)] }
    taking = nil
    say("nothing was copied")
    return [Cancel(.text)]
  }
}

/// What is being read of entries to be taken elsewhere.
package struct Taking: Sendable, Equatable {
  /// The token of the effect.
  package var token: Int
  /// Whether it is for a file, and not for the clipboard.
  package var isExport: Bool
}

/// How entries are written one a line.
package struct EntriesText: Sendable, Equatable {
  /// The forms that lines can have.
  package enum Format: String, Sendable, CaseIterable {
    /// The key alone.
    case keys
    /// The key, a tabulator and the value, in which line feeds and the like are escaped.
    case table
    /// Objects of JSON, as an export writes them.
    case json
  }

  package let format: Format
  package let keyStyle: KeyStyle
  /// What the columns of rows mean that are one value with its expiry.
  package let columns: ValueColumns?

  /// The most bytes that are offered to the clipboard.
  ///
  /// A program for the clipboard takes that much; a terminal may take less, and says so itself.
  static let maximumCopy = 750_000
  /// The most bytes that are written into a file at once.
  static let maximumFile = 256 << 20

  package init(_ format: Format, _ keyStyle: KeyStyle, _ columns: ValueColumns? = nil) {
    self.format = format
    self.keyStyle = keyStyle
    self.columns = columns
  }

  /// The line of an entry with a whole value.
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

/// What was read of entries to be taken elsewhere.
package struct TakenText: Sendable, Equatable {
  package var text = ""
  /// The number of entries.
  package var count: Int
  /// The file that it was written to; nil where it is for the clipboard.
  package var path: String?

  package init(text: String = "", count: Int, path: String? = nil) {
    self.text = text
    self.count = count
    self.path = path
  }
}
