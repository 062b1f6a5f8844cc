/// A token of an XML text, as ranges of its bytes.
package struct XMLToken: Sendable, Hashable {
  /// The kinds of tokens.
  package enum Kind: Sendable, Hashable {
    /// An opening tag: `<a b="c">`.
    case open
    /// A closing tag: `</a>`.
    case close
    /// An empty-element tag: `<a/>`.
    case empty
    /// Text between tags, which may contain references.
    case text
    /// A CDATA section, without references: `<![CDATA[a]]>`.
    case section
    /// A comment: `<!-- a -->`.
    case comment
    /// A processing instruction or the XML declaration: `<?xml version="1.0"?>`.
    case instruction
    /// The document type declaration: `<!DOCTYPE a>`.
    case doctype
  }

  /// The kind of the token.
  package let kind: Kind
  /// The range of the whole token.
  package let range: Range<Int>
  /// The range of a tag's name; for other tokens, of the content between the delimiters.
  package let content: Range<Int>

  /// Whether the token opens an element.
  package var beginsElement: Bool { kind == .open || kind == .empty }
}

/// An attribute of a tag, as ranges of its bytes.
package struct XMLAttribute: Sendable, Hashable {
  /// The range of its name.
  package let name: Range<Int>
  /// The range of its value, without the quotes.
  package let value: Range<Int>
}
