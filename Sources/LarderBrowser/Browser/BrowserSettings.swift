/// The settings fixed at launch.
package struct BrowserSettings: Sendable, Equatable {
  /// The delimiter of tree branches, if the command line sets one.
  package var delimiter: String?
  /// Whether writing is disabled.
  package var isReadOnly = false
  /// The reason for read-only mode, as a sentence.
  package var readOnlyReason = Messages.readOnlyOption
  /// The keys that call commands.
  package var bindings = Bindings.standard
  /// The path patterns of protected stores, with `*` and `?` as wildcards.
  package var protected: [String] = []

  package init() {}
}
