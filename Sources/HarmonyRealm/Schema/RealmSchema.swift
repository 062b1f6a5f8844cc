/// The classes of a file.
struct RealmSchema: Sendable {
  let classes: [RealmClass]
  /// The tables that cannot be read and their errors.
  let problems: [(name: String, error: RealmError)]
  private let places: [UInt32: Int]

  /// The maximum number of tables, given by the size of their keys.
  private static let maximumCount = 1 << 16

  init(_ snapshot: RealmSnapshot) throws(RealmError) {
    guard let top = snapshot.top else {
      classes = []
      problems = []
      places = [:]
      return
    }
    let names = try StringLeaf(
      snapshot, try snapshot.node(try top.requiredRef(0)), isNullable: false)
    let tables = try snapshot.node(try top.requiredRef(1))
    guard tables.count <= Self.maximumCount, names.count == tables.count else {
      throw .damaged("class list")
    }
    var budget = ReadingBudget(snapshot)
    var found: [TableNode] = []
    var problems: [(name: String, error: RealmError)] = []
    for index in 0..<tables.count {
      let element = try tables.integer(index)
      if element & 1 == 1 || element == 0 { continue }
      let name = String(decoding: try names.bytes(index, snapshot) ?? [], as: UTF8.self)
      do throws(RealmError) {
        found.append(try TableNode(snapshot, try tables.requiredRef(index), name: name, &budget))
      } catch {
        problems.append((name, error))
      }
    }
    var classNames: [UInt32: String] = [:]
    for table in found { classNames[table.key] = RealmClass.shownName(table.name) }
    var classes: [RealmClass] = []
    var roots: Set<Int> = []
    for table in found {
      do throws(RealmError) {
        let found = try table.described(snapshot, classNames, &budget)
        if let root = found.root, !roots.insert(root).inserted {
          throw .otherClass
        }
        classes.append(found)
      } catch {
        problems.append((table.name, error))
      }
    }
    self.classes = classes
    self.problems = problems
    var places: [UInt32: Int] = [:]
    for (place, found) in classes.enumerated() { places[found.key] = place }
    self.places = places
  }

  /// Returns the class whose table has a key.
  func find(_ key: UInt32) -> RealmClass? {
    places[key].map { classes[$0] }
  }
}

extension RealmClass {
  static func shownName(_ tableName: String) -> String {
    tableName.utf8.starts(with: prefix.utf8)
      ? String(decoding: Array(tableName.utf8.dropFirst(prefix.utf8.count)), as: UTF8.self)
      : tableName
  }
}
