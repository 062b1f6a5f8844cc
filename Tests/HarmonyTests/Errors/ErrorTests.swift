import Foundation
import Harmony
import HarmonyTesting
import Testing

@Suite struct ErrorTests {
  @Test func `Core errors keep their codes and descriptions`() {
    let errors: [any CodedError] = [
      CoreError.Unknown(), CoreError.NotFound(), CoreError.IllegalArgument(),
      CoreError.NotImplemented(), CoreError.NotValid(), CoreError.Failed(),
      CoreError.QueryNotSupported(), CoreError.DataSerialization(),
    ]
    #expect(errors.map(\.code) == Array(0...7))
    #expect(errors.allSatisfy { $0.domain == "com.mobilejazz.core.error" })
    #expect(errors[1].description == "Not Found")
    #expect(errors[4].description == "Object or action not valid")
    #expect(CoreError.NotFound("here").debugDescription == "Error Code 1: here")
  }

  @Test func `An error can be caught by its type`() {
    let error: any Error = CoreError.NotFound()
    #expect(error is CoreError.NotFound)
    #expect(!(error is CoreError.NotValid))
    #expect(error.localizedDescription == "Not Found")
  }

  @Test func `Equality only depends on domain and code`() {
    #expect(CoreError.NotFound("a") == CoreError.NotFound("b"))
    #expect(ClassError(code: 1, description: "a") == ClassError(code: 1, description: "b"))
    #expect(ClassError(code: 1, description: "a") != ClassError(code: 2, description: "a"))
    #expect(ClassError(code: 1, description: "").domain == "default")
    #expect(Set([CoreError.Failed("a"), CoreError.Failed("b")]).count == 1)
  }

  @Test func `Errors can be converted to Foundation errors and back`() {
    let foundation = CoreError.OSStatusFailure(-34018).toNSError()
    #expect(foundation.domain == "com.mobilejazz.core.error")
    #expect(foundation.code == 5)
    #expect(foundation.userInfo["OSStatus"] as? Int32 == -34018)
    #expect(CoreError.NotFound("x").toNSError(domain: "mine").domain == "mine")
    #expect(CoreError.NotFound("x").toNSError().localizedDescription == "x")
    let error = CoreError.NSError(NSError(domain: "d", code: 9))
    #expect(error.domain == "d")
    #expect(error.code == 9)
  }

  @Test func `Errors have their message in Foundation, too`() {
    let errors: [any Error] = [
      UnresolvedFutureError(), NilValueError(), CoreError.NotFound("no such entry"),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
  }

  @Test func `Each error has a code and a distinct type`() {
    let failure: any Error = CoreError.OSStatusFailure(-50)
    #expect(failure is any CodedError)
    #expect(!(failure is CoreError.Failed))
    #expect(ErrorMother.core.allSatisfy { !(($0 as any Error) is ClassError) })
  }
}
