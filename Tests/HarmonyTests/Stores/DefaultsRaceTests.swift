import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Harmony

/// The property list of defaults while other programs are writing or mending it.
@Suite struct DefaultsRaceTests {
  private let files: DefaultsFiles
  private static let cut = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>pre</key><str"

  init() throws {
    files = try DefaultsFiles()
  }

  // MARK: Reading

  @Test func `Reading waits for who is writing, and takes nothing from it`() throws {
    try files.interrupt()
    try files.write(DefaultsFiles.xml("old", "copied"), to: files.copy)
    try files.write(DefaultsFiles.xml("old", "x"), to: files.list)
    let writer = try OpenFile(files.list, O_WRONLY | O_TRUNC)
    var pauses = 0
    let state = try files.state(pause: {
      pauses += 1
      if pauses == 5 { try? writer.write(Array(DefaultsFiles.xml("foreign", "new").utf8)) }
    })
    #expect(try state.text("foreign") == "new")
    #expect(pauses == 5)
    #expect(files.text(files.list) == DefaultsFiles.xml("foreign", "new"))
    #expect(files.text(files.copy) == DefaultsFiles.xml("old", "copied"))
  }

  @Test func `Reading loses nothing of what another program writes`() throws {
    var writer = try WriterProcess(["alone", "defaults", files.suite, "300"])
    #expect(writer.line() == "ready")
    let state = try files.state(pause: DefaultsList.pause)
    var largest = -1
    while largest < 299 {
      // A busy file is answered by an error.
      guard let entries = try? state.entries(in: nil, where: { $0.hasPrefix("n") }) else {
        continue
      }
      let numbers = entries.compactMap { $0.entry.single() as Int? }
      largest = max(largest, numbers.max() ?? -1)
    }
    #expect(writer.line() == "lost 0")
    writer.wait()
    // Who reads while others keep changing the list may have begun a journal, as it cannot tell
    // whether the program has set something. What then lies beside the list is gone after a write.
    try state.put("mine", "own")
    try state.flush()
    #expect(files.names == [".plist", ".harmony", ".harmony-lock"])
    let values = try #require(files.values)
    #expect(values["own"] as? String == "mine")
    for number in 0..<300 { #expect(values["n\(number)"] as? Int == number) }
    #expect((values["large"] as? String)?.utf8.count == 30_000)
  }

  @Test(arguments: ["{\"other\": \"program's settings\"}", "", cut])
  func `Reading changes no file, whatever that is`(text: String) throws {
    try files.write(text, to: files.list)
    defer { files.clear() }
    let state = try files.state()
    #expect(try state.text("a") == nil)
    #expect(try state.entries(in: nil, where: { _ in true }).isEmpty)
    #expect(files.text(files.list) == text)
    #expect(files.names == [".plist"])
  }

  @Test func `Reading does not save over what is damaged, also if there is something to save`()
    throws
  {
    var process = try WriterProcess(["dirty", "get", files.suite, Self.cut])
    #expect(process.line() == "a 1")
    #expect(process.line() == "missing ")
    process.wait()
    #expect(files.text(files.list) == Self.cut)
    #expect(files.names == [".plist", ".harmony", ".harmony-lock"])
  }

  @Test func `What cannot be read is not missing`() throws {
    // As nobody may read it; these tests may run as who may read everything.
    try FileManager.default.createDirectory(atPath: files.list, withIntermediateDirectories: false)
    defer { files.clear() }
    let state = try files.state()
    let error = #expect(throws: CoreError.Failed.self) { try state.text("a") }
    #expect(error?.description.contains(files.list) == true)
    #expect(throws: CoreError.Failed.self) { try state.entries(in: nil, where: { _ in true }) }
    try state.put("1", "a")
    #expect(try state.text("a") == "1")
    try state.put(nil, "a")
    #expect(try state.text("a") == nil)
    #expect(throws: CoreError.Failed.self) { try state.text("b") }
    #expect(throws: CoreError.Failed.self) { try state.put("1", "a", root: "r") }
    try state.put("1", "a")
    try FileManager.default.removeItem(atPath: files.list)
    #expect(try state.text("b") == nil)
    try state.flush()
    #expect(files.values?["a"] as? String == "1")
  }

  // MARK: Saving

  @Test func `What another program begins to write while we save is left to it`() throws {
    try files.write(DefaultsFiles.xml("old", "x"), to: files.list)
    var writer: OpenFile?
    var list = try files.propertyList()
    let isDone = list.overwrite {
      writer = try? OpenFile(files.list, O_WRONLY | O_TRUNC)
      return true
    }
    #expect(!isDone)
    try writer?.write(Array(DefaultsFiles.xml("foreign", "new").utf8))
    #expect(files.text(files.list) == DefaultsFiles.xml("foreign", "new"))
    let isDoneAgain = list.overwrite { true }
    #expect(isDoneAgain)
    #expect(files.text(files.list) == DefaultsFiles.xml("foreign", "new"))
    #expect(files.names == [".plist"])
  }

  @Test func `A copy of long ago takes nobody's place`() throws {
    try files.write(DefaultsFiles.xml("old", "x"), to: files.copy)
    try files.setTime(Date(timeIntervalSinceNow: -86_400), of: files.copy)
    try files.write(Self.cut, to: files.list)
    var list = try files.propertyList()
    let isDone = list.overwrite(isInterrupted: true) { true }
    #expect(isDone)
    #expect(files.values?.isEmpty == true)
    #expect(files.text(files.damagedList) == Self.cut)
    #expect(files.text(files.damagedList + "-2") == DefaultsFiles.xml("old", "x"))
  }

  @Test func `A copy is kept if another program has begun a list of its own since`() throws {
    try files.interrupt()
    try files.write(DefaultsFiles.xml("old", "x"), to: files.copy)
    try files.write(DefaultsFiles.xml("foreign", "y"), to: files.list)
    try files.state().put("1", "a")
    #expect(files.values as? [String: String] == ["foreign": "y", "a": "1"])
    #expect(files.text(files.damagedList) == DefaultsFiles.xml("old", "x"))
    #expect(files.names == [".plist", ".plist-damaged", ".harmony", ".harmony-lock"])
  }

  @Test func `A copy of what is in the list or was removed by a source is not kept`() throws {
    let state = try files.state()
    try state.put("1", "removed")
    try state.put(nil, "removed")
    for text in [DefaultsFiles.xml("removed", "1"), DefaultsFiles.xml("foreign", "x")] {
      try files.write(text, to: files.copy)
      try files.interrupt()
      try files.write(DefaultsFiles.xml("foreign", "y"), to: files.list)
      try files.state().put(text, "a")
    }
    #expect(files.names == [".plist", ".harmony", ".harmony-lock"])
  }

  @Test(arguments: [true, false])
  func `A copy takes the place of what was cut off only if we have cut it off`(
    isInterrupted: Bool
  ) throws {
    try files.write(DefaultsFiles.xml("old", "x"), to: files.copy)
    try files.write(Self.cut, to: files.list)
    var list = try files.propertyList()
    let isDone = list.overwrite(isInterrupted: isInterrupted) { true }
    #expect(isDone)
    #expect(files.values?["old"] as? String == (isInterrupted ? "x" : nil))
    #expect(files.text(files.damagedList) == Self.cut)
    let kept = files.text(files.damagedList + "-2")
    #expect(kept == (isInterrupted ? nil : DefaultsFiles.xml("old", "x")))
  }

  @Test(arguments: 1...DefaultsList.patience)
  func `What is mended while we wait stays`(moment: Int) throws {
    try files.write(Self.cut, to: files.list)
    let mended = DefaultsFiles.xml("mended", "yes")
    try files.write(mended, to: files.list + "-fixed")
    var pauses = 0
    var list = try files.propertyList(pause: {
      pauses += 1
      if pauses == moment { rename(files.list + "-fixed", files.list) }
    })
    let isDone = list.overwrite { true }
    #expect(isDone)
    #expect(files.text(files.list) == mended)
    #expect(files.names == [".plist"])
  }

  @Test(arguments: [-1e9, 0, 1e9])
  func `A writer that changes the file is waited for, whatever its clock says`(
    offset: Double
  ) throws {
    try files.write("", to: files.list)
    let writer = try OpenFile(files.list, O_WRONLY)
    let bytes = Array(DefaultsFiles.xml("slow", "yes").utf8)
    var pauses = 0
    var list = try files.propertyList(pause: {
      pauses += 1
      // As slowly as it can be without being given up.
      guard pauses.isMultiple(of: DefaultsList.patience) else { return }
      let part = pauses / DefaultsList.patience
      try? writer.write(part < 4 ? bytes[part * 10 - 10..<part * 10] : bytes[30...])
      try? files.setTime(Date(timeIntervalSinceNow: offset + Double(part)), of: files.list)
    })
    let isDone = list.overwrite { true }
    #expect(isDone)
    #expect(files.values?["slow"] as? String == "yes")
    #expect(files.names == [".plist"])
  }

  @Test func `A writer that goes on after all does not write into the new file`() throws {
    try files.write("", to: files.list)
    let writer = try OpenFile(files.list, O_WRONLY)
    let bytes = Array(DefaultsFiles.xml("foreign", String(repeating: "f", count: 600)).utf8)
    try writer.write(bytes[..<300])
    let state = try files.state()
    try state.put("1", "a")
    try writer.write(bytes[300...])
    #expect(files.values as? [String: String] == ["a": "1"])
    #expect(files.text(files.damagedList)?.utf8.count == 300)
  }

  @Test func `What was damaged just now is kept also if there is something to save`() throws {
    var process = try WriterProcess(["dirty", "put", files.suite, Self.cut])
    #expect(process.line() == "a 2")
    process.wait()
    #expect(files.text(files.damagedList) == Self.cut)
    #expect(files.values as? [String: String] == ["a": "2", "dirty": "app"])
  }

  @Test func `What was damaged first is kept beside what was damaged later`() throws {
    let state = try files.state()
    for text in ["<plist><dict><key>only copy", "<", "<"] {
      try files.write(text, to: files.list)
      try state.put(text, "a")
    }
    #expect(files.text(files.damagedList) == "<plist><dict><key>only copy")
    #expect(files.text(files.damagedList + "-2") == "<")
    #expect(!files.names.contains(".plist-damaged-3"))
  }

  @Test func `A link stays one when what it leads to could not be written`() throws {
    let target = StorePlaces.directory().path
    try files.write(DefaultsFiles.xml("old", "x"), to: target)
    try FileManager.default.createSymbolicLink(
      atPath: files.list, withDestinationPath: target)
    var list = try files.propertyList()
    let isDone = list.overwrite {
      truncate(files.list, 10)
      return false
    }
    #expect(!isDone)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: files.list) == target)
    #expect(files.text(target) == DefaultsFiles.xml("old", "x"))
  }

  @Test func `What somebody puts there at the last moment stays`() throws {
    try files.write("new", to: files.list)
    let seen = try #require(FileStamp(path: files.list))
    let directory = (files.list as NSString).deletingLastPathComponent
    let replace = { (stamp: FileStamp) in
      try AtomicFile.draft(Array("ours".utf8), in: directory)
        .publish(as: files.list, inPlaceOf: stamp)
    }
    try files.write("newer", to: files.list)
    #expect(throws: CoreError.Failed.self) { try replace(seen) }
    #expect(files.text(files.list) == "newer")
    try replace(#require(FileStamp(path: files.list)))
    #expect(files.text(files.list) == "ours")
    files.clear()
  }

  @Test func `A copy is not kept for a list that is being written just then`() throws {
    let text = DefaultsFiles.xml("a", "1")
    try files.write(text, to: files.list)
    try files.write(text, to: files.copy)
    let list = try files.propertyList()
    let path = files.list
    let isDone = Mutex(false)
    let hasEnded = DispatchSemaphore(value: 0)
    // As `UserDefaults` does it: cut off first, and then written.
    let writer = Thread {
      while !isDone.withLock({ $0 }) {
        guard let file = try? OpenFile(path, O_WRONLY | O_TRUNC) else { continue }
        try? file.write(Array(text.utf8))
      }
      hasEnded.signal()
    }
    writer.start()
    for _ in 0..<5_000 { list.keepCopy { _ in false } }
    isDone.withLock { $0 = true }
    hasEnded.wait()
    #expect(!files.names.contains(".plist-damaged"))
  }
}
