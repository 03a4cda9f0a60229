// swift-tools-version: 6.2
import PackageDescription

/// Uses the engine together with a package whose modules have generic names, such as `JSON`. Two targets of this package
/// have names of Duet's targets that are in none of its libraries (`Comparison`, `TestSupport`).
let package = Package(
    name: "consumer-neighbour",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "duet", path: "../../..", traits: []), .package(path: "Other"),
    ],
    targets: [
        .target(name: "Comparison"), .target(name: "TestSupport"),
        .executableTarget(
            name: "neighbour",
            dependencies: [
                "Comparison", "TestSupport",
                .product(name: "DuetGraphQL", package: "duet"), .product(name: "DuetJSON", package: "duet"),
                .product(name: "GraphQL", package: "Other"), .product(name: "JSON", package: "Other"),
            ]),
    ]
)
