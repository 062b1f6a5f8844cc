import Foundation
import Harmony

// A process that writes to stores and is killed by tests.
//
//   StoreWriter churn KIND PLACE SEED   prints the entries it finds, then writes until killed
//   StoreWriter fill KIND PLACE NAME COUNT   writes NAME0, NAME1 and so on, and exits
//   StoreWriter cramp KIND PLACE SIZE   writes 3 kB with a file size limit of SIZE
//   StoreWriter alone defaults SUITE COUNT   writes with `UserDefaults` only, and prints the losses
//   StoreWriter twins SUITE SUITE NAME COUNT   writes NAME0 and so on to both suites concurrently
//   StoreWriter times files PLACE SEED   writes through a cache with stored times until killed
//   StoreWriter archives defaults SUITE COUNT   reads the keys 0, 1 and so on as URLs
//
// The kind is defaults, root (a dictionary in defaults) or files.
//
// Each step prints a line with a single system call, so that lines are never partial.

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

/// A value that can be verified: its number and a number of dots derived from it.
func value(_ number: Int) -> String {
  "\(number):" + String(repeating: ".", count: number % 7 == 0 ? number * 37 % 6_000 : number % 90)
}

func source(_ kind: String, _ place: String) -> AnyDataSource<String> {
  guard kind == "files" else {
    let type = kind == "root" ? DeviceStorageType.rootKey("store") : .prefix("store")
    return AnyDataSource(
      DeviceStorageDataSource<String>(
        UserDefaults(suiteName: place) ?? .standard, storageType: type))
  }
  let files = FileSystemStorageDataSource(
    fileManager: .default, directory: URL(fileURLWithPath: place))
  return AnyDataSource(
    files.withMapping(
      in: ClosureMapper { (text: String) in Data(text.utf8) },
      out: ClosureMapper { (data: Data) in String(decoding: data, as: UTF8.self) }))
}

/// Prints the values with their times, then writes values whose time is their number.
func churnTimes(_ place: String, seed: Int) async throws {
  let files = FileSystemStorageDataSource(
    fileManager: .default, directory: URL(fileURLWithPath: place))
  for key in try await files.getKeys(AllObjectsQuery()).get() {
    let number = String(decoding: try await files.get(key).get(), as: UTF8.self)
    let time = try files.cacheTimes().times(of: key)?.stored.timeIntervalSince1970
    say("have \(number) \(time.map { String(Int($0)) } ?? "-")")
  }
  say("ready")
  var number = seed
  while true {
    number += 1
    let date = Date(timeIntervalSince1970: Double(number))
    let cache = TimedCacheDataSource(
      files, expiryInterval: 1e6, times: files.cacheTimes(), date: { date })
    try await cache.put(Data(String(number).utf8), forId: "k\(number % 3)").get()
    say("ack k \(number)")
  }
}

func churn(_ source: AnyDataSource<String>, seed: Int) async throws {
  for key in try await source.getKeys(AllObjectsQuery()).get() {
    let text = try await source.get(key).get()
    let number = Int(text.prefix { $0 != ":" }) ?? -1
    say("have \(key) \(text == value(number) ? number : -1)")
  }
  say("ready")
  var number = seed
  while true {
    number += 1
    let key = "k\(number % 11)"
    say("try \(key) \(number)")
    try await source.put(value(number), forId: key).get()
    say("ack \(key) \(number)")
  }
}

/// Makes writes beyond a size fail, as on a full disk.
func limitFiles(to size: UInt) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: size, rlim_max: size)
  _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

func list(_ suite: String) -> URL {
  let environment = ProcessInfo.processInfo.environment
  let directory = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
  return URL(fileURLWithPath: "\(directory)/\(suite).plist")
}

/// Writes like a program that does not know Harmony, and checks the file after each write.
func writeAlone(_ suite: String, count: Int) {
  let defaults = UserDefaults(suiteName: suite) ?? .standard
  // A slow write is more likely to be seen half finished.
  defaults.set(String(repeating: "x", count: 30_000), forKey: "large")
  defaults.synchronize()
  say("ready")
  var lost = 0
  for index in 0..<count {
    defaults.set(index, forKey: "n\(index)")
    guard defaults.synchronize() else { continue }
    let values = (try? Data(contentsOf: list(suite))).flatMap {
      try? PropertyListSerialization.propertyList(from: $0, options: [], format: nil)
    }
    if (values as? [String: Any])?["n\(index)"] as? Int != index { lost += 1 }
  }
  say("lost \(lost)")
}

/// Writes to two suites concurrently.
func fillTwins(_ suites: [String], name: String, count: Int) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for suite in suites {
      group.addTask {
        let store = source("defaults", suite)
        for index in 0..<count {
          try await store.put(value(index), forId: "\(name)\(index)").get()
        }
      }
    }
    try await group.waitForAll()
  }
  say("done")
}

/// Reads values that may be archives of any type.
func readArchives(_ suite: String, count: Int) async throws {
  let source = DeviceStorageDataSource<URL>(UserDefaults(suiteName: suite) ?? .standard)
  for index in 0..<count {
    let url = try? await source.get("\(index)").get()
    say("\(index) \(url?.absoluteString ?? "none")")
  }
  say("done")
}

let arguments = CommandLine.arguments
guard arguments.count >= 5 else { exit(2) }
if arguments[1] == "alone" {
  writeAlone(arguments[3], count: Int(arguments[4]) ?? 0)
  exit(0)
}
do {
  switch arguments[1] {
  case "twins":
    try await fillTwins(
      [arguments[2], arguments[3]], name: arguments[4], count: Int(arguments[5]) ?? 0)
    exit(0)
  case "times": try await churnTimes(arguments[3], seed: Int(arguments[4]) ?? 0)
  case "archives":
    try await readArchives(arguments[3], count: Int(arguments[4]) ?? 0)
    exit(0)
  default: break
  }
} catch {
  say("error \(error)")
  exit(1)
}
let store = source(arguments[2], arguments[3])
do {
  if arguments[1] == "churn" {
    try await churn(store, seed: Int(arguments[4]) ?? 0)
  } else if arguments[1] == "cramp" {
    limitFiles(to: UInt(arguments[4]) ?? 0)
    try await store.put(value(84), forId: "a").get()
    say("done")
  } else {
    for index in 0..<(Int(arguments[5]) ?? 0) {
      try await store.put(value(index), forId: "\(arguments[4])\(index)").get()
    }
    say("done")
  }
} catch {
  say("error \(error)")
  exit(1)
}
