import LarderModel
import LarderFormats
import Harmony

/// One of the compared values, split into lines.
struct ComparedSide {
  /// The lines, or `nil` if there is no value.
  private(set) var lines: [ComparedLine]?
  /// The remainder of a value that is too large, if any.
  private(set) var rest: Rest?
  /// The type of the value.
  let type: StoredType?
  /// The text in place of a missing value, or a note about the value.
  var note: String?
  /// The formatting of text that is displayed as a structure, or `nil` for other values.
  private(set) var spelling: Spelling?

  /// The formatting of a structure as text.
  enum Spelling {
    case compact
    case indented
    case other
  }

  /// The remainder of a value, which is not compared line by line.
  struct Rest: Sendable {
    /// The text to display in place of the remainder.
    var text: String
    /// The content of the remainder.
    var whole: Whole

    enum Whole: Sendable, Equatable {
      case bytes(ArraySlice<UInt8>)
      case fields(ArraySlice<StoredValue.Field>)
      case digest([UInt8])
    }
  }

  private let extent: ComparisonExtent
  private let isCancelled: () -> Bool
  /// The number of bytes that can still be displayed.
  private var room: Int

  /// Creates the lines of a value, or a note if there is no value.
  init(
    _ value: StoredValue?, missing: String, _ extent: ComparisonExtent = .dialog,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.extent = extent
    self.isCancelled = isCancelled
    room = extent.text
    type = value?.type
    guard let value else {
      note = missing
      return
    }
    lines = []
    if extent.readsStructures,
      let structure = ValueFormat.structure(in: value, isCancelled: isCancelled)
    {
      fill(.structure(structure))
      spelling = Self.spelling(of: structure, in: value)
    } else if let format = ValueFormat.suitable(for: value).first {
      let content = format.compared(value)
      fill(content)
      if case .structure(let structure) = content {
        spelling = Self.spelling(of: structure, in: value)
      }
    }
  }

  private mutating func fill(_ content: ComparedContent) {
    switch content {
    case .text(let bytes): fill(text: bytes)
    case .bytes(let bytes): fill(bytes: bytes)
    case .fields(let fields): fill(fields)
    case .structure(let value): fill(structure: value)
    case .scalar(let value):
      let text = value == .null ? "null" : ValueText.text(of: value)
      append(ComparedLine(text, value, showing: extent.line))
    case .headed(let head, let content):
      for line in head { append(ComparedLine(line.text, showing: extent.line)) }
      fill(content)
    }
  }

  private var isFull: Bool {
    room <= 0 || (lines?.count ?? 0) >= extent.lines || isCancelled()
  }

  private mutating func append(_ line: ComparedLine) {
    // An empty line also takes up space on the screen.
    room -= max(1, line.text.utf8.count)
    lines?.append(line)
  }

  private mutating func fill(text bytes: [UInt8]) {
    var start = bytes.startIndex
    while !isFull {
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
        append(ComparedLine(bytes[start...], showing: extent.line))
        return
      }
      append(ComparedLine(bytes[start..<end], showing: extent.line))
      start = end + 1
    }
    cut(bytes.count - start, of: bytes.count, "bytes", .bytes(bytes[start...]))
  }

  private mutating func fill(bytes: [UInt8]) {
    let perLine = ValueFormat.bytesPerLine(extent.width)
    var start = 0
    while start < bytes.count {
      if isFull {
        return cut(bytes.count - start, of: bytes.count, "bytes", .bytes(bytes[start...]))
      }
      let end = min(start + perLine, bytes.count)
      let line = ValueFormat.hexLine(bytes[start..<end], at: start, perLine: perLine)
      append(ComparedLine(line.text, showing: extent.line))
      start = end
    }
  }

  private mutating func fill(_ fields: [StoredValue.Field]) {
    for (place, field) in fields.enumerated() {
      if isFull {
        return cut(fields.count - place, of: fields.count, "fields", .fields(fields[place...]))
      }
      append(ComparedLine(field))
    }
  }

  private mutating func fill(structure: StoredValue) {
    var digest = SHA256()
    var count = 0
    ValueFormat.write(structure) { line, value in
      let line = ComparedLine(line.text, value, showing: extent.line)
      guard count == 0, !isFull else {
        count += 1
        digest.update(line.bytes)
        digest.update([UInt8(ascii: "\n")])
        if let value = line.value { digest.update(Fingerprint(of: value).bytes) }
        return !isCancelled()
      }
      append(line)
      return true
    }
    if count > 0 { cut(count, of: count + (lines?.count ?? 0), "lines", .digest(digest.digest())) }
  }

  private mutating func cut(_ left: Int, of whole: Int, _ unit: String, _ rest: Rest.Whole) {
    self.rest = Rest(text: Messages.cut(left, of: whole, unit), whole: rest)
  }

  /// The maximum number of bytes of text whose formatting is detected.
  private static let maximumSpelling = 1 << 20

  private static func spelling(of structure: StoredValue, in value: StoredValue) -> Spelling? {
    switch value {
    case .text, .data, .malformedText: break
    default: return nil
    }
    let bytes = ValueFormat.bytes(of: value)
    guard bytes.count <= maximumSpelling else { return .other }
    if bytes.elementsEqual(JSONText.encode(structure).utf8) { return .compact }
    let isIndented = bytes.elementsEqual(JSONText.encode(structure, isIndented: true).utf8)
    return isIndented ? .indented : .other
  }
}

extension ComparedSide {
  /// The same side without its note, and with an empty list of lines for a missing value.
  ///
  /// All lines of the other side then count as added or removed.
  var withLines: ComparedSide {
    var side = self
    side.note = nil
    side.lines = lines ?? []
    return side
  }

  /// Returns the sides of a comparison, with notes about their types if these differ.
  static func sides(
    before: StoredValue?, theirs: StoredValue?, mine: StoredValue?, missingMine: String,
    _ extent: ComparisonExtent = .dialog, isCancelled: @escaping () -> Bool = { false }
  ) -> (before: ComparedSide?, theirs: ComparedSide, mine: ComparedSide) {
    let present = [before, theirs, mine].compactMap { $0 }
    let isMixed = Set(present.map(\.type)).count > 1
    let mixed = mixedColumns(present)
    func side(_ value: StoredValue?, _ missing: String) -> ComparedSide {
      var side = ComparedSide(
        value.map { naming(mixed, in: $0) }, missing: missing, extent, isCancelled: isCancelled)
      if isMixed, let value { side.note = value.type.rawValue }
      return side
    }
    return (
      before == nil ? nil : side(before, ""), side(theirs, "deleted"), side(mine, missingMine)
    )
  }

  /// Returns the columns whose types are not the same in all records.
  private static func mixedColumns(_ values: [StoredValue]) -> Set<ExactText> {
    var types: [ExactText: Set<StoredType>] = [:]
    for case .record(let fields) in values {
      for field in fields { types[ExactText(field.name), default: []].insert(field.value.type) }
    }
    return Set(types.filter { $0.value.count > 1 }.keys)
  }

  /// Returns the record with the types of mixed columns appended to their names, so that 42 can be
  /// told from the text "42".
  private static func naming(_ mixed: Set<ExactText>, in value: StoredValue) -> StoredValue {
    guard case .record(var fields) = value else { return value }
    for place in fields.indices where mixed.contains(ExactText(fields[place].name)) {
      fields[place].name += " (\(fields[place].value.type.rawValue))"
    }
    return .record(fields)
  }
}
