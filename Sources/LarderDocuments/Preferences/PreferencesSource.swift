import LarderModel

/// The elements of a preferences file as editable values.
struct PreferencesSource: EditSource {
  /// The contents of the file.
  let bytes: [UInt8]
  /// The outermost element.
  let root: PreferenceElement

  func value(of place: PreferenceElement) throws(DocumentError) -> StoredValue {
    guard place == root else { return try PreferenceReader.value(of: place, in: bytes) }
    var fields: [StoredValue.Field] = []
    for member in try members(of: place)?.members ?? [] {
      guard let name = member.name, let place = member.value.place else { continue }
      fields.append(StoredValue.Field(name, try value(of: place)))
    }
    return .dictionary(fields)
  }

  func members(
    of place: PreferenceElement
  ) throws(DocumentError) -> EditMembers<PreferenceElement, XMLOrigin>? {
    guard place == root || place.type == .set else { return nil }
    var members: [EditMembers<PreferenceElement, XMLOrigin>.Member] = []
    var end = place.open.range.upperBound
    for element in try PreferenceReader.elements(inside: place, in: bytes).elements {
      let name = try PreferenceReader.name(of: element, in: bytes)
      // Apps cannot request an element without a name; it stays in place.
      if place == root, name == nil { continue }
      let start = element.range.lowerBound
      let origin = XMLOrigin(after: end, head: start..<start, in: bytes)
      members.append(
        .init(name: place == root ? name : nil, value: .kept(element), origin: origin))
      end = element.range.upperBound
    }
    return EditMembers(hasNames: place == root, members: members)
  }

  /// Returns the locations of the tags of an element.
  func frame(of place: PreferenceElement) throws(DocumentError) -> XMLFrame {
    let (elements, close) = try PreferenceReader.elements(inside: place, in: bytes)
    var end = place.open.range.upperBound
    for element in elements where place != root || element.name != nil {
      end = element.range.upperBound
    }
    return XMLFrame(place.open, lastChildEnd: end, close: close)
  }
}
