/// What the header of an image says of it.
///
/// Only headers are read; of one that is cut off, what is there is said.
package struct ImageFacts: Equatable {
  /// The name of the format.
  let kind: String
  /// The width and height in pixels.
  package var size: (width: Int, height: Int)?
  /// What else is said: bits and colours, and how the image is kept.
  var details: [String] = []

  package static func == (left: Self, right: Self) -> Bool { left.lines == right.lines }

  init(_ kind: String) {
    self.kind = kind
  }

  /// The facts of an image by its first bytes; nil where they are of none that is known.
  package init?(of bytes: [UInt8]) {
    let header = ImageHeader(bytes)
    guard
      let facts = Self.png(header) ?? Self.jpeg(header) ?? Self.gif(header) ?? Self.webP(header)
        ?? Self.bmp(header)
    else { return nil }
    self = facts
  }

  /// The facts in lines.
  var lines: [String] {
    let size = size.map { "\($0.width) × \($0.height) pixels" } ?? "the header is cut off"
    return ["\(kind), \(size)"] + details
  }
}

/// The bytes of a header; what lies beyond the end is nil.
struct ImageHeader {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  subscript(_ place: Int) -> Int? {
    bytes.indices.contains(place) ? Int(bytes[place]) : nil
  }

  func has(_ text: String, at place: Int = 0) -> Bool {
    bytes.dropFirst(place).starts(with: text.utf8)
  }

  /// A number of several bytes, the largest one first.
  func big(_ place: Int, _ size: Int) -> Int? {
    var number = 0
    for offset in 0..<size {
      guard let byte = self[place + offset] else { return nil }
      number = number << 8 | byte
    }
    return number
  }

  /// A number of several bytes, the least one first.
  func little(_ place: Int, _ size: Int) -> Int? {
    var number = 0
    for offset in (0..<size).reversed() {
      guard let byte = self[place + offset] else { return nil }
      number = number << 8 | byte
    }
    return number
  }

  /// Two numbers, where both are there.
  func pair(_ first: Int?, _ second: Int?) -> (width: Int, height: Int)? {
    guard let first, let second else { return nil }
    return (first, second)
  }
}
