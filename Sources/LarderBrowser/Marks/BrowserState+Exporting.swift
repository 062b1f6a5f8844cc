import LarderModel
package import LarderOperations

extension BrowserState {
  /// The maximum number of bytes to copy to the clipboard.
  ///
  /// Clipboard programs accept this much. A terminal may accept less, which it reports itself.
  static let maximumCopy = 750_000

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
    guard text.utf8.count <= BrowserState.maximumCopy else {
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
      CopyEntries(store: store.reference, keys: chosenKeys, format: format, ticket: ticket)
    ]
  }

  /// Exports the marked entries, or else the selected one, to a JSON Lines file.
  mutating func export(to typed: String) -> Effects {
    guard let store = keys?.store else { return [] }
    guard let (path, replaces) = file(typed, for: "export"), !chosenKeys.isEmpty else { return [] }
    let ticket = ticket { $0.exporting?.token }
    exporting = ExportInProgress(token: ticket.token, isExport: true)
    return [
      ExportEntries(
        store: store.reference, keys: chosenKeys, path: path, replaces: replaces, question: ticket)
    ]
  }

  /// Returns the path of a file as typed, and whether `--replace` precedes it; nil, with a message, if
  /// there is no path or another option.
  mutating func file(
    _ typed: String, for command: String
  ) -> (path: String, replaces: Bool)? {
    let words = typed.split(separator: " ", maxSplits: 1)
    let replaces = words.first == "--replace"
    let path = replaces ? words.dropFirst().joined() : typed
    guard !path.isEmpty, !path.hasPrefix("--") else {
      say(Messages.whichFile(command), .error)
      return nil
    }
    return (path, replaces)
  }

  mutating func entriesCopied(_ result: Answer<ExportedEntries>) -> Effects {
    guard let wanted = exporting else { return [] }
    exporting = nil
    switch result {
    case .success(let exported):
      let count = exported.report.count
      let done =
        exported.path.map { Messages.exported(count, to: $0) }
        ?? Messages.copied(Messages.entries(count))
      let text = ([done] + exported.report.remarks).joined(separator: "; ")
      if exported.path == nil, count > 0 { return copy(exported.text, saying: text) }
      say(text, exported.report.remarks.isEmpty ? .info : .warning)
      return []
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

/// Entries that were copied or exported.
package struct ExportedEntries: Sendable {
  /// The text for the clipboard; empty if a file was written.
  package var text = ""
  /// The number of entries, and those left out.
  package var report: ExportReport
  /// The path of the file that was written, or `nil` for the clipboard.
  package var path: String?
}
