/// A message at the bottom of the screen.
package struct Message: Sendable, Equatable {
  /// The severity.
  package enum Kind: Sendable, Equatable {
    case info
    case warning
    case error
  }

  package var text: String
  package var kind: Kind

  package init(_ text: String, _ kind: Kind = .info) {
    self.text = text
    self.kind = kind
  }
}
