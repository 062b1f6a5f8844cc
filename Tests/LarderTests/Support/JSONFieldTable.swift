import Foundation
import Testing

/// The documented table of JSON fields, against which output is checked.
struct JSONFieldTable {
  private struct Field {
    let type: String
    let isAlways: Bool
  }

  private var commands: [String: [String: Field]] = [:]

  /// Reads the table from its page.
  init() throws {
    let page = ReadmeBlock.page("larder/larder.docc/JSONFields.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "<!-- schema -->\n```text\n")?.upperBound)
    let end = try #require(text.range(of: "```\n<!-- end schema -->")?.lowerBound)
    var current: [String] = []
    for line in text[start..<end].split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard line.hasPrefix("  ") else {
        current = words
        continue
      }
      for command in current {
        commands[command, default: [:]][words[0]] = Field(
          type: words[1], isAlways: words[2] == "always")
      }
    }
  }

  /// The commands in the table.
  var names: Set<String> { Set(commands.keys) }

  /// Expects each line to be an object with exactly the fields of a command.
  func check(_ lines: [String], of command: String) throws {
    let fields = try #require(commands[command], "the table has no \(command)")
    for line in lines {
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
      for (name, value) in object {
        let field = try #require(fields[name], "\(command) has no field \(name): \(line)")
        #expect(Self.isOf(field.type, value), "\(name) is not a \(field.type): \(line)")
      }
      for (name, field) in fields where field.isAlways {
        #expect(object[name] != nil, "\(name) is missing: \(line)")
      }
    }
  }

  private static func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "text": value is String
    case "integer":
      (value as? NSNumber).map { !isBool($0) && $0.doubleValue == $0.doubleValue.rounded() }
        ?? false
    case "bool": (value as? NSNumber).map(isBool) ?? false
    case "list": value is [Any]
    case "object": value is [String: Any]
    case "key": !(value is [String: Any]) || isTyped(value)
    case "value": true
    default: false
    }
  }

  /// Whether a number was a JSON Boolean, as Foundation represents both by `NSNumber`.
  private static func isBool(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == String(cString: NSNumber(value: true).objCType)
  }

  private static func isTyped(_ value: Any) -> Bool {
    guard let object = value as? [String: Any], object.count == 1 else { return false }
    return ["base64", "text", "real"].contains(object.keys.first ?? "")
  }
}
