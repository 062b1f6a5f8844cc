package import LarderModel

/// The locations of an object's members, or an array's elements, in the bytes of a file.
package struct JSONItems: Sendable {
  /// Whether the list is an object.
  package let isObject: Bool
  /// The range of the list with its brackets.
  let range: Range<Int>
  /// The bounds of each name, if there are names, and of each value.
  ///
  /// 32-bit integers save memory: an array of single digits has an element every two bytes.
  private let places: [UInt32]

  /// Scans the list whose opening bracket is next, and stops after the closing one.
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

  /// Returns the item at an index in file order.
  package subscript(index: Int) -> JSONItem {
    func bounds(_ start: Int) -> Range<Int> { Int(places[start])..<Int(places[start + 1]) }
    guard isObject else {
      let value = bounds(index * 2)
      return JSONItem(name: value.lowerBound..<value.lowerBound, value: value)
    }
    return JSONItem(name: bounds(index * 4), value: bounds(index * 4 + 2))
  }
}
