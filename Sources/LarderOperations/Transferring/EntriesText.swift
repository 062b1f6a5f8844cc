package import LarderModel
import LarderFormats

/// A text format for entries, with one per line.
package struct EntriesText: Sendable, Equatable {
  /// The available formats.
  package enum Format: String, Sendable, CaseIterable {
    /// The key alone.
    case keys
    /// The key, a tab and the value, with backslashes, tabs and line breaks escaped.
    case table
    /// JSON objects, which can be imported.
    case json
  }

  package let format: Format
  package let keyStyle: KeyStyle
  /// The value and expiry columns of rows that have one value.
  package let columns: ValueColumns?

  package init(_ format: Format, _ keyStyle: KeyStyle, _ columns: ValueColumns? = nil) {
    self.format = format
    self.keyStyle = keyStyle
    self.columns = columns
  }

  /// Appends the line for an entry, which must have its whole value, with a line feed.
  func append(_ entry: Entry, to buffer: inout ByteBuffer) {
    let value = entry.value ?? .null
    switch format {
    case .keys: buffer.append(entry.key.notation(keyStyle))
    case .table:
      buffer.append(Self.escaped(entry.key.notation(keyStyle)))
      buffer.append(UInt8(ascii: "\t"))
      buffer.append(Self.escaped(ValueText.text(of: value)))
    case .json:
      let line = EntryLine(
        key: entry.key, value: value, expires: entry.expires, form: entry.form, columns: columns)
      line.append(modified: entry.modified, to: &buffer)
    }
    buffer.append(UInt8(ascii: "\n"))
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
