package import LarderModel

/// Where the members of an object, or the elements of an array, are in the bytes of a file.
package struct JSONItems: Sendable {
  /// Whether the list is an object.
  package let isObject: Bool
  /// The list with its brackets.
  let range: Range<Int>
  /// The bounds of each name, where there are names, and of each value: half as large as integers,
  /// as an array of digits has an element every two bytes.
  private let places: [UInt32]

  /// Goes over the list whose opening bracket is next, and stops behind its closing one.
  init(_ scanner: inout JSONScanner) throws(JSONParser.Failure) {
    let start = scanner.place
    let isObject = scanner.next == UInt8(ascii: "{")
    let bracket = UInt8(ascii: isObject ? "}" : "]")
    var places: [UInt32] = []
    try scanner.enter()
    while let item = try scanner.nextItem(before: bracket, isFirst: places.isEmpty) {
      if isObject {
        places.append(UInt32(truncatingIfNeeded: item.name.lowerBound))
        places.append(UInt32(truncatingIfNeeded: item.name.upperBound))
      }
      places.append(UInt32(truncatingIfNeeded: item.value.lowerBound))
      places.append(UInt32(truncatingIfNeeded: item.value.upperBound))
    }
    self.isObject = isObject
    self.places = places
    range = start..<scanner.place
  }

  /// The number of items.
  package var count: Int { places.count / (isObject ? 4 : 2) }

  /// The item at a place in the order of the file.
  package subscript(index: Int) -> JSONItem {
    func bounds(_ start: Int) -> Range<Int> { Int(places[start])..<Int(places[start + 1]) }
    guard isObject else {
      let value = bounds(index * 2)
      return JSONItem(name: value.lowerBound..<value.lowerBound, value: value)
    }
    return JSONItem(name: bounds(index * 4), value: bounds(index * 4 + 2))
  }
}
