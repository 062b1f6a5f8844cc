import Foundation
import Testing

/// Full disks and read-only file systems.
@Suite struct DiskTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// The samples of `larder demo` to which a key can be added.
  static let stores = [
    "app.db#settings", "files", "defaults.plist", "preferences.xml", "settings.json",
    "com.example.notes/databases/RKStorage#catalystLocalStorage",
  ]

  /// Runs a script with a new file system, which is removed with it.
  ///
  /// - Parameters:
  ///   - size: The capacity of the file system.
  ///   - script: The script; `$larder` is the program, and `$work` a folder on another disk.
  /// - Returns: The outcome of the script.
  /// - Throws: An error if the script cannot be run.
  private func run(size: String, _ script: String) throws -> Outcome {
    let place = scratch.file("disk")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let apart = ["--mount"] + (geteuid() == 0 ? [] : ["--map-root-user"])
    let mounting =
      "set -e; mount -t tmpfs -o size=\(size) larder '\(place)'; cd '\(place)'; set +e\n"
    return try Shell.run(
      "unshare", apart + ["bash", "-c", mounting + script],
      environment: [
        "larder": Shell.larder, "work": scratch.path, "XDG_STATE_HOME": scratch.file("state"),
      ])
  }

  @Test(arguments: stores)
  func `A full disk loses nothing, and writing works once there is room`(
    store: String
  ) throws {
    let script = """
      "$larder" demo . 2>/dev/null </dev/null
      "$larder" export '\(store)' >"$work/before"
      head -c 300000 /dev/zero | tr '\\0' x >"$work/typed"
      cat /dev/zero >filler 2>/dev/null
      "$larder" put '\(store)' new.txt --file "$work/typed"; echo "full $?"
      "$larder" export '\(store)' | cmp - "$work/before" && echo same
      "$larder" log '\(store)' | wc -l
      find . -name '*larder*' -o -name '*-journal' -o -name '*-wal' | wc -l
      rm filler
      "$larder" put '\(store)' new.txt --file "$work/typed"; echo "room $?"
      "$larder" get '\(store)' new.txt --as raw | cmp - "$work/typed" && echo written
      "$larder" undo '\(store)' 2>/dev/null; echo "undo $?"
      "$larder" export '\(store)' | cmp - "$work/before" && echo same
      """
    let outcome = try run(size: "2m", script)
    #expect(
      outcome.lines == ["full 3", "same", "0", "0", "room 0", "written", "undo 0", "same"],
      "\(outcome.errors)")
    #expect(
      outcome.errors.contains("full") || outcome.errors.contains("space"), "\(outcome.errors)")
  }

  @Test func `Without room for the journal nothing is written`() throws {
    let outcome = try run(
      size: "1m",
      """
      "$larder" demo "$work/demo" 2>/dev/null </dev/null
      cd "$work/demo"; export XDG_STATE_HOME="$OLDPWD"
      cat /dev/zero >"$OLDPWD/filler" 2>/dev/null
      for store in \(Self.stores.map { "'\($0)'" }.joined(separator: " ")); do
        "$larder" export "$store" >"$work/before"
        "$larder" put "$store" new.txt text; echo "full $?"
        "$larder" export "$store" | cmp - "$work/before" && echo same
      done
      """)
    #expect(
      outcome.lines == Self.stores.flatMap { _ in ["full 3", "same"] }, "\(outcome.errors)")
    #expect(outcome.errors.contains("journal"), "\(outcome.errors)")
  }

  @Test(arguments: stores)
  func `A store on a read-only medium is opened and not written`(store: String)
    throws
  {
    let outcome = try run(
      size: "4m",
      """
      "$larder" demo . 2>/dev/null </dev/null
      "$larder" export '\(store)' >"$work/before"
      find . -type f -exec cksum {} + | sort >"$work/sums"
      mount -o remount,ro . || exit 99
      key=$("$larder" ls '\(store)' --limit 1)
      "$larder" get '\(store)' "$key" >/dev/null; echo "get $?"
      "$larder" put '\(store)' new.txt text; echo "put $?"
      "$larder" rm '\(store)' "$key" --yes; echo "rm $?"
      "$larder" export '\(store)' | cmp - "$work/before" && echo same
      find . -type f -exec cksum {} + | sort | cmp - "$work/sums" && echo untouched
      """)
    #expect(
      outcome.lines == ["get 0", "put 5", "rm 5", "same", "untouched"], "\(outcome.errors)")
    #expect(outcome.errors.contains("read-only"), "\(outcome.errors)")
  }
}
