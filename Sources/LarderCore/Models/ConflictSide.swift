/// One of the values that meet in a conflict, in lines.
struct ConflictSide: Sendable, Equatable {
  /// The greatest number of lines that are compared of one value.
  static let greatestLines = 500
  /// The greatest number of characters that are compared of one line.
  private static let greatestLine = 2_000
  /// The greatest number of characters that are compared of one value.
  ///
  /// All of them are laid out before anything is drawn.
  static let greatestText = 100_000

  /// The lines; nil where there is no value.
  var lines: [ExactText]?
  /// What there is instead of a value, or about it.
  var note: String?

  /// A value, or what there is instead of one.
  init(_ value: StoredValue?, missing: String) {
    guard let value else {
      note = missing
      return
    }
    let format = ValueFormat.suitable(for: value).first
    var room = Self.greatestText
    var shown: [ExactText] = []
    for line in format?.lines(value, Self.greatestLines, 80) ?? [] {
      guard room > 0 else {
        shown.append(ExactText("… the rest is too long to be compared"))
        break
      }
      let text = line.text.prefix(min(room, Self.greatestLine))
      // An empty line takes room on the screen too.
      room -= max(1, text.count)
      shown.append(ExactText(text))
    }
    lines = shown
  }
}

extension ConflictSide {
  /// The sides of a conflict, which say their types where these are not all the same.
  static func sides(
    before: StoredValue?, theirs: StoredValue?, mine: StoredValue?, missingMine: String
  ) -> (before: ConflictSide?, theirs: ConflictSide, mine: ConflictSide) {
    let present = [before, theirs, mine].compactMap { $0 }
    let isMixed = Set(present.map(\.type)).count > 1
    let mixed = mixedColumns(present)
    func side(_ value: StoredValue?, _ missing: String) -> ConflictSide {
      var side = ConflictSide(value.map { naming(mixed, in: $0) }, missing: missing)
      if isMixed, let value { side.note = value.type.rawValue }
      return side
    }
    return (
      before == nil ? nil : side(before, ""), side(theirs, "deleted"), side(mine, missingMine)
    )
  }

  /// The columns of records that do not have one type in all of them.
  private static func mixedColumns(_ values: [StoredValue]) -> Set<ExactText> {
    var types: [ExactText: Set<StoredType>] = [:]
    for case .record(let fields) in values {
      for field in fields { types[ExactText(field.name), default: []].insert(field.value.type) }
    }
    return Set(types.filter { $0.value.count > 1 }.keys)
  }

  /// The record with the types of columns in their names: by these alone 42 may differ from the
  /// text "42".
  private static func naming(_ mixed: Set<ExactText>, in value: StoredValue) -> StoredValue {
    guard case .record(var fields) = value else { return value }
    for place in fields.indices where mixed.contains(ExactText(fields[place].name)) {
      fields[place].name += " (\(fields[place].value.type.rawValue))"
    }
    return .record(fields)
  }
}
