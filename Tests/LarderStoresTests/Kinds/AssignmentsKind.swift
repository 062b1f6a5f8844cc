import Foundation
import Harmony
import LarderModel

@testable import LarderStoreBase
@testable import LarderStores

/// Files of assignments, such as `.env`, which are only read.
enum AssignmentsKind: OpenableKind {
  static let kind = StoreKind(
    name: "assignments",
    recognizedBy: "NAME=value on its first line, whatever the name of the file",
    collections: "–", keys: "the names")

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file(let bytes, _) = probe.target,
      String(decoding: bytes, as: UTF8.self).prefixMatch(of: /[A-Z_][A-Z0-9_]*=/) != nil
    else { return nil }
    return "the first line of the file is NAME=value"
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let path = probe.location.path
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .cannotOpen("\(path) cannot be read, or is not UTF-8")
    }
    var entries: [Entry] = []
    for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && !line.hasPrefix("#") {
      guard let mark = line.firstIndex(of: "=") else {
        throw .corrupt("\(path) has no assignment on line \(place + 1)")
      }
      let value = String(line[line.index(after: mark)...])
      entries.append(Entry(key: .text(String(line[..<mark])), value: .text(value)))
    }
    let reason = "larder does not write files of assignments"
    let store = Store(
      kind: kind, location: probe.location, capabilities: [.ordered, .searchable, .prefixes],
      keyStyle: .text, readOnlyReason: reason,
      source: AnyDataSource(MemoryEntrySource(entries, isReadOnly: true)))
    return OpenStore(
      kind: kind, location: probe.location, evidence: evidence, readOnlyReason: reason
    ) { _ in store }
  }

  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let path = folder + "/app.env"
    do {
      try "# How the app starts.\nHOST=localhost\nPORT=8080\n".write(
        toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw .failed("\(path) cannot be written: \(error.localizedDescription)")
    }
    return path
  }
}
