/// Where in a `UserDefaults` a ``DeviceStorageDataSource`` keeps its entries.
public enum DeviceStorageType: Hashable, Sendable {
  /// Each entry under its own key, beside those of everybody else.
  ///
  /// All objects are all that were stored as the source's type, whoever wrote them: to delete them
  /// as `String` removes the texts of others too.
  case regular

  /// Each entry under the prefix, a dot and its key; under its bare key if the prefix is empty.
  case prefix(String)

  /// All entries in one dictionary, which is stored under the root key with the type of the
  /// values in angle brackets behind it, as in `settings<Int>`.
  case rootKey(String)
}
