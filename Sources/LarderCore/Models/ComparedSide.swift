/// One of the values that are compared, in lines.
struct ComparedSide: Sendable, Equatable {
  /// The lines; nil where there is no value.
  var lines: [ExactText]?
  /// What there is instead of a value, or about it.
  var note: String?

  /// A value, or what there is instead of one.
  init(_ value: StoredValue?, missing: String, _ extent: ComparisonExtent = .dialog) {
    guard var value else {
      note = missing
      return
    }
    let structure = extent.readsStructures ? ValueFormat.largeStructure(of: value) : nil
    let format = structure == nil ? ValueFormat.suitable(for: value).first : .json
    value = structure ?? value
    var room = extent.text
    var shown: [ExactText] = []
    for line in format?.lines(value, extent.lines, extent.width) ?? [] {
      guard room > 0 else {
        shown.append(ExactText("… the rest is too long to be compared"))
        break
      }
      let text = line.text.prefix(min(room, extent.line))
      // An empty line takes room on the screen too.
      room -= max(1, text.count)
      shown.append(ExactText(text))
    }
    lines = shown
  }
}

extension ComparedSide {
  /// The same where its note is said elsewhere.
  var withoutNote: ComparedSide {
    var side = self
    side.note = nil
    return side
  }

  /// The sides of a comparison, which say their types where these are not all the same.
  static func sides(
    before: StoredValue?, theirs: StoredValue?, mine: StoredValue?, missingMine: String,
    _ extent: ComparisonExtent = .dialog
  ) -> (before: ComparedSide?, theirs: ComparedSide, mine: ComparedSide) {
    let present = [before, theirs, mine].compactMap { $0 }
    let isMixed = Set(present.map(\.type)).count > 1
    let mixed = mixedColumns(present)
    func side(_ value: StoredValue?, _ missing: String) -> ComparedSide {
      var side = ComparedSide(value.map { naming(mixed, in: $0) }, missing: missing, extent)
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
