import Foundation
import Harmony
import Testing

/// Errors bridged to Foundation by the language.
@Suite struct BridgedErrorTests {
  private struct Offline: CodedError, Hashable {
    let domain = "app.network"
    let code = 7
    let description = "There is no network"
    func userInfo() -> [String: Any] { ["host": "example"] }
  }

  private enum Numbered: Int, CodedError {
    case first = 4
    var domain: String { "app.numbered" }
    var code: Int { rawValue + 10 }
    var description: String { "the first" }
  }

  @Test func `Errors of the library are bridged identically both ways`() {
    let errors: [any CodedError] = [
      CoreError.Unknown(), CoreError.NotFound("x"), CoreError.IllegalArgument(),
      CoreError.NotImplemented(), CoreError.NotValid(), CoreError.Failed(),
      CoreError.QueryNotSupported(), CoreError.DataSerialization(),
      CoreError.OSStatusFailure(-34018),
    ]
    for error in errors {
      let (bridged, made) = (error as NSError, error.toNSError())
      #expect(bridged.code == made.code)
      #expect(bridged.domain == made.domain)
      #expect(bridged.localizedDescription == made.localizedDescription)
      #expect(bridged.userInfo["OSStatus"] as? Int32 == made.userInfo["OSStatus"] as? Int32)
    }
  }

  @Test func `Custom errors keep their code and user info, and use their type as domain`() {
    let bridged = Offline() as NSError
    #expect(bridged.code == 7)
    #expect(bridged.userInfo["host"] as? String == "example")
    #expect(bridged.localizedDescription == "There is no network")
    #expect(bridged.domain.hasSuffix("Offline"))
    #expect((ClassError(domain: "d", code: 3, description: "x") as NSError).code == 3)
    #expect((CoreError.NSError(NSError(domain: "d", code: 9)) as NSError).code == 9)
  }

  @Test func `An enumeration with raw integers may be an error with its own codes`() {
    let error: any Error = Numbered.first
    #expect((error as NSError).code == 14)
    #expect(Numbered.first.toNSError().code == 14)
    #expect(error.localizedDescription == "the first")
  }
}
