// swift-tools-version: 6.2
import PackageDescription

/// The compiler settings of every target.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
]

/// The themes in `Themes/`, compiled in so that the binary can be copied on its own.
///
/// To add a theme, add its file there and its name here.
let themes = [
  "catppuccin-latte",
  "catppuccin-mocha",
  "colour-blind-dark",
  "colour-blind-light",
  "dracula",
  "gruvbox-dark",
  "gruvbox-light",
  "high-contrast",
  "high-contrast-light",
  "larder-dark",
  "larder-light",
  "monochrome",
  "nord",
  "solarized-dark",
  "solarized-light",
  "tokyo-night",
]

/// Returns a target with the common settings.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [])
  -> Target
{
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// Returns a test target with the common settings.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
  name: "larder",
  products: [
    .executable(name: "larder", targets: ["larder"]),
    .library(name: "Harmony", targets: ["Harmony"]),
    .library(name: "HarmonySQLite", targets: ["HarmonySQLite"]),
    .library(name: "HarmonyInspection", targets: ["HarmonyInspection"]),
    .library(name: "HarmonyKeychain", targets: ["HarmonyKeychain"]),
    .library(name: "HarmonyRealm", targets: ["HarmonyRealm"]),
    .library(name: "HarmonyRedis", targets: ["HarmonyRedis"]),
    .library(name: "HarmonyTesting", targets: ["HarmonyTesting"]),
    .library(name: "LarderKit", targets: ["LarderKit"]),
  ],
  traits: [
    .trait(
      name: "Keychain", description: "The keychain of the desktop, through libsecret if it is there"
    ),
    .default(enabledTraits: ["Keychain"]),
  ],
  targets: [
    .systemLibrary(name: "CDigest"),
    .systemLibrary(name: "CLibSecret"),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CXattr"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

    module("Harmony", ["CDigest"]),
    module("HarmonySQLite", ["Harmony", "CSQLite"]),
    module("HarmonyInspection", ["Harmony"]),
    module(
      "HarmonyKeychain",
      ["Harmony", .target(name: "CLibSecret", condition: .when(traits: ["Keychain"]))]),
    module("HarmonyRealm", ["Harmony"]),
    module("HarmonyRedis", ["Harmony"]),
    module("HarmonyTesting", ["Harmony"]),

    module("TerminalUI", resources: themes.map { .embedInCode("../../Themes/\($0).json") }),
    module("TerminalNcurses", ["TerminalUI", "CNcurses"]),

    // larder's own files, such as the journal and the settings.
    module("LarderFiles", ["Harmony"]),
    // The common model of the modules below: keys, values, entries, stores.
    module("LarderModel", ["Harmony"]),
    // File formats that are edited in place: a change leaves everything else as it is.
    module("LarderDocuments", ["LarderModel", "Harmony"]),
    // The presentation of values.
    module("LarderFormats", ["LarderDocuments", "LarderModel", "Harmony", "CZlib"]),
    // Operations on entries, shared by the browser and the command line.
    module(
      "LarderOperations",
      ["LarderStoreBase", "LarderFormats", "LarderDocuments", "LarderModel", "Harmony"]),
    // The browser's state and logic, without drawing.
    module(
      "LarderBrowser",
      [
        "LarderOperations", "LarderFormats", "LarderDocuments", "LarderModel", "LarderFiles",
        "Harmony",
      ]),
    module(
      "LarderJournal",
      [
        "LarderFormats", "LarderDocuments", "LarderModel", "HarmonySQLite", "Harmony",
        "LarderFiles",
      ]),
    // What all kinds of store share: recognition, dispatch of queries, matching and sorting.
    module(
      "LarderStoreBase",
      [
        "LarderFormats", "LarderDocuments", "LarderModel", "LarderFiles", "HarmonySQLite",
        "Harmony",
      ]),
    module(
      "LarderRedis",
      ["LarderStoreBase", "LarderModel", "LarderFiles", "HarmonyRedis", "Harmony"]),
    module(
      "LarderStores",
      [
        "LarderRedis", "LarderStoreBase", "LarderJournal", "LarderFormats", "LarderDocuments",
        "LarderModel",
        "LarderFiles",
        "Harmony",
        "HarmonyInspection", "HarmonyKeychain", "HarmonyRealm", "HarmonySQLite", "CXattr",
        "CZlib",
      ],
      // Sample stores, compiled in like the themes.
      resources: [.embedInCode("Samples/Files")]),
    module(
      "LarderUI",
      [
        "LarderBrowser", "LarderOperations", "LarderFormats", "LarderModel", "TerminalUI",
        "Harmony",
      ]),
    module(
      "LarderKit",
      [
        "LarderUI", "LarderStores", "LarderBrowser", "TerminalNcurses", "TerminalUI",
        "HarmonyInspection", "Harmony",
      ]),

    .executableTarget(
      name: "larder",
      dependencies: [
        "LarderUI", "LarderStores", "LarderStoreBase", "LarderJournal", "LarderBrowser",
        "LarderOperations",
        "LarderFormats", "LarderDocuments", "LarderModel", "TerminalNcurses", "TerminalUI",
        "HarmonySQLite", "HarmonyInspection", "Harmony", "LarderFiles",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "larder-benchmarks",
      dependencies: [
        "HarmonyTesting", "HarmonyInspection", "HarmonyRealm", "HarmonySQLite", "Harmony",
        "RealmExercise",
      ],
      swiftSettings: settings,
      // Replaces `malloc` by one that counts; the compiler does not accept that name for a
      // function.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--defsym=malloc=larder_malloc"], .when(platforms: [.linux]))
      ]),

    // Helpers for running other programs in tests.
    .target(name: "TestPrograms", path: "Tests/TestPrograms", swiftSettings: settings),
    // Processes that tests kill while they are writing.
    .executableTarget(
      name: "StoreWriter", dependencies: ["Harmony"], path: "Tests/StoreWriter",
      swiftSettings: settings),
    .executableTarget(
      name: "DocumentWriter",
      dependencies: ["LarderStores", "LarderJournal", "LarderModel", "HarmonySQLite", "Harmony"],
      path: "Tests/DocumentWriter", swiftSettings: settings),
    tests("LarderFilesTests", ["LarderFiles"]),
    tests("HarmonyTests", ["Harmony", "HarmonyTesting", "StoreWriter"]),
    tests(
      "HarmonySQLiteTests", ["HarmonySQLite", "HarmonyTesting", "Harmony", "TestPrograms"]),
    tests("HarmonyInspectionTests", ["HarmonyInspection", "HarmonyTesting", "Harmony"]),
    // A private keychain for tests.
    .target(
      name: "KeychainBench", dependencies: ["HarmonyKeychain", "Harmony", "TestPrograms"],
      path: "Tests/KeychainBench", exclude: ["prompter.c"], swiftSettings: settings),
    tests(
      "HarmonyKeychainTests",
      ["HarmonyKeychain", "HarmonyTesting", "Harmony", "KeychainBench", "TestPrograms"]),
    // Operations on a Realm file, shared by tests and the fuzzer.
    .target(
      name: "RealmExercise", dependencies: ["HarmonyRealm"], path: "Tests/RealmExercise",
      swiftSettings: settings),
    .executableTarget(
      name: "RealmWriter", dependencies: ["RealmExercise"], path: "Tests/RealmWriter",
      swiftSettings: settings),
    tests(
      "HarmonyRealmTests",
      [
        "HarmonyRealm", "RealmExercise", "RealmWriter", "HarmonyTesting", "Harmony", "TestPrograms",
      ],
      exclude: ["Fixtures", "Corpus"]),
    // Redis servers for tests.
    .target(
      name: "RedisBench", dependencies: ["HarmonyRedis", "Harmony", "TestPrograms"],
      path: "Tests/RedisBench", swiftSettings: settings),
    tests(
      "HarmonyRedisTests",
      [
        "HarmonyRedis", "HarmonyTesting", "Harmony", "RedisBench", "TestPrograms", "TestCatalogues",
      ]),
    tests(
      "LarderRedisTests",
      [
        "LarderRedis", "LarderStores", "LarderStoreBase", "LarderJournal", "LarderOperations",
        "LarderModel", "HarmonyRedis", "HarmonyTesting", "Harmony", "RedisBench", "TestCatalogues",
      ]),
    tests("TerminalUITests", ["TerminalUI"]),
    tests(
      "TerminalNcursesTests", ["HarmonyTesting", "TerminalNcurses", "TerminalUI", "TestPrograms"]),
    // Sample keys and values for tests.
    .target(
      name: "TestSamples", dependencies: ["LarderModel", "HarmonyTesting"],
      path: "Tests/TestSamples", swiftSettings: settings),
    // The texts that users see, as the sources contain them.
    .target(name: "TestCatalogues", path: "Tests/TestCatalogues", swiftSettings: settings),
    tests(
      "LarderModelTests", ["LarderModel", "LarderFormats", "Harmony", "TestSamples"]),
    // Operations on a document, shared by tests and the fuzzer.
    .target(
      name: "DocumentExercise", dependencies: ["LarderFormats", "LarderDocuments", "LarderModel"],
      path: "Tests/DocumentExercise", swiftSettings: settings),
    tests(
      "LarderDocumentsTests",
      ["LarderDocuments", "LarderModel", "DocumentExercise", "TestPrograms", "TestSamples"],
      exclude: ["Corpus"]),
    tests(
      "LarderFormatsTests",
      ["LarderFormats", "LarderModel", "Harmony", "TestSamples"]),
    tests(
      "LarderOperationsTests", ["LarderOperations", "LarderFormats", "LarderModel", "Harmony"]),
    tests(
      "LarderBrowserTests",
      [
        "LarderBrowser", "LarderOperations", "LarderFormats", "LarderDocuments", "LarderModel",
        "HarmonyTesting",
        "Harmony",
        "TestPrograms", "TestSamples",
      ]),
    // Input for both ends of the inspection protocol, shared by tests and the fuzzer.
    .target(
      name: "InspectionExercise",
      dependencies: ["LarderStores", "LarderModel", "HarmonyInspection", "Harmony"],
      path: "Tests/InspectionExercise", swiftSettings: settings),
    // The store kinds that the general tests run on, among them one in a single file.
    .target(
      name: "TestKinds",
      dependencies: [
        "LarderStores", "LarderStoreBase", "LarderModel", "HarmonySQLite", "Harmony",
      ],
      path: "Tests/TestKinds", swiftSettings: settings),
    tests(
      "LarderStoresTests",
      [
        "LarderStores", "LarderStoreBase", "LarderJournal", "LarderUI", "LarderBrowser",
        "LarderOperations",
        "LarderFormats", "LarderDocuments", "LarderModel", "LarderFiles", "HarmonyInspection",
        "HarmonyRealm", "HarmonySQLite", "HarmonyTesting", "Harmony", "DocumentWriter",
        "InspectionExercise", "RealmExercise", "KeychainBench", "TestCatalogues", "TestKinds",
        "TestPrograms",
      ], exclude: ["Live/Corpus"]),
    tests(
      "LarderUITests",
      [
        "LarderUI", "LarderStores", "LarderJournal", "LarderBrowser", "LarderOperations",
        "LarderFormats", "LarderModel",
        "TerminalUI", "HarmonyInspection", "HarmonySQLite", "HarmonyTesting", "Harmony",
        "TestKinds",
      ],
      exclude: ["Snapshots"]),
    // A program that exposes its own sources.
    .executableTarget(
      name: "EmbeddedBrowser", dependencies: ["LarderKit", "Harmony"],
      path: "Tests/EmbeddedBrowser", swiftSettings: settings),
    tests(
      "LarderTests",
      [
        "larder", "LarderStores", "LarderJournal", "LarderOperations", "LarderFormats",
        "LarderDocuments", "LarderModel", "LarderFiles", "TerminalUI", "HarmonyInspection",
        "Harmony", "EmbeddedBrowser", "KeychainBench", "RedisBench", "TestCatalogues", "TestKinds",
      ]),

    // Clients with the compiler's default settings, under which existing code must compile
    // unchanged.
    .testTarget(
      name: "HarmonySpecificationTests", dependencies: ["Harmony"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // Swift 5 clients typically contain classes that Swift 6 rejects and Swift 5 warns about.
    .testTarget(
      name: "HarmonySwift5Tests", dependencies: ["Harmony"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
  ],
  swiftLanguageModes: [.v6]
)

// The tests for the thread sanitizer: those of the libraries and of the browser's effects, as the
// others would take too long.
//
// GLib is not instrumented, so the sanitizer would report its synchronization in the keychain as
// races.
if Context.environment["LARDER_LIBRARY"] != nil {
  var names: Set = [
    "HarmonyTests", "HarmonyInspectionTests", "HarmonyRealmTests", "HarmonyRedisTests",
    "HarmonySQLiteTests", "LarderBrowserTests",
  ]
  var added = names
  while !added.isEmpty {
    let dependencies = package.targets.filter { added.contains($0.name) }.flatMap(\.dependencies)
    added = Set(
      dependencies.compactMap {
        if case .byNameItem(let name, _) = $0 { name } else { nil }
      }
    ).subtracting(names)
    names.formUnion(added)
  }
  package.targets.removeAll { !names.contains($0.name) }
  package.products.removeAll { !names.contains($0.name) }
  // View models run on one thread, so only their concurrent parts are tested.
  package.targets.first { $0.name == "LarderBrowserTests" }?.sources = [
    "Drafts", "Effects", "State/WorkTests.swift", "Support", "Watching",
  ]
}

// For `.ci/fuzz`, as these targets only link with the fuzzing sanitizer.
if Context.environment["LARDER_FUZZER"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
    .executableTarget(
      name: "DocumentFuzzer", dependencies: ["DocumentExercise", "RealmExercise", "CFuzzer"],
      path: "Tests/DocumentFuzzer", swiftSettings: settings),
    .executableTarget(
      name: "InspectionFuzzer", dependencies: ["InspectionExercise", "CFuzzer"],
      path: "Tests/InspectionFuzzer", swiftSettings: settings),
  ]
}
