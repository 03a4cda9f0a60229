// swift-tools-version: 6.2
import PackageDescription

/// Uses the engine together with a package whose modules have generic names, such as `JSON`. Another target has
/// the name of one of Duet's targets for tests (`TestSupport`).
let package = Package(
    name: "consumer-neighbour",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "duet", path: "../../..", traits: []), .package(path: "Other"),
    ],
    targets: [
        .target(name: "TestSupport"),
        .executableTarget(
            name: "neighbour",
            dependencies: [
                "TestSupport",
                .product(name: "DuetGraphQL", package: "duet"), .product(name: "DuetJSON", package: "duet"),
                .product(name: "GraphQL", package: "Other"), .product(name: "JSON", package: "Other"),
            ]),
    ]
)
