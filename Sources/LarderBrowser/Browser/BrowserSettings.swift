/// What the browser was started with, and stays as it is.
package struct BrowserSettings: Sendable, Equatable {
  /// What ends a branch of a tree, where that was said on the command line.
  package var delimiter: String?
  /// Whether nothing may be written.
  package var isReadOnly = false
  /// Who has said so, as a sentence.
  package var readOnlyReason = "larder was started with --read-only"
  /// The keys that call commands.
  package var bindings = Bindings.standard
  /// The paths of stores to be warned of, with `*` and `?` for letters.
  package var precious: [String] = []

  package init() {}
}
