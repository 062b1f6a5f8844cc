import LarderCore

/// Property lists: binary, XML, and the old form in ASCII for reading.
enum PropertyListKind: DocumentKind {
  typealias Contents = PropertyListDocument

  static let kind = StoreKind(
    name: "plist", recognisedBy: "a property list: binary, XML or OpenStep, whatever the name",
    collections: "–", keys: "names or numbers at the top; (users,0,name) or /users/0/name inside")

  static let format = "a property list"

  static func recognise(_ probe: StoreProbe) -> String? {
    guard case .file(let bytes, _) = probe.target else { return nil }
    switch PropertyListDocument.form(of: bytes) {
    case .binary: return "the file starts as binary property lists do"
    case .xml where bytes.holds("<plist") || bytes.holds("<!DOCTYPE plist"):
      return "the file starts as property lists in XML do"
    case .xml: return nil
    case .openStep:
      return PropertyListDocument.beginsOpenStep(bytes)
        ? "the file starts as property lists of OpenStep do" : nil
    }
  }

  static func facts(_ document: PropertyListDocument) -> [OpenStore.Fact] {
    [OpenStore.Fact("form", document.form.rawValue)]
  }
}
