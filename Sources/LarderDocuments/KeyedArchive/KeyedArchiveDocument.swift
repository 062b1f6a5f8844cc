package import LarderModel

/// A property list written by `NSKeyedArchiver`, decoded into its objects and read-only.
///
/// Lists the members or elements of the archived object, which is usually stored under `root`. Any
/// other value becomes a member named `root`.
package struct KeyedArchiveDocument: Document {
  private let tree: StoredValue
  private let list: MemberList

  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    guard let value = KeyedArchive.decode(bytes) else {
      throw DocumentError.notArchive
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

  package var readOnlyReason: String? { Messages.archive }

  package var members: [DocumentStep] { list.steps }

  package func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    tree.value(at: path)
  }

  package func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8] {
    throw DocumentError(Messages.archive)
  }
}
