import Foundation
import HarmonyTesting
import LarderFormats
import LarderModel
import Testing

/// A value from a real library, with what formats make of it.
struct FormatSample {
  let value: StoredValue

  /// Creates a sample of bytes from base64.
  init(_ base64: String) {
    value = .data(Array(Data(base64Encoded: base64) ?? Data()))
  }

  init(_ value: StoredValue) {
    self.value = value
  }

  var bytes: [UInt8] { ValueFormat.bytes(of: value) }

  /// The name of the format that suits the value best.
  var format: String? { ValueFormat.suitable(for: value).first?.name }

  /// The lines of the value in its best format.
  var lines: [String] {
    ValueFormat.suitable(for: value).first?.lines(value, 200, 80).map(\.text) ?? []
  }

  /// Shows every truncation of the value and 100 damaged copies in the given formats, and expects
  /// lines from each within a few seconds.
  func withstandsDamage(in formats: [String]) {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let bytes = bytes
    var damaged = (0..<bytes.count).map { Array(bytes.prefix($0)) }
    for _ in 0..<100 {
      var copy = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) where !copy.isEmpty {
        copy[Int.random(in: copy.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      damaged.append(copy)
    }
    let time = ContinuousClock().measure {
      for copy in damaged {
        _ = ValueFormat.suitable(for: .data(copy))
        for name in formats {
          let lines = ValueFormat.named(name)?.lines(.data(copy), 200, 80) ?? []
          #expect(!lines.isEmpty, "\(name), seed \(seed)")
        }
      }
    }
    #expect(time < .seconds(30), "seed \(seed)")
  }
}
