/// Collects the characters of a row until it is full.
struct RowBuilder {
  private let start: Int
  private let isContinuation: Bool
  private let width: Int
  private let tabWidth: Int
  private let breaksAtBlanks: Bool
  private var text = ""
  private var cells = 0
  private var bytes = 0
  /// The text and the number of bytes up to and including the last blank.
  private var lastBlank: (text: String, bytes: Int)?

  /// Creates an empty row.
  init(
    start: Int, isContinuation: Bool, width: Int, tabWidth: Int, breaksAtBlanks: Bool
  ) {
    self.start = start
    self.isContinuation = isContinuation
    self.width = width
    self.tabWidth = tabWidth
    self.breaksAtBlanks = breaksAtBlanks
  }

  /// Appends a character if it fits and returns whether it did; the first one always fits.
  mutating func append(_ character: Character, bytes count: Int) -> Bool {
    let isTab = character == "\t"
    let needed =
      isTab ? min(tabWidth - cells % tabWidth, max(1, width - cells)) : TextWidth.of(character)
    // A blank at the end of a full row takes no space.
    let isBlank = isTab || character == " "
    guard bytes == 0 || cells + needed <= width || (isBlank && breaksAtBlanks && cells <= width)
    else { return false }
    if cells + needed <= width || bytes == 0 {
      text += isTab ? String(repeating: " ", count: needed) : Sanitizer.display(String(character))
    }
    cells += needed
    bytes += count
    if isBlank { lastBlank = (text, bytes) }
    return true
  }

  /// Returns the complete row.
  func row(end: Int, next: Int) -> TextRow {
    TextRow(text: text, range: start..<max(start, end), next: next, isContinuation: isContinuation)
  }

  /// Returns the row when the next character does not fit, broken after its last blank if allowed.
  func brokenRow() -> TextRow {
    let all = (text: text, bytes: bytes)
    let cut = breaksAtBlanks ? lastBlank ?? all : all
    let end = start + cut.bytes
    return TextRow(text: cut.text, range: start..<end, next: end, isContinuation: isContinuation)
  }
}
