import Harmony
public import LarderModel
import LarderRedis
import LarderStoreBase

/// The kinds of store that can be opened, in the order in which they are tried.
///
/// To add a kind, define it in its own file and add it to this list.
public enum StoreKinds {
  static let openable: [any OpenableKind.Type] = [
    SQLiteKind.self, RealmKind.self, ContainerKind.self, FolderKind.self, MMKVKind.self,
    PropertyListKind.self, DefaultsKind.self, PreferencesKind.self, DataStoreKind.self,
    JSONKind.self, MemoryKind.self, KeychainKind.self, LiveKind.self, RedisKind.self,
  ]

  /// Further kinds, which are tried first.
  private static let added = Locked<[any OpenableKind.Type]>([])

  /// All kinds, in the order in which they are tried.
  static var known: [any OpenableKind.Type] { added.withLock { $0 } + openable }

  /// Adds a kind of another target, unless it is known.
  static func add(_ kind: any OpenableKind.Type) {
    guard !openable.contains(where: { $0 == kind }) else { return }
    added.withLock { kinds in
      if !kinds.contains(where: { $0 == kind }) { kinds.append(kind) }
    }
  }

  /// The URL schemes of locations that are not paths, without the colon.
  package static var schemes: [String] { known.flatMap { $0.schemes } }

  /// Returns the URL scheme of a location, without the colon; nil for a path.
  static func scheme(of path: String) -> String? {
    schemes.first { path.utf8.starts(with: ($0 + ":").utf8) }
  }

  /// The descriptions of all kinds, for the help and the README.
  public static let all: [StoreKind] = openable.map { $0.kind }
}
