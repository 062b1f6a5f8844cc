import LarderModel

/// A file whose values an ``EditTree`` changes.
protocol EditSource {
  /// Where a value is in the file.
  associatedtype Place
  /// Where the rest of a member is, such as its name and the space before it.
  associatedtype Origin

  /// The value at a place.
  func value(of place: Place) throws(DocumentError) -> StoredValue

  /// The members of the value at a place; nil where it has none.
  func members(of place: Place) throws(DocumentError) -> EditMembers<Place, Origin>?
}

/// The members of a dictionary or the elements of an array, as they are in a file.
struct EditMembers<Place, Origin> {
  /// A member of a dictionary or an element of an array.
  struct Member {
    /// The name, in a dictionary.
    var name: String?
    /// Where its value is.
    var value: EditNode<Place, Origin>
    /// Where the rest of it is.
    var origin: Origin?
  }

  /// Whether the members have names.
  let hasNames: Bool
  /// The members in the order of the file.
  let members: [Member]
  /// Why none of the members can be changed, as a clause.
  var readOnlyReason: String?
}

/// A value in a tree that is being changed.
enum EditNode<Place, Origin> {
  /// The value that the file has at a place.
  case kept(Place)
  /// Another value, perhaps in place of one of the file.
  case new(StoredValue, replacing: Place?)
  /// A value of which some members may be others than in the file.
  case container(EditContainer<Place, Origin>)

  /// Where the value, or what it replaces, is in the file.
  var place: Place? {
    switch self {
    case .kept(let place): place
    case .new(_, let replaced): replaced
    case .container(let container): container.place ?? container.replaced
    }
  }

  /// Whether the value is as it is in the file.
  var isUnchanged: Bool {
    switch self {
    case .kept: true
    case .new: false
    case .container(let container):
      container.place != nil && !container.isTouched
        && container.items.allSatisfy(\.value.isUnchanged)
    }
  }

  /// The value where nothing of it is from the file.
  var newValue: StoredValue? {
    switch self {
    case .kept: nil
    case .new(let value, _): value
    case .container(let container): container.newValue
    }
  }
}
