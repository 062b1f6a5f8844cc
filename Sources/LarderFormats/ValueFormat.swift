package import LarderModel

/// A way to show values.
///
/// A new format is one file in `Formats` and its name in ``all``.
package struct ValueFormat: Sendable {
  /// The name on screen and on the command line.
  package let name: String
  /// What it can show, in a few words.
  package let shows: String
  /// How well the format suits a value: 0 where it cannot show it at all.
  package let suits: @Sendable (StoredValue) -> Int
  /// The lines of the value, at most about `limit`: past it, a note says what is left out.
  ///
  /// Lines may be longer than `width` columns; formats that can choose how much goes on one do.
  package let lines: @Sendable (_ value: StoredValue, _ limit: Int, _ width: Int) -> [ValueLine]
  /// The rows of the value in a pane of a width, which may be of any number: those of text and
  /// bytes are made when they are looked at.
  package let rows: @Sendable (_ value: StoredValue, _ width: Int) -> ValueContent
  /// Whether it reads what text or bytes hold, which takes a while where these are many.
  let looksInside: Bool
  /// What of the value is compared with another one.
  package let compared: @Sendable (_ value: StoredValue) -> ComparedContent

  /// Creates a format; rows are its lines unless it says otherwise.
  init(
    name: String, shows: String, looksInside: Bool = false,
    suits: @escaping @Sendable (StoredValue) -> Int,
    lines: @escaping @Sendable (StoredValue, Int, Int) -> [ValueLine],
    rows: (@Sendable (StoredValue, Int) -> ValueContent)? = nil,
    compared: @escaping @Sendable (StoredValue) -> ComparedContent
  ) {
    self.name = name
    self.shows = shows
    self.looksInside = looksInside
    self.suits = suits
    self.lines = lines
    self.compared = compared
    self.rows = rows ?? { value, width in ValueContent(.lines(lines(value, 10_000, width))) }
  }

  /// Every format there is.
  package static let all: [ValueFormat] = [
    .text, .record, .json, .plist, .gzip, .zlib, .jwt, .base64, .image, .hex,
  ]

  /// The names of all formats, to choose from.
  package static let listed: String = {
    let names = all.map(\.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }()

  /// The format of a name, or nil if there is none.
  package static func named(_ name: String?) -> ValueFormat? {
    name.flatMap { name in all.first { $0.name == name } }
  }

  /// The maximum number of bytes that are shown of one text.
  package static let maximumText = 256 * 1024

  /// The formats that can show a value, the most suitable first.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - formats: Those that are asked.
  ///   - isJSON: Whether the value is text that holds JSON, where that is known; nil to look for it.
  /// - Returns: Those that can show it.
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
  /// The note under a value that was cut.
  static func cut(_ left: Int, of whole: Int, unit: String) -> ValueLine {
    ValueLine([Part("… \(left) of \(whole) \(unit) are not shown", .note)])
  }
}
