// swift-tools-version: 6.2
import PackageDescription

/// Uses the engine together with a package whose modules have generic names, such as `JSON`. The targets of this
/// package have generic names, too. `TestSupport` is also the name of a target of Duet's tests. SwiftPM accepts this,
/// because no product of Duet needs that target.
let package = Package(
    name: "consumer-neighbour",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "duet", path: "../../..", traits: []), .package(path: "Other"),
    ],
    targets: [
        .target(name: "Comparison"),
        .target(name: "Employees"),
        .target(name: "TestSupport"),
        .executableTarget(
            name: "neighbour",
            dependencies: [
                "Comparison", "Employees", "TestSupport",
                .product(name: "DuetGraphQL", package: "duet"), .product(name: "DuetJSON", package: "duet"),
                .product(name: "GraphQL", package: "Other"), .product(name: "JSON", package: "Other"),
            ]),
    ]
)
