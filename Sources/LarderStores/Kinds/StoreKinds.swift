public import LarderModel
import LarderStoreBase

/// The kinds of store that can be opened, in the order in which they are tried.
///
/// To add a kind, define it in its own file and add it to this list.
public enum StoreKinds {
  static let openable: [any OpenableKind.Type] = [
    SQLiteKind.self, RealmKind.self, ContainerKind.self, FolderKind.self, MMKVKind.self,
    PropertyListKind.self, DefaultsKind.self, PreferencesKind.self, DataStoreKind.self,
    JSONKind.self, MemoryKind.self, KeychainKind.self, LiveKind.self,
  ]

  /// The descriptions of all kinds, for the help and the README.
  public static let all: [StoreKind] = openable.map { $0.kind }
}
