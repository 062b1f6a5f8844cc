package import LarderModel

/// A cursor over the elements of an XML text that checks that tags match.
///
/// A value type that remembers only its position, so that reading can start again at any element.
package struct XMLCursor: Sendable {
  /// The maximum nesting depth of elements.
  package static let maximumDepth = 512

  private var tokenizer: XMLTokenizer
  /// The whole text.
  package var bytes: [UInt8] { tokenizer.bytes }
  /// The current offset.
  package var place: Int { tokenizer.place }

  /// Creates a cursor at an offset, which must be the start of a tag or of text.
  package init(_ bytes: [UInt8], at place: Int = 0) {
    tokenizer = XMLTokenizer(bytes, at: place)
  }

  /// Returns an error at an offset, by default the current one.
  package func failure(_ problem: SyntaxProblem, at place: Int? = nil) -> DocumentError {
    .xml(problem, in: bytes, at: place ?? self.place)
  }

  /// Reads the next tag, skipping comments, processing instructions and whitespace.
  ///
  /// - Returns: The tag, opening or closing; nil at the end of the text.
  /// - Throws: ``DocumentError`` if the XML is malformed or there is text before the tag.
  package mutating func tag() throws(DocumentError) -> XMLToken? {
    while let token = try tokenizer.next() {
      switch token.kind {
      case .open, .close, .empty: return token
      case .comment, .instruction, .doctype: continue
      case .text where bytes[token.range].allSatisfy(\.isXMLSpace): continue
      case .text, .section:
        throw failure(.textBetweenElements, at: token.range.lowerBound)
      }
    }
    return nil
  }

  /// Reads the next tag inside an element.
  ///
  /// - Parameter parent: The opening tag of the element.
  /// - Returns: The opening tag of a child, or the closing tag of the parent.
  /// - Throws: ``DocumentError`` if the XML is malformed, there is text before the tag, or the
  ///   parent is not closed.
  package mutating func tag(inside parent: XMLToken) throws(DocumentError) -> XMLToken {
    guard let tag = try tag() else { throw missingEnd(of: parent) }
    if tag.kind == .close { try check(tag, closes: parent) }
    return tag
  }

  /// Reads the rest of an element that contains only text.
  ///
  /// - Parameter open: The opening tag of the element.
  /// - Returns: The bytes of the resolved text, in UTF-8 if the file is.
  /// - Throws: ``DocumentError`` if the XML is malformed or the element has children.
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
        throw failure(.tagInText, at: token.range.lowerBound)
      }
    }
    throw missingEnd(of: open)
  }

  /// Skips the rest of an element, including its children.
  ///
  /// - Parameter open: The opening tag of the element.
  /// - Throws: ``DocumentError`` if the XML is malformed or nested too deeply.
  package mutating func skip(_ open: XMLToken) throws(DocumentError) {
    guard open.kind == .open else { return }
    var parents = [open]
    while let parent = parents.last {
      guard let token = try tokenizer.next() else { throw missingEnd(of: parent) }
      switch token.kind {
      case .open:
        parents.append(token)
        guard parents.count <= Self.maximumDepth else {
          throw failure(.nestedTooDeeply, at: token.range.lowerBound)
        }
      case .close:
        try check(token, closes: parent)
        parents.removeLast()
      case .text:
        var content: [UInt8] = []
        try XMLText.append(token.content, of: bytes, to: &content)
      case .doctype: throw failure(.nestedDoctype, at: token.range.lowerBound)
      case .empty, .section, .comment, .instruction: continue
      }
    }
  }

  private func check(_ close: XMLToken, closes open: XMLToken) throws(DocumentError) {
    guard bytes[close.content].elementsEqual(bytes[open.content]) else {
      throw failure(.mismatchedTag, at: close.range.lowerBound)
    }
  }

  private func missingEnd(of open: XMLToken) -> DocumentError {
    failure(.openElement, at: open.range.lowerBound)
  }
}
