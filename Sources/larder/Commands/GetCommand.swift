import LarderDocuments
import Foundation
import LarderModel
import LarderFormats

extension Subcommand {
  private static let form = OptionSpec(
    name: "--as", value: "FORM", help: "text, json, hex, plist, or raw (the stored bytes)",
    choices: ["text", "json", "hex", "plist", "raw"],
    usual: "text; raw if the output is not a terminal", group: .output)

  static let get = Subcommand(
    name: "get", usage: [.location, .key, .optional(form), .optional(.json)],
    summary: "print a value",
    examples: [
      Example(
        "Save a value to a file, byte for byte:", "larder get app.db#files logo --as raw > logo.png"
      )
    ]
  ) { arguments, output in
    try arguments.expect(atMost: 2)
    let typed = try arguments.word(1, named: "KEY", of: "get")
    let location = try await OpenedLocation(arguments)
    var entry = location.timed(try await location.entry(typed, readsFiles: true))
    if entry.value != nil, !entry.isWhole {
      Output.complain(Messages.missingValueFile(typed))
    }
    let asked = EntryKey(notation: typed, style: location.store.keyStyle)
    // The key without its number would be ambiguous and refused.
    if location.store.kind.keysArePaths, asked.withoutFirstNumbers == entry.key {
      entry.key = asked
    }
    if arguments[form] != "raw" || arguments.has(.json) {
      Pager.prepare(arguments, environment: ProcessInfo.processInfo.environment)
    }
    if arguments.has(.json) {
      if entry.expires != nil { location.reportDoubts() }
      output.plainLine(EntryJSON.line(entry, in: location.store, withValue: true))
    } else {
      let value = location.store.shown(entry.value ?? .null)
      try ValuePrinter.print(
        value, as: arguments[form] ?? ValuePrinter.usualForm(of: value, to: output), to: output)
    }
    output.flush()
    return .done
  }
}

extension StoredValue {
  /// Data that is valid text as text, as `get` and `put` treat it; any other value unchanged.
  fileprivate var textOfBytes: StoredValue {
    guard case .data = self, !ValueText.isHex(self) else { return self }
    return .text(ValueText.text(of: self))
  }
}

/// Prints values on standard output.
private enum ValuePrinter {
  /// Returns the default form of a value.
  ///
  /// Another program receives text and data exactly as stored, so that it can write them back.
  static func usualForm(of value: StoredValue, to output: Output) -> String {
    switch value {
    case .text, .data, .malformedText: output.isTerminal ? "text" : "raw"
    default: "text"
    }
  }

  static func print(_ value: StoredValue, as form: String, to output: Output) throws {
    switch form {
    case "raw":
      guard !output.isTerminal else {
        throw Failure.bytesToTerminal
      }
      output.write(try bytes(of: value))
    case "json":
      output.plainLine(JSONText.encode(value.textOfBytes, isIndented: output.isTerminal))
    case "hex":
      for line in ValueFormat.dump(try bytes(of: value), limit: .max >> 8) {
        output.plainLine(line.text)
      }
    case "plist": output.lines(try PropertyListText.encode(value))
    default:
      output.lines(ValueText.text(of: value))
      output.end()
    }
  }

  /// Returns the stored bytes; for a row, which has none of its own, those of its JSON.
  private static func bytes(of value: StoredValue) throws -> [UInt8] {
    switch value {
    case .data(let bytes), .malformedText(let bytes): bytes
    default: Array(ValueText.text(of: value).utf8)
    }
  }
}
