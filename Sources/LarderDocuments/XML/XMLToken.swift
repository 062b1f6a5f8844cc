/// A piece of an XML text, by the places of its bytes.
package struct XMLToken: Sendable, Hashable {
  /// What a piece of XML is.
  package enum Kind: Sendable, Hashable {
    /// The tag that begins an element: `<a b="c">`.
    case open
    /// The tag that ends an element: `</a>`.
    case close
    /// An element that is one tag: `<a/>`.
    case empty
    /// Characters between tags, in which references stand for others.
    case text
    /// Characters that stand for themselves: `<![CDATA[a]]>`.
    case section
    /// A remark: `<!-- a -->`.
    case comment
    /// An instruction to a program, as the declaration `<?xml version="1.0"?>` is.
    case instruction
    /// The declaration of the kind of document: `<!DOCTYPE a>`.
    case doctype
  }

  /// What the piece is.
  package let kind: Kind
  /// The place of all its bytes.
  package let range: Range<Int>
  /// The name of a tag; what is inside the marks of any other piece.
  package let content: Range<Int>

  /// Whether an element begins with the piece.
  package var beginsElement: Bool { kind == .open || kind == .empty }
}

/// An attribute in a tag, by the places of its bytes.
package struct XMLAttribute: Sendable, Hashable {
  /// The place of its name.
  package let name: Range<Int>
  /// The place of what is between its quotes.
  package let value: Range<Int>
}
