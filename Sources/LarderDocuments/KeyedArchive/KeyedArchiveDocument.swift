package import LarderModel

/// A property list of `NSKeyedArchiver` as the objects that were put into it, to be read only.
///
/// What is archived is the object under `root`, as a rule: the members of a dictionary or the
/// elements of an array. Any other value is a member of the name `root`.
package struct KeyedArchiveDocument: Document {
  private let tree: StoredValue
  private let list: MemberList

  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    guard let value = KeyedArchive.decode(bytes) else {
      throw DocumentError("it is no archive of objects, or one that cannot be shown decoded")
    }
    switch value {
    case .dictionary(let fields):
      tree = value
      list = MemberList(names: fields.map(\.name))
    case .array(let values):
      tree = value
      list = MemberList(count: values.count)
    default:
      tree = .dictionary([StoredValue.Field("root", value)])
      list = MemberList(names: ["root"])
    }
  }

  package var readOnlyReason: String? {
    "it is an archive of objects, which larder shows decoded and does not write"
  }

  package var members: [DocumentStep] { list.steps }

  package func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    tree.value(at: path)
  }

  package func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8] {
    throw DocumentError(readOnlyReason ?? "")
  }
}
