extension ImageFacts {
  static func png(_ header: ImageHeader) -> ImageFacts? {
    guard header.big(0, 4) == 0x8950_4E47, header.big(4, 4) == 0x0D0A_1A0A else { return nil }
    var facts = ImageFacts("PNG")
    guard header.has("IHDR", at: 12) else { return facts }
    facts.size = header.pair(header.big(16, 4), header.big(20, 4))
    if let depth = header[24], let color = header[25] {
      facts.details.append(bits(depth, Messages.colors(ofPNG: color)))
    }
    if header[28] == 1 { facts.details.append("interlaced") }
    return facts
  }

  static func jpeg(_ header: ImageHeader) -> ImageFacts? {
    guard header.big(0, 3) == 0xFFD8FF else { return nil }
    var facts = ImageFacts("JPEG")
    var place = 2
    while let marker = header[place + 1], header[place] == 0xFF {
      // Fill bytes and markers without a payload.
      if marker == 0xFF || marker == 0x01 || 0xD0...0xD8 ~= marker {
        place += marker == 0xFF ? 1 : 2
        continue
      }
      if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
        facts.size = header.pair(header.big(place + 7, 2), header.big(place + 5, 2))
        if let depth = header[place + 4], let count = header[place + 9] {
          let colors = [1: "gray", 3: "color", 4: "CMYK"]
          facts.details.append(bits(depth, colors[count] ?? "\(count) components"))
        }
        if [0xC2, 0xC6, 0xCA, 0xCE].contains(marker) { facts.details.append("progressive") }
        return facts
      }
      // A length of at least 2 guarantees progress.
      guard let length = header.big(place + 2, 2), length >= 2, marker != 0xDA else { break }
      place += 2 + length
    }
    return facts
  }

  static func gif(_ header: ImageHeader) -> ImageFacts? {
    guard header.has("GIF87a") || header.has("GIF89a") else { return nil }
    var facts = ImageFacts(header.has("GIF87a") ? "GIF of 1987" : "GIF of 1989")
    facts.size = header.pair(header.little(6, 2), header.little(8, 2))
    if let flags = header[10], flags & 0x80 != 0 {
      facts.details.append("palette of \(2 << (flags & 7)) colors")
    }
    return facts
  }

  static func webP(_ header: ImageHeader) -> ImageFacts? {
    guard header.has("RIFF"), header.has("WEBP", at: 8) else { return nil }
    var facts = ImageFacts("WebP")
    if header.has("VP8 ", at: 12) {
      facts.details.append("lossy")
      guard header.big(23, 3) == 0x9D012A else { return facts }
      facts.size = header.pair(
        header.little(26, 2).map { $0 & 0x3FFF }, header.little(28, 2).map { $0 & 0x3FFF })
    } else if header.has("VP8L", at: 12) {
      facts.details.append("lossless")
      guard header[20] == 0x2F, let bits = header.little(21, 4) else { return facts }
      facts.size = ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
      if bits >> 28 & 1 == 1 { facts.details.append("with alpha") }
    } else if header.has("VP8X", at: 12) {
      facts.size = header.pair(
        header.little(24, 3).map { $0 + 1 }, header.little(27, 3).map { $0 + 1 })
      if let flags = header[20] {
        if flags & 0x10 != 0 { facts.details.append("with alpha") }
        if flags & 0x02 != 0 { facts.details.append("animated") }
      }
    }
    return facts
  }

  static func bmp(_ header: ImageHeader) -> ImageFacts? {
    // Text can start with "BM" too, so the header length is checked as well.
    guard header.has("BM"), let length = header.little(14, 4),
      [12, 40, 52, 56, 64, 108, 124].contains(length)
    else { return nil }
    var facts = ImageFacts("BMP")
    func side(_ place: Int) -> Int? {
      header.little(place, 4).map { Int(Int32(truncatingIfNeeded: $0).magnitude) }
    }
    let isOld = length == 12
    facts.size =
      isOld
      ? header.pair(header.little(18, 2), header.little(20, 2)) : header.pair(side(18), side(22))
    if let depth = header.little(isOld ? 24 : 28, 2) {
      facts.details.append(Messages.bits(depth, per: "pixel"))
    }
    if !isOld, let form = header.little(30, 4), form != 0, form != 3 {
      facts.details.append("compressed")
    }
    return facts
  }

  private static func bits(_ depth: Int, _ colors: String) -> String {
    Messages.bits(depth, per: "sample") + ", " + colors
  }
}
