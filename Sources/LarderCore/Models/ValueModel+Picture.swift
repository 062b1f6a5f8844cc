extension ValueModel {
  /// The bytes of the image that is to be decoded; nil where the value is none, or is decoded.
  var undecodedPicture: [UInt8]? {
    guard picture == nil, let bytes = pictureBytes else { return nil }
    return bytes
  }

  /// The bytes of the value, where they are an image that can be drawn.
  private var pictureBytes: [UInt8]? {
    guard case .data(let bytes)? = innerValue, formats.contains(ValueFormat.image.name),
      PictureDecoder.canRead(bytes)
    else { return nil }
    return bytes
  }

  /// What is shown of an image that can be drawn, as far as it is decoded.
  func drawn(_ content: ValueContent, height: Int) -> ValueContent {
    guard format == ValueFormat.image.name, let bytes = pictureBytes else { return content }
    guard let picture else {
      return ValueContent(
        head: content.head, .lines([ValueLine([.init("decoding…", .note)])]))
    }
    var content = content
    // That a header is cut off is among the facts.
    let hasHeader = ImageFacts(of: bytes)?.size != nil
    if hasHeader, let problem = picture.problem {
      let line = ValueLine([.init("damaged: \(problem)", .note)])
      content.head.insert(line, at: max(0, content.head.count - 1))
    }
    guard let image = picture.picture else { return content }
    let room = max(4, height - content.head.count)
    let rows = image.fitting(width: max(1, width), height: room * 2).rows
    content.body = .lines(
      rows.map { cells in
        var line = ValueLine([])
        line.picture = cells
        return line
      })
    return content
  }
}
