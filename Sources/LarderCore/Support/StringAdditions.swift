extension StringProtocol {
  /// Whether both texts are the same bytes; `==` also holds for two spellings of "é".
  package func hasBytes(of other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension Collection where Element == UInt8 {
  /// The first bytes, and fewer where that would cut a UTF-8 sequence in two.
  package func textPrefix(_ count: Int) -> SubSequence {
    let head = prefix(count)
    guard head.endIndex < endIndex, self[head.endIndex] & 0xC0 == 0x80 else { return head }
    // At most three bytes can belong to a sequence that goes on.
    for length in 1...3 where head.count > length {
      let cut = head.prefix(head.count - length)
      guard self[cut.endIndex] & 0xC0 == 0x80 else { return cut }
    }
    return head
  }
}
