import LarderFiles
import Foundation
public import LarderModel
public import LarderJournal

/// Opens locations as stores, whatever their kind.
///
/// ```swift
/// let open = try await Stores.open("users.db#people")
/// let store = try await open.store("people")
/// ```
public enum Stores {
  /// What the kinds of store are called and recognised by.
  public static var kinds: [StoreKind] { StoreKinds.all }

  /// Whether a file is a store, by its content; false for what cannot be read.
  public static func recognises(file path: String) -> Bool {
    guard let probe = try? StoreProbe(StoreLocation(path: path)),
      case .file = probe.target
    else { return false }
    return StoreKinds.openable.contains { $0.recognise(probe) != nil }
  }

  /// The location that a text typed by a user means.
  ///
  /// `#NAME` picks a collection, but a path that really contains `#` wins. A URL such as
  /// `file:///home/ada/app.db` is the path that it stands for.
  ///
  /// - Parameter text: The location as it is typed.
  /// - Returns: The location.
  /// - Throws: ``StoreError`` where a URL of a file stands for no path here.
  public static func location(fromText text: String) throws(StoreError) -> StoreLocation {
    let exists = { (text: String) -> Bool in
      let scheme = StoreProbe.scheme(of: text)
      let path = scheme.map { String(text.dropFirst($0.count + 1)) } ?? text
      return !path.isEmpty && FileManager.default.fileExists(atPath: path)
    }
    if exists(text) { return StoreLocation(path: text) }
    return StoreLocation(try FileURL.path(text) ?? HomePath.expanded(text), exists: exists)
  }

  /// Recognises a location by its content and opens it; nothing is written or locked.
  ///
  /// - Parameters:
  ///   - text: The location as it is typed.
  ///   - options: Whether anything may be written later, and how long to wait for locks.
  ///   - journal: Where changes are recorded before they are made; nil for nowhere.
  /// - Returns: What was recognised, and the collections inside.
  /// - Throws: ``StoreError`` with a sentence about what is wrong with the location.
  public static func open(
    _ text: String, options: OpenOptions = OpenOptions(), journal: Journal? = nil
  ) async throws(StoreError) -> OpenStore {
    try await open(try location(fromText: text), options: options, journal: journal)
  }

  /// Recognises a location by its content and opens it; nothing is written or locked.
  ///
  /// - Parameters:
  ///   - location: The location; its collection is kept, whether or not there is one of the name.
  ///   - options: Whether anything may be written later, and how long to wait for locks.
  ///   - journal: Where changes are recorded before they are made; nil for nowhere.
  /// - Returns: What was recognised, and the collections inside.
  /// - Throws: ``StoreError`` with a sentence about what is wrong with the location.
  @concurrent public static func open(
    _ location: StoreLocation, options: OpenOptions = OpenOptions(), journal: Journal? = nil
  ) async throws(StoreError) -> OpenStore {
    let found = try await StoreRecognition.find(location)
    var open = try await found.kind.open(found.probe, evidence: found.evidence, options: options)
    open.location.collection = location.collection
    let original = open.store
    if !found.kind.answersTrees {
      open.store = { try await original($0).summarisingPrefixes() }
    }
    if case .scheme(let scheme, let rest) = found.probe.target {
      switch scheme {
      case LiveKind.kind.name: open.resolvedPath = LiveKind.place(rest)
      case KeychainKind.kind.name: open.resolvedPath = location.path
      default: break
      }
      return journal.map { open.recording(in: $0) } ?? open
    }
    // Of preferences there may be the backup alone.
    open.resolvedPath = ResolvedPath.evenIfMissing(location.path)
    return journal.map { open.recording(in: $0) } ?? open
  }
}
