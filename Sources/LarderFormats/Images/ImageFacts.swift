/// The format, size and other properties of an image, read from its header.
///
/// Only headers are read; a truncated header yields the properties that it still contains.
package struct ImageFacts: Equatable {
  /// The name of the format.
  let kind: String
  /// The width and height in pixels.
  package var size: (width: Int, height: Int)?
  /// Further properties, such as bit depth, color type and encoding.
  var details: [String] = []

  package static func == (left: Self, right: Self) -> Bool { left.lines == right.lines }

  init(_ kind: String) {
    self.kind = kind
  }

  /// Recognizes an image by its first bytes, or returns nil if the format is unknown.
  package init?(of bytes: [UInt8]) {
    let header = ImageHeader(bytes)
    guard
      let facts = Self.png(header) ?? Self.jpeg(header) ?? Self.gif(header) ?? Self.webP(header)
        ?? Self.bmp(header)
    else { return nil }
    self = facts
  }

  /// A description of the image, one property per line.
  var lines: [String] {
    let size = size.map { "\($0.width) × \($0.height) pixels" } ?? Messages.headerCutOff
    return ["\(kind), \(size)"] + details
  }
}

/// The bytes of an image header; reads past the end return nil.
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

  /// Returns a big-endian integer of the given number of bytes.
  func big(_ place: Int, _ size: Int) -> Int? {
    var number = 0
    for offset in 0..<size {
      guard let byte = self[place + offset] else { return nil }
      number = number << 8 | byte
    }
    return number
  }

  /// Returns a little-endian integer of the given number of bytes.
  func little(_ place: Int, _ size: Int) -> Int? {
    var number = 0
    for offset in (0..<size).reversed() {
      guard let byte = self[place + offset] else { return nil }
      number = number << 8 | byte
    }
    return number
  }

  /// Returns both numbers, or nil if either is missing.
  func pair(_ first: Int?, _ second: Int?) -> (width: Int, height: Int)? {
    guard let first, let second else { return nil }
    return (first, second)
  }
}
