package import LarderModel

/// A format for displaying values.
///
/// To add a format, add a file to `Formats` and an element to ``all``.
package struct ValueFormat: Sendable {
  /// The name on screen and on the command line.
  package let name: String
  /// A short description of the values that the format can show.
  package let shows: String
  /// Returns a score for how well the format suits a value, or 0 if it cannot show it.
  package let suits: @Sendable (StoredValue) -> Int
  /// Returns at most about `limit` lines of the value, followed by a note if it was truncated.
  ///
  /// Lines may exceed `width` columns; formats that choose their line length take it into account.
  package let lines: @Sendable (_ value: StoredValue, _ limit: Int, _ width: Int) -> [ValueLine]
  /// Returns the rows of the value for a pane of the given width.
  ///
  /// There is no limit on their number: rows of text and bytes are rendered on demand.
  package let rows: @Sendable (_ value: StoredValue, _ width: Int) -> ValueContent
  /// Whether the format parses or decodes text or bytes, which is slow if they are large.
  let looksInside: Bool
  /// Returns the content of the value for a comparison.
  package let compared: @Sendable (StoredValue) -> ComparedContent
  /// Returns the value whose text is the preview in a list; the value itself by default.
  let preview: @Sendable (StoredValue) -> StoredValue

  /// Creates a format whose rows are its lines by default.
  init(
    name: String, shows: String, looksInside: Bool = false,
    suits: @escaping @Sendable (StoredValue) -> Int,
    lines: @escaping @Sendable (StoredValue, Int, Int) -> [ValueLine],
    rows: (@Sendable (StoredValue, Int) -> ValueContent)? = nil,
    compared: @escaping @Sendable (StoredValue) -> ComparedContent,
    preview: @escaping @Sendable (StoredValue) -> StoredValue = { $0 }
  ) {
    self.name = name
    self.shows = shows
    self.looksInside = looksInside
    self.suits = suits
    self.lines = lines
    self.compared = compared
    self.preview = preview
    self.rows = rows ?? { value, width in ValueContent(.lines(lines(value, 10_000, width))) }
  }

  /// All formats.
  package static let all: [ValueFormat] =
    [.text, .record, .json, .plist] + compressed
    + [.jwt, .flutter, .java, .base64, .image, .pickle, .marshal, .php, .msgpack, .cbor]
    + [.protobuf, .uuid, .hex, .mmkv]

  /// Returns the format with the given name, or nil if there is none.
  package static func named(_ name: String?) -> ValueFormat? {
    name.flatMap { name in all.first { $0.name == name } }
  }

  /// The maximum number of bytes of a text that are shown.
  package static let maximumText = 256 * 1024

  /// Returns the formats that can show a value, the most suitable first.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - formats: The formats to consider.
  ///   - isJSON: Whether the value is text that contains JSON; nil to detect it.
  /// - Returns: The suitable formats.
  package static func suitable(
    for value: StoredValue, among formats: [ValueFormat] = all, isJSON: Bool? = nil
  ) -> [ValueFormat] {
    formats.enumerated()
      .map { (format: $0.element, order: $0.offset, score: $0.element.score(value, isJSON)) }
      .filter { $0.score > 0 }
      .sorted { ($1.score, $0.order) < ($0.score, $1.order) }
      .map(\.format)
  }

  private func score(_ value: StoredValue, _ isJSON: Bool?) -> Int {
    guard let isJSON, name == Self.json.name else { return suits(value) }
    return isJSON ? Self.scoreOfJSON : 0
  }
}

extension ValueLine {
  /// Returns the note below a truncated value.
  static func cut(_ left: Int, of whole: Int, unit: String) -> ValueLine {
    ValueLine([Part(Messages.notShown(left, of: whole, unit), .note)])
  }
}
