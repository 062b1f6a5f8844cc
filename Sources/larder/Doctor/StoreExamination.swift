import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores

/// Examines a location, without changing it.
struct StoreExamination {
  private let location: String
  private let arguments: Arguments
  /// Whether to examine side files in the same folder.
  private let withNeighbors: Bool

  init(_ location: String, _ arguments: Arguments, withNeighbors: Bool = true) {
    self.location = location
    self.arguments = arguments
    self.withNeighbors = withNeighbors
  }

  func run(_ report: inout DoctorReport) async {
    var options = arguments.openOptions
    options.isReadOnly = true
    options.opensOneCollection = true
    let open: OpenStore
    do {
      open = try await Stores.open(location, options: options)
    } catch {
      report.add(StoreLocation.withoutPassword(location), .notOpened(StoreError(error)))
      neighbors(of: location, &report)
      return
    }
    report.add(location, .recognized(open))
    if let path = open.resolvedPath, let check = open.kind.check {
      switch check {
      case .database:
        let database = SQLiteDatabase(path: path, busyTimeout: arguments.openOptions.busyTimeout)
        await DatabaseExamination(location: location, database: database).run(&report)
      case .json: JSONExamination.run(path, location, &report)
      case .preferences: PreferencesExamination.run(path, location, &report)
      }
    }
    if open.kind.holdsStores {
      for name in Self.files(in: open) {
        let path = "\(open.location.path)/\(name)"
        await StoreExamination(path, arguments, withNeighbors: false).run(&report)
        neighbors(of: path.parentPath, &report)
      }
    } else {
      let isWhole = open.location.collection == nil && !open.collections.isEmpty
      if isWhole {
        for collection in open.collections {
          await examine(collection.name, collection, of: open, &report)
        }
      } else {
        let name = open.location.collection
        await examine(name, open.collections.first { $0.name == name }, of: open, &report)
      }
    }
    if withNeighbors { neighbors(of: open.resolvedPath ?? location, &report) }
  }

  /// Returns the distinct files of the stores in a container, or of the requested one.
  private static func files(in open: OpenStore) -> [String] {
    var names: [String] = []
    let asked = open.location.collection.map { [$0] }
    for collection in asked ?? open.collections.map(\.name) where collection != "." {
      // The name of a file can contain a `#`, too.
      var name = collection[...]
      let path = open.location.path + "/"
      while !FileManager.default.fileExists(atPath: path + name) {
        guard let mark = name.lastIndex(of: "#") else { break }
        name = name[..<mark]
      }
      if !names.contains(String(name)) { names.append(String(name)) }
    }
    return names
  }

  // MARK: Entries

  private func examine(
    _ collection: String?, _ known: StoreCollection?, of open: OpenStore,
    _ report: inout DoctorReport
  ) async {
    let subject = collection.map { "\(open.location.path)#\($0)" } ?? location
    let task = LongTask("examined", arguments)
    defer { task.end() }
    task.endsAtOnce()
    do {
      let store = try await open.store(collection)
      // Computing a view can take forever, and its rows are examined in their own tables.
      guard known?.form != "view" else {
        return report.add(subject, .view)
      }
      var entries = EntryExamination(store, expiry: known?.expiry)
      try await entries.run(task.progress)
      task.progress.clear()
      entries.tell(subject, &report)
    } catch {
      report.add(subject, .notExamined(StoreError(error)))
    }
  }

  // MARK: Neighbors

  private func neighbors(of path: String, _ report: inout DoctorReport) {
    var isFolder: ObjCBool = false
    guard path.contains("/") || FileManager.default.fileExists(atPath: path) else { return }
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let folder = isFolder.boolValue ? path : path.folderPath
    // For one store, only its own files: other files in the folder belong to other stores.
    let name = isFolder.boolValue ? nil : (path as NSString).lastPathComponent
    for file in SidecarFiles.find(in: folder, of: name) where report.begin(file: file.path) {
      report.add(file.path, .sidecar(file.kind))
    }
  }
}
