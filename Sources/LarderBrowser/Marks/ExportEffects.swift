package import LarderModel
import LarderDocuments
import Harmony

extension EffectSlot {
  static let text = EffectSlot("text")
}

/// Reads entries as text for the clipboard.
package struct CopyEntries: BrowserEffect {
  package let store: StoreReference
  package let keys: [EntryKey]
  package let form: EntriesText
  package let ticket: Ticket?
  package var slot: EffectSlot? { .text }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        try await runner.text(
          of: keys, form, limit: EntriesText.maximumCopy, in: runner.opened(store))
      })
  }

  package func receive(_ reply: Answer<EntriesExport>, in state: inout BrowserState) -> Effects {
    state.entriesCopied(reply)
  }
}

/// Exports entries to a file.
package struct ExportEntries: BrowserEffect {
  package let store: StoreReference
  package let keys: [EntryKey]
  package let path: String
  package let replaces: Bool
  package let question: Ticket
  package var ticket: Ticket? { question }
  package var isWrite: Bool { true }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        try await runner.working(question.token, reply.send) { try await export(runner, $0) }
      })
  }

  private func export(_ runner: EffectRunner, _ scan: Scan) async throws -> EntriesExport {
    let opened = try runner.opened(store)
    guard let files = runner.environment.files else {
      throw StoreError.notSupported(Messages.noFiles)
    }
    let json = EntriesText(.json, opened.store.keyStyle, opened.store.valueColumns)
    let taken = try await runner.text(
      of: keys, json, limit: EntriesText.maximumFile, in: opened, scan)
    let written = try files.write(
      FileWriter.Order(
        bytes: Array(taken.text.utf8), path: path, replaces: replaces,
        spared: runner.registry.openPaths))
    return EntriesExport(count: taken.count, path: written)
  }

  package func receive(_ reply: Answer<EntriesExport>, in state: inout BrowserState) -> Effects {
    state.entriesCopied(reply)
  }
}

extension EffectRunner {
  /// Returns the lines for some entries.
  ///
  /// - Throws: `StoreError` if an entry does not exist or cannot be read, or if the text exceeds
  ///   the limit.
  func text(
    of keys: [EntryKey], _ text: EntriesText, limit: Int, in opened: StoreRegistry.Opened,
    _ scan: Scan? = nil
  ) async throws -> EntriesExport {
    if opened.store.hidesValues { throw StoreError.secrets(Messages.severalSecrets) }
    var lines = ""
    var count = 0
    try await opened.store.source.forEachEntry(keys, readsFiles: true) { place, entry in
      try scan?.reportRead(place)
      guard let entry else {
        throw StoreError.notFound(Messages.gone(keys[place].notation(text.keyStyle)))
      }
      guard entry.isWhole, entry.value != nil, entry.canBeRecreated || text.format != .json else {
        throw StoreError.notSupported(
          Messages.notExported(entry.key.notation(text.keyStyle)))
      }
      var exported = entry
      exported.expires = entry.expiresAt(in: opened.store)
      lines += text.line(exported) + "\n"
      count += 1
      guard lines.utf8.count <= limit else {
        throw StoreError.notSupported(Messages.tooLargeToExport(kilobytes: limit / 1_000))
      }
    }
    return EntriesExport(text: lines, count: count)
  }
}
