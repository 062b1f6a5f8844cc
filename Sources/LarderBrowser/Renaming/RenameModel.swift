package import LarderModel

/// An entry whose new key is being typed, or the key of its copy.
package struct RenameModel: Sendable, Equatable {
  /// The store of the entry.
  package var store: StoreReference
  /// The key that the entry has.
  package var key: EntryKey
  /// The key that it has, as it is shown.
  package var title: String
  /// What the store has to hold under it.
  package var expecting: Fingerprint
  /// Whether the entry stays, and a copy gets the key.
  package var isCopy = false
  /// Why the entry cannot get the key that is typed, as far as is known.
  package var problem: String?
  /// The token of the look at the key that is typed.
  package var checking: Int?
  /// The token of the change, once it is under way.
  package var renaming: Int?
}
