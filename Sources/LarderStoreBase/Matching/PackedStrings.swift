/// Texts that are written for each row, in one buffer.
package struct PackedStrings {
  private let bytes: [UInt8]
  private let ends: [Int]

  package init(_ texts: [[UInt8]]) {
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    for text in texts {
      bytes += text
      ends.append(bytes.count)
    }
    self.bytes = bytes
    self.ends = ends
  }

  /// The number of texts.
  package var count: Int { ends.count }

  /// Calls a closure with the index and the bytes of each text.
  package func forEach(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for (place, end) in ends.enumerated() {
        body(place, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end
      }
    }
  }
}
