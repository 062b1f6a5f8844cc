/// Walks through the elements of an XML text, and sees that tags match.
///
/// A value type without memory of what it has passed, so that a walk may start again at any
/// element.
package struct XMLCursor: Sendable {
  /// The maximum number of elements inside each other.
  package static let maximumDepth = 512

  private var tokenizer: XMLTokenizer
  /// The whole text.
  package var bytes: [UInt8] { tokenizer.bytes }
  /// Where the walk goes on.
  package var place: Int { tokenizer.place }

  /// Starts at a place that is the beginning of a tag or of a text.
  package init(_ bytes: [UInt8], at place: Int = 0) {
    tokenizer = XMLTokenizer(bytes, at: place)
  }

  /// States what is wrong at a place.
  package func failure(_ reason: String, at place: Int? = nil) -> DocumentError {
    .xml(reason, in: bytes, at: place ?? self.place)
  }

  /// Steps over the next tag, and over comments, instructions and white space before it.
  ///
  /// - Returns: The tag, opening or closing; nil at the end of the text.
  /// - Throws: What is not XML, or that a text is in the way.
  package mutating func tag() throws(DocumentError) -> XMLToken? {
    while let token = try tokenizer.next() {
      switch token.kind {
      case .open, .close, .empty: return token
      case .comment, .instruction, .doctype: continue
      case .text where bytes[token.range].allSatisfy(\.isXMLSpace): continue
      case .text, .section:
        throw failure("text stands between elements", at: token.range.lowerBound)
      }
    }
    return nil
  }

  /// Steps over the next tag inside an element.
  ///
  /// - Parameter parent: The tag that the element began with.
  /// - Returns: A tag that begins an element, or the tag that ends the parent.
  /// - Throws: What is not XML, that a text is in the way, or that the parent has no end.
  package mutating func tag(inside parent: XMLToken) throws(DocumentError) -> XMLToken {
    guard let tag = try tag() else { throw missingEnd(of: parent) }
    if tag.kind == .close { try check(tag, closes: parent) }
    return tag
  }

  /// Steps over the rest of an element that holds only text.
  ///
  /// - Parameter open: The tag that the element began with.
  /// - Returns: The bytes that the text stands for, UTF-8 if the file is.
  /// - Throws: What is not XML, or that the element holds another.
  package mutating func text(of open: XMLToken) throws(DocumentError) -> [UInt8] {
    var content: [UInt8] = []
    guard open.kind == .open else { return content }
    while let token = try tokenizer.next() {
      switch token.kind {
      case .text: try XMLText.append(token.content, of: bytes, to: &content)
      case .section: XMLText.appendSection(token.content, of: bytes, to: &content)
      case .comment, .instruction: continue
      case .close:
        try check(token, closes: open)
        return content
      case .open, .empty, .doctype:
        throw failure("a tag stands inside a text", at: token.range.lowerBound)
      }
    }
    throw missingEnd(of: open)
  }

  /// Steps over the rest of an element, whatever it holds.
  ///
  /// - Parameter open: The tag that the element began with.
  /// - Throws: What is not XML, or that elements are nested too deeply.
  package mutating func skip(_ open: XMLToken) throws(DocumentError) {
    guard open.kind == .open else { return }
    var parents = [open]
    while let parent = parents.last {
      guard let token = try tokenizer.next() else { throw missingEnd(of: parent) }
      switch token.kind {
      case .open:
        parents.append(token)
        guard parents.count <= Self.maximumDepth else {
          throw failure("elements are nested too deeply", at: token.range.lowerBound)
        }
      case .close:
        try check(token, closes: parent)
        parents.removeLast()
      case .text:
        var content: [UInt8] = []
        try XMLText.append(token.content, of: bytes, to: &content)
      case .doctype: throw failure("a DOCTYPE stands in an element", at: token.range.lowerBound)
      case .empty, .section, .comment, .instruction: continue
      }
    }
  }

  private func check(_ close: XMLToken, closes open: XMLToken) throws(DocumentError) {
    guard bytes[close.content].elementsEqual(bytes[open.content]) else {
      throw failure(
        "the tag does not close “\(String(decoding: bytes[open.content], as: UTF8.self))”",
        at: close.range.lowerBound)
    }
  }

  private func missingEnd(of open: XMLToken) -> DocumentError {
    failure("what begins here is never closed", at: open.range.lowerBound)
  }
}
