import LarderModel

/// The values of a file with some changes, loading only the affected parts into memory.
///
/// Records which parts of the file are unchanged and what replaces the others; the writer of each
/// format turns that into bytes.
struct EditTree<Source: EditSource> {
  typealias Node = EditNode<Source.Place, Source.Origin>
  typealias Container = EditContainer<Source.Place, Source.Origin>

  /// The outermost value.
  private(set) var root: Node
  let source: Source

  /// Creates a tree with the values of a file.
  init(_ source: Source, root: Source.Place) {
    self.source = source
    self.root = .kept(root)
  }

  /// Applies a change completely, or throws and changes nothing.
  mutating func apply(_ change: DocumentChange) throws(DocumentError) {
    switch change {
    case .set(let path, let value):
      guard let last = path.last else { return try assign(value, to: &root) }
      let container = try container(above: path)
      if let position = container.position(of: last) {
        try container.update(at: position) { node throws(DocumentError) in
          try assign(value, to: &node)
        }
      } else if container.appends(last) {
        container.append(value, for: last)
      } else {
        if case .index(let index) = last, container.hasNames { throw .notAnArray(index) }
        throw .nothing(at: path)
      }
    case .remove(let path):
      let (container, position) = try find(path)
      container.remove(at: position)
    case .rename(let path, let name):
      let (container, position) = try find(path)
      guard container.hasNames else { throw DocumentError.notAnObject }
      if container.items[position].name?.hasBytes(of: name) == true { return }
      guard container.position(of: .name(name)) == nil else {
        throw .taken(name)
      }
      container.rename(at: position, to: name)
    }
  }

  private mutating func find(
    _ path: [DocumentStep]
  ) throws(DocumentError) -> (container: Container, position: Int) {
    guard let last = path.last else {
      throw .rootChange
    }
    let container = try container(above: path)
    guard let position = container.position(of: last) else { throw .nothing(at: path) }
    return (container, position)
  }

  /// Returns the container of the last step of a path, opened for changes.
  private mutating func container(above path: [DocumentStep]) throws(DocumentError) -> Container {
    guard var container = try open(&root) else { throw .nothing(at: path) }
    for step in path.dropLast() {
      guard let position = container.position(of: step) else { throw .nothing(at: path) }
      var inner: Container?
      try container.update(at: position) { node throws(DocumentError) in
        inner = try open(&node)
      }
      guard let inner else { throw .nothing(at: path) }
      container = inner
    }
    return container
  }

  /// Opens a node so that its members can be changed; returns nil if it is a scalar.
  private func open(_ node: inout Node) throws(DocumentError) -> Container? {
    switch node {
    case .container(let container): return container
    case .kept(let place):
      guard let members = try source.members(of: place) else { return nil }
      if let reason = members.readOnlyReason { throw DocumentError(reason) }
      let container = Container(members, at: place)
      node = .container(container)
      return container
    case .new(let value, let replaced):
      guard let container = Container(value, replacing: replaced) else { return nil }
      node = .container(container)
      return container
    }
  }
}
