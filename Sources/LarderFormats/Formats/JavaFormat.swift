import LarderModel

extension ValueFormat {
  /// Objects that Java serialized, as a structure; nothing is instantiated.
  static let java = opening(
    name: "java", shows: "objects that Java serialized",
    suits: { value in
      if case .data(let bytes) = value, JavaStream.mayBegin(bytes) { 5 } else { 0 }
    }, previewsContent: true,
    { value in
      let stream = JavaStream(bytes(of: value))
      if let problem = stream.problem {
        return DecodedValue(
          .dictionary([
            .init("classes", .array(stream.classes.map(StoredValue.text))),
            .init("strings", .array(stream.texts.map(StoredValue.text))),
          ]), head: Messages.partialJava(before: stream.place, problem))
      }
      guard let object = stream.objects.first, stream.objects.count == 1 else {
        return DecodedValue(.array(stream.objects), head: "java: \(stream.objects.count) objects")
      }
      return DecodedValue(object, head: "java: \(stream.rootClass ?? object.type.rawValue)")
    })
}
