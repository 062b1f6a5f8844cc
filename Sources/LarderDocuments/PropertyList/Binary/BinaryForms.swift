import LarderModel

/// Finds details of a binary property list that its values do not express.
struct BinaryForms {
  private let source: BinarySource
  /// The number of objects left to visit; shared objects are visited each time.
  private var left: Int

  init(_ source: BinarySource) {
    self.source = source
    left = source.table.bytes.count + 65_536
  }

  /// Returns the forms inside an object.
  func find(_ number: Int) throws(DocumentError) -> [BinaryForm.Place] {
    var forms = self
    var places: [BinaryForm.Place] = []
    try forms.find(number, [], &places)
    return places
  }

  private mutating func find(
    _ number: Int, _ steps: [String], _ places: inout [BinaryForm.Place]
  ) throws(DocumentError) {
    left -= 1
    guard left >= 0 else { throw DocumentError.tooLarge }
    let object = try source.table.object(number)
    if object.isSingle { places.append(BinaryForm.Place(form: .real32, steps: steps)) }
    if object.kind == .null { places.append(BinaryForm.Place(form: .null, steps: steps)) }
    if object.kind == .set { places.append(BinaryForm.Place(form: .set, steps: steps)) }
    guard object.references > 0, let members = try source.members(of: number) else { return }
    var names: Set<[UInt8]> = []
    for (index, member) in members.members.enumerated() {
      guard case .kept(let child) = member.value else { continue }
      // A form's path always means the first of several members with the same name.
      if let name = member.name, !names.insert(Array(name.utf8)).inserted { continue }
      try find(child, steps + [member.name ?? String(index)], &places)
    }
  }

  /// Whether an object contains a name that is not valid text because of an unpaired surrogate.
  func losesName(_ number: Int) throws(DocumentError) -> Bool {
    var seen: Set<Int> = []
    var numbers = [number]
    while let number = numbers.popLast() {
      guard seen.insert(number).inserted else { continue }
      let object = try source.table.object(number)
      for index in 0..<object.references {
        let child = try source.table.reference(index, of: object)
        if object.kind == .dictionary, index < object.count,
          try source.value(of: child).isMalformedText
        {
          return true
        }
        numbers.append(child)
      }
    }
    return false
  }
}

extension StoredValue {
  /// Whether the value is text that cannot be used as a name.
  var isMalformedText: Bool { if case .malformedText = self { true } else { false } }
}
