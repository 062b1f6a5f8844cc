import Harmony
import LarderModel
import LarderStores
import TerminalUI

extension Subcommand {
  static let info = Subcommand(
    name: "info", usage: [.location, .optional(.json)],
    summary: "explain what a location is and what it supports", isPaged: true
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    var options = arguments.openOptions
    options.timeToLive = try arguments.duration(.ttl)
    options.passwordPrompt = .terminal
    let open = try await Stores.open(try arguments.location(), options: options)
    let store =
      open.collections.isEmpty || open.location.collection != nil
      ? try await open.store(open.location.collection, key: options.key) : nil
    let report = StoreReport(open: open, store: store)
    if arguments.has(.json) {
      output.plainLine(report.json)
    } else {
      report.print(to: output)
    }
    output.flush()
    return .done
  }
}

/// The report of `larder info`.
private struct StoreReport {
  let open: OpenStore
  let store: Store?

  var json: String {
    var fields: [StoredValue.Field] = [
      .init("location", .text(open.location.description)),
      .init("kind", .text(open.kind.name)),
      .init("recognised", .text(open.evidence)),
    ]
    if let store {
      let names = store.capabilities.names.map(StoredValue.text)
      fields.append(.init("capabilities", .array(names)))
    }
    if let reason = open.readOnlyReason { fields.append(.init("readOnly", .text(reason))) }
    let collections = open.collections.map { collection in
      StoredValue.dictionary(
        [
          .init("name", .text(collection.name)), .init("form", .text(collection.form)),
          .init("writable", .bool(collection.isWritable)), .init("keys", .text(collection.keys)),
        ] + (reason(collection).map { [.init("readOnly", .text($0))] } ?? [])
          + (collection.expiry.map { [.init("expiry", Self.value(of: $0))] } ?? []))
    }
    fields.append(.init("collections", .array(collections)))
    let facts = open.facts.map { StoredValue.Field($0.name, .text($0.text)) }
    fields.append(.init("facts", .dictionary(facts)))
    return JSONText.encode(.dictionary(fields))
  }

  private static func value(of expiry: CollectionExpiry) -> StoredValue {
    .dictionary(
      [.init("column", .text(expiry.column))]
        + (expiry.since.map { [.init("since", .text($0))] } ?? [])
        + [
          .init("unit", .text(expiry.unit.rawValue))
        ] + (expiry.lifetime.map { [.init("lifetimeUnit", .text($0.rawValue))] } ?? [])
        + [
          .init("confidence", .text(expiry.confidence.rawValue)),
          .init("because", .text(expiry.evidence)),
          .init("doubts", .array(expiry.doubts.map(StoredValue.text))),
          .init("bookkeeping", .array(expiry.bookkeeping.map(StoredValue.text))),
        ])
  }

  func print(to output: Output) {
    line("location", PathName(open.location.description).description, output)
    line("kind", open.kind.name, output)
    line("recognized", open.evidence, output)
    if let store {
      let names = store.capabilities.names
      line("can", names.isEmpty ? Messages.readOnlyAbility : names.joined(separator: ", "), output)
    }
    if let reason = open.readOnlyReason { line("read-only", reason, output) }
    for fact in open.facts {
      for (number, text) in fact.lines.enumerated() {
        line(number == 0 ? fact.name : "", text, output)
      }
    }
    guard !open.collections.isEmpty else { return }
    output.line("collections")
    for collection in open.collections {
      let reason = reason(collection).map { ": \($0)" } ?? ""
      let access = collection.isWritable ? "" : ", read-only\(reason)"
      output.line(
        Sanitizer.display(
          "  \(PathName(collection.name))  (\(collection.form)\(access); key: \(collection.keys))"))
    }
  }

  /// Returns why a collection is read-only; nil if it is not, or if the whole store is.
  private func reason(_ collection: StoreCollection) -> String? {
    open.readOnlyReason == nil && !collection.isWritable ? collection.readOnlyReason : nil
  }

  private func line(_ name: String, _ text: String, _ output: Output) {
    // Sanitized even in a pipe, as a line break in a name could pass for another fact.
    output.line(
      Sanitizer.display(name + String(repeating: " ", count: max(2, 16 - name.count)) + text))
  }
}
