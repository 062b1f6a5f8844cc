import Foundation
import LarderFormats
import LarderModel
import Testing

/// Sixteen bytes that are a UUID.
@Suite struct UUIDFormatTests {
  private func sample(_ text: String) -> FormatSample {
    let digits = text.filter { $0 != "-" }
    return FormatSample(
      .data(
        stride(from: 0, to: digits.count, by: 2).compactMap { place in
          UInt8(digits.dropFirst(place).prefix(2), radix: 16)
        }))
  }

  private func note(_ sample: FormatSample) -> String? {
    let content = ValueFormat.named("uuid")?.rows(sample.value, 100)
    guard case .lines(let lines)? = content?.body else { return nil }
    return lines.first?.text
  }

  // The examples of RFC 9562, appendix A.
  @Test(arguments: [
    ("C232AB00-9414-11EC-B3C8-9F6BDECED846", "1, 2022-02-22T19:22:22Z"),
    ("5DF41881-3AED-3515-88A7-2F4A814CF09E", "3"),
    ("919108F7-52D1-4320-9BAC-F847DB4148A8", "4"),
    ("2ED6657D-E927-568B-95E1-2665A8AEA6A2", "5"),
    ("1EC9414C-232A-6B00-B3C8-9F6BDECED846", "6, 2022-02-22T19:22:22Z"),
    ("017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "7, 2022-02-22T19:22:22Z"),
    ("2489E9AD-2EE2-8E00-8EC9-32D5F69181C0", "8"),
  ])
  func `The UUID, its version and its time are shown`(_ text: String, _ version: String) {
    let sample = sample(text)
    #expect(sample.format == "uuid")
    #expect(sample.lines == [text])
    #expect(note(sample) == "\(text)  UUID of version \(version)")
    let preview = ValuePreview(sample.value)
    #expect(preview.kind == "uuid" && preview.text == text)
    #expect(ValueFormat.suitable(for: sample.value).map(\.name).contains("hex"))
  }

  @Test(arguments: [
    "00000000-0000-0000-0000-000000000000", "C232AB00-9414-01EC-B3C8-9F6BDECED846",
    "C232AB00-9414-91EC-B3C8-9F6BDECED846", "C232AB00-9414-11EC-73C8-9F6BDECED846",
    "C232AB00-9414-11EC-C3C8-9F6BDECED846", "C232AB00-9414-11EC-B3C8-9F6BDECED8",
    "C232AB00-9414-11EC-B3C8-9F6BDECED84600",
  ])
  func `Other bytes are not`(_ text: String) {
    #expect(sample(text).format == "hex")
  }

  @Test func `Sixteen bytes of text are text`() {
    // The ninth byte belongs to a letter, and has the bits of a variant.
    #expect(FormatSample(.data(Array("abcdefGéé12345".utf8))).format == "text")
  }
}
