import LarderModel
import LarderFormats

extension ValueModel {
  /// The bytes of the image that is to be decoded; nil where none is shown, or it is decoded or being
  /// decoded.
  var undecodedPicture: [UInt8]? {
    guard content.awaitsPicture, picture == nil, !isDecoding else { return nil }
    return image?.bytes
  }

  /// An image that can be drawn, and the format that shows it.
  private var image: (bytes: [UInt8], format: String)? {
    guard let value = innerValue, let best = formats.first else { return nil }
    if case .data(let bytes) = value, formats.contains(ValueFormat.image.name) {
      return PictureDecoder.canRead(bytes) ? (bytes, ValueFormat.image.name) : nil
    }
    // That an image is inside is the best that there is to say of a value.
    guard Self.openers.contains(best), let format = ValueFormat.named(best),
      let bytes = (reading?.contents[best] ?? format.compared(value)).bytes,
      PictureDecoder.canRead(bytes)
    else { return nil }
    return (bytes, best)
  }

  /// The formats that show what bytes or text stand for, in the format that suits that.
  private static let openers: Set<String> = [
    ValueFormat.base64.name, ValueFormat.gzip.name, ValueFormat.zlib.name,
  ]

  /// What is shown of an image that can be drawn, as far as it is decoded.
  func drawn(_ content: ValueContent, height: Int) -> ValueContent {
    guard let (bytes, imageFormat) = image, format == imageFormat else { return content }
    guard let picture else {
      var content = ValueContent(
        head: content.head, .lines([ValueLine([.init("decoding…", .note)])]))
      content.awaitsPicture = true
      return content
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
