// swift-tools-version: 6.2
import PackageDescription

/// The language features of the main package, and the instrumentation for the fuzzer.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .unsafeFlags(["-sanitize=fuzzer,address"]),
]

// The folders of all targets except the two fuzzers are symbolic links to sources of the main package. If the main
// package were a dependency, SwiftPM would also fetch all its dependencies.
let package = Package(
    name: "duet-fuzzing",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "GraphQLFuzzer", type: .static, targets: ["GraphQLFuzzer"]),
        .library(name: "TokenFuzzer", type: .static, targets: ["TokenFuzzer"]),
    ],
    dependencies: [.package(url: "https://github.com/apple/swift-nio", from: "2.101.2")],
    targets: [
        .target(name: "DuetJSON", swiftSettings: settings),
        .target(name: "DuetBoundedCache", swiftSettings: settings),
        .target(name: "DuetGraphQLLanguage", dependencies: ["DuetJSON"], swiftSettings: settings),
        .target(
            name: "DuetGraphQL",
            dependencies: [
                "DuetBoundedCache", "DuetGraphQLLanguage", "DuetJSON",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(name: "GraphQLFuzzer", dependencies: ["DuetGraphQL", "DuetJSON"], swiftSettings: settings),
        // The part of DuetTokens that reads bytes from outside. The rest of DuetTokens needs swift-crypto.
        .target(name: "DuetTokenReading", dependencies: ["DuetJSON"], swiftSettings: settings),
        .target(name: "TokenFuzzer", dependencies: ["DuetJSON", "DuetTokenReading"], swiftSettings: settings),
    ]
)
