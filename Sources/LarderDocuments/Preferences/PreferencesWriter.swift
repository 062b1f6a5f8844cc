import LarderModel

/// Writes a preferences file after changes, with new elements as Android would write them.
struct PreferencesWriter {
  private typealias Splicer = XMLSplicer<PreferenceElement>
  private typealias Node = EditNode<PreferenceElement, XMLOrigin>

  let source: PreferencesSource
  /// The type names of some members, by path.
  var forms: [[DocumentStep]: String] = [:]

  /// Returns the contents of the file with the values of a tree.
  func write(_ root: EditNode<PreferenceElement, XMLOrigin>) throws(DocumentError) -> [UInt8] {
    let place = source.root
    guard case .container(let container) = root else {
      if case .kept = root { return source.bytes }
      throw DocumentError.unnamed
    }
    var splicer = Splicer(source.bytes)
    splicer.copy(0..<place.range.lowerBound)
    let space = XMLOrigin(
      after: 0, head: place.range.lowerBound..<place.range.lowerBound, in: source.bytes
    ).lead
    let layout = XMLLayout(line: source.bytes[space].lastLine, unit: unit(of: container, space))
    try splicer.write(
      container, frame: try source.frame(of: place), layout: layout, name: "map",
      writeOpen: { $0.copy(place.open.range) },
      writeItem: { splicer, item, layout, _ throws(DocumentError) in
        try write(item.value, item.name, item.isRenamed, layout, to: &splicer)
      })
    splicer.copy(place.range.upperBound..<source.bytes.count)
    return splicer.output
  }

  private func unit(
    of container: EditContainer<PreferenceElement, XMLOrigin>, _ space: Range<Int>
  ) -> [UInt8] {
    container.items.lazy.compactMap(\.origin).first.flatMap {
      XMLLayout.unit(parent: source.bytes[space], child: source.bytes[$0.lead])
    } ?? Array("    ".utf8)
  }

  private func write(
    _ node: Node, _ name: String?, _ isRenamed: Bool, _ layout: XMLLayout,
    to splicer: inout Splicer
  ) throws(DocumentError) {
    let newName = isRenamed ? name : nil
    switch node {
    case .kept(let element):
      // An equal value may still need another type.
      if let type = try form(of: name), let old = element.type, type != old {
        let value = try source.value(of: element)
        return try write(value, replacing: element, name, newName, layout, to: &splicer)
      }
      try copyOpen(of: element, newName, to: &splicer)
      splicer.copy(element.open.range.upperBound..<element.range.upperBound)
    case .new(let value, let replaced):
      try write(value, replacing: replaced, name, newName, layout, to: &splicer)
    case .container(let container):
      guard let element = container.place else {
        let value = container.newValue ?? .null
        try write(value, replacing: container.replaced, name, newName, layout, to: &splicer)
        return
      }
      try checkElements(of: container, over: element)
      try splicer.write(
        container, frame: try source.frame(of: element), layout: layout, name: "set",
        writeOpen: { splicer throws(DocumentError) in
          try copyOpen(of: element, newName, to: &splicer)
        },
        writeItem: { splicer, item, layout, _ throws(DocumentError) in
          try write(item.value, nil, false, layout, to: &splicer)
        })
    }
  }

  /// Throws if a set would contain duplicates, unless the file already has some.
  private func checkElements(
    of container: EditContainer<PreferenceElement, XMLOrigin>, over element: PreferenceElement
  ) throws(DocumentError) {
    var values: [StoredValue] = []
    for item in container.items where !item.isRemoved {
      switch item.value {
      case .new(let value, _): values.append(value)
      case .kept(let element): values.append(try source.value(of: element))
      case .container: throw DocumentError.notStrings
      }
    }
    guard case .array(let old) = try source.value(of: element), Set(old).count == old.count else {
      return
    }
    try PreferenceText.checkSet(values)
  }

  /// Writes the opening tag of an existing element, with a new name if one is given.
  private func copyOpen(
    of element: PreferenceElement, _ name: String?, to splicer: inout Splicer
  ) throws(DocumentError) {
    let tag = element.open.range
    guard let name, let old = element.name else { return splicer.copy(tag) }
    splicer.copy(tag.lowerBound..<old.lowerBound)
    splicer.write(try XMLText.escaped(name, .quotedName))
    splicer.copy(old.upperBound..<tag.upperBound)
  }

  /// Returns the type requested for a member, or nil if any type will do.
  private func form(of name: String?) throws(DocumentError) -> PreferenceType? {
    // A form with a space belongs to another kind of store; element names have no spaces.
    guard let name, let word = forms[[.name(name)]], !word.contains(" ") else { return nil }
    guard let type = PreferenceType(rawValue: word) else {
      throw DocumentError.foreignElement(word)
    }
    return type
  }

  private func write(
    _ value: StoredValue, replacing old: PreferenceElement?, _ name: String?, _ newName: String?,
    _ layout: XMLLayout, to splicer: inout Splicer
  ) throws(DocumentError) {
    if let old, old.type == nil {
      throw DocumentError.foreignElement
    }
    if case .malformedText = value { throw DocumentError.notUTF8XML }
    let form = try form(of: name)
    guard let type = PreferenceType(for: value, replacing: form ?? old?.type) else {
      throw DocumentError.noPreference(value.type)
    }
    if name == nil, type != .string && type != .null {
      throw DocumentError.notStrings
    }
    if let old, old.type == type, type != .string, type != .set, newName == nil,
      let range = old.valueAttribute(in: source.bytes)
    {
      splicer.copy(old.range.lowerBound..<range.lowerBound)
      splicer.write(try PreferenceNumber.text(of: value, type))
      splicer.copy(range.upperBound..<old.range.upperBound)
    } else {
      splicer.write(try PreferenceText.element(value, type, name: name, layout))
    }
  }
}
