import LarderModel
import LarderOperations
import Testing

/// The outcome that a failure reports.
struct OperationFailureTests {
  @Test func `The outcome for all entries replaces what the store reports for its own part`() {
    let conflict = OperationFailure(StoreError.conflict(current: nil), outcome: "2 were deleted")
    #expect(!conflict.message.contains("nothing was"))
    #expect(conflict.message.hasSuffix("2 were deleted"))
    #expect(!conflict.isTaken)
    let refused = OperationFailure(StoreError.failed("no; nothing was renamed. Try a"))
    #expect(refused.message == "no; nothing was renamed. Try a")
    #expect(OperationFailure(StoreError.failed("no")).message == "no; nothing was written")
  }

  @Test func `The first outcome is retained`() {
    let failure = OperationFailure(StoreError.cancelled, outcome: "1 was written")
    #expect(OperationFailure(failure) == failure)
  }

  @Test(arguments: [
    ("the disk is full", 0, "the disk is full; nothing was deleted"),
    ("the disk is full", 2, "the disk is full; 2 entries were deleted before it"),
  ])
  func `A deletion reports the number of entries`(reason: String, count: Int, message: String) {
    #expect(Deletion.failure(StoreError.failed(reason), after: count).message == message)
  }

  @Test func `A deletion that may not be durable counts all deleted entries`() {
    let unknown = OperationFailure(StoreError.unknownOutcome("no answer"), outcome: Rename.nothing)
    #expect(unknown.message == "no answer")
    let doubt = Deletion.failure(StoreError.notDurable("a may be back"), after: 2)
    #expect(doubt.reason == .notDurable("a may be back"))
    #expect(doubt.outcome == "in all, \(OperationFailure.outcome(2, "deleted"))")
    // The text of a message has no influence.
    let failure = Deletion.failure(StoreError.failed("a was deleted, but failed"), after: 2)
    #expect(failure.outcome == "\(OperationFailure.outcome(2, "deleted")) before it")
  }
}
