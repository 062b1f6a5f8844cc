/// The part of a `UserDefaults` in which a ``DeviceStorageDataSource`` stores its entries.
public enum DeviceStorageType: Hashable, Sendable {
  /// Each entry has its own key, next to the keys of other code.
  ///
  /// All objects are all values stored as the source's type, by any program: deleting them as
  /// `String` also removes the strings of other programs.
  case regular

  /// Each entry is stored under the prefix, a dot and its key; under its key if the prefix is
  /// empty.
  case prefix(String)

  /// All entries are stored in one dictionary, under the root key followed by the type of the
  /// values in angle brackets, as in `settings<Int>`.
  case rootKey(String)
}
