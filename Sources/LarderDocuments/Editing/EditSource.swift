import LarderModel

/// A file whose values an ``EditTree`` changes.
protocol EditSource {
  /// The location of a value in the file.
  associatedtype Place
  /// The location of the rest of a member, such as its name and the whitespace before it.
  associatedtype Origin

  /// Returns the value at a location.
  func value(of place: Place) throws(DocumentError) -> StoredValue

  /// Returns the members of the value at a location, or nil if it is a scalar.
  func members(of place: Place) throws(DocumentError) -> EditMembers<Place, Origin>?
}

/// The members of a dictionary or the elements of an array, as they are in a file.
struct EditMembers<Place, Origin> {
  /// A member of a dictionary or an element of an array.
  struct Member {
    /// The name of a dictionary member.
    var name: String?
    /// The value.
    var value: EditNode<Place, Origin>
    /// The location of the rest of the member.
    var origin: Origin?
  }

  /// Whether this is a dictionary, whose members have names.
  let hasNames: Bool
  /// The members in file order.
  let members: [Member]
  /// The reason, as a clause, why none of the members can be changed.
  var readOnlyReason: String?
}

/// A value in a tree that is being changed.
enum EditNode<Place, Origin> {
  /// The value at a location of the file, unchanged.
  case kept(Place)
  /// A new value, with the location of the value that it replaces, if any.
  case new(StoredValue, replacing: Place?)
  /// A value whose members may differ from the file.
  case container(EditContainer<Place, Origin>)

  /// The location of the value, or of the value that it replaces, in the file.
  var place: Place? {
    switch self {
    case .kept(let place): place
    case .new(_, let replaced): replaced
    case .container(let container): container.place ?? container.replaced
    }
  }

  /// Whether the value is unchanged from the file.
  var isUnchanged: Bool {
    switch self {
    case .kept: true
    case .new: false
    case .container(let container):
      container.place != nil && !container.isTouched
        && container.items.allSatisfy(\.value.isUnchanged)
    }
  }

  /// The value, if none of it comes from the file.
  var newValue: StoredValue? {
    switch self {
    case .kept: nil
    case .new(let value, _): value
    case .container(let container): container.newValue
    }
  }
}
