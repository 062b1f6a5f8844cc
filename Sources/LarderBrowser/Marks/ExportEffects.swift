package import LarderModel
package import LarderOperations
import Harmony

extension EffectSlot {
  static let text = EffectSlot("text")
}

/// Reads entries as text for the clipboard.
package struct CopyEntries: BrowserEffect {
  package let store: StoreReference
  package let keys: [EntryKey]
  package let format: EntriesText.Format
  package let ticket: Ticket?
  package var slot: EffectSlot? { .text }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        let export = try runner.export(keys, of: store, as: format)
        var text: [UInt8] = []
        let report = try await export.run(Scan()) { lines in
          text += lines
          guard text.count <= BrowserState.maximumCopy else {
            throw StoreError.notSupported(Messages.tooLargeForClipboard)
          }
        }
        return ExportedEntries(text: String(decoding: text, as: UTF8.self), report: report)
      })
  }

  package func receive(_ reply: Answer<ExportedEntries>, in state: inout BrowserState) -> Effects {
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

  private func export(_ runner: EffectRunner, _ scan: Scan) async throws -> ExportedEntries {
    guard let files = runner.environment.files else {
      throw StoreError.notSupported(Messages.noFiles)
    }
    let export = try runner.export(keys, of: store, as: .json)
    var report: ExportReport?
    let order = FileWriter.Order(path: path, replaces: replaces) { runner.registry.openPaths }
    let written = try await files.write(order) { append in
      let exported = try await export.run(scan, append)
      // An older export may have what could not be read now.
      if exported.count == 0 || replaces && exported.hasUnreadable {
        throw StoreError.failed(Messages.notExported(exported.remarks))
      }
      report = exported
    }
    guard let report else { throw CoreError.DataSerialization() }
    return ExportedEntries(report: report, path: written)
  }

  package func receive(_ reply: Answer<ExportedEntries>, in state: inout BrowserState) -> Effects {
    state.entriesCopied(reply)
  }
}

extension EffectRunner {
  /// Returns the export of some entries of an open store.
  ///
  /// - Throws: `StoreError` if the store is closed.
  func export(
    _ keys: [EntryKey], of reference: StoreReference, as format: EntriesText.Format
  ) throws(StoreError) -> Export {
    Export(.keys(keys), from: try opened(reference).store, as: format)
  }
}
