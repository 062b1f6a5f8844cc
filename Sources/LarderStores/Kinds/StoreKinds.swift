public import LarderModel

/// The kinds of store that can be opened, in the order in which they are tried.
///
/// A new kind is its file and its name here.
public enum StoreKinds {
  static let openable: [any OpenableKind.Type] = [
    SQLiteKind.self, RealmKind.self, ContainerKind.self, FolderKind.self, PropertyListKind.self,
    DefaultsKind.self, PreferencesKind.self, JSONKind.self, MemoryKind.self, KeychainKind.self,
    LiveKind.self,
  ]

  /// What the kinds are called and recognised by, for the help and the README.
  public static let all: [StoreKind] = openable.map { $0.kind }
}

/// A kind of store: how it is recognised, and how it is opened.
protocol OpenableKind: SendableMetatype {
  /// What the kind is, for people.
  static var kind: StoreKind { get }

  /// Whether its sources answer with the tree of their keys themselves.
  static var answersTrees: Bool { get }

  /// Why a location is of this kind, as a clause; nil where it is not.
  static func recognise(_ probe: StoreProbe) -> String?

  /// Opens a location that was recognised, off the calling actor.
  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore

  /// Makes a small store of the kind in a folder, if there is none yet, and says where it is; nil
  /// where the kind needs more than files.
  static func makeSample(in folder: String) async throws(StoreError) -> String?
}

extension OpenableKind {
  static var answersTrees: Bool { false }
}
