// swift-tools-version: 6.2
import PackageDescription

/// Uses the engine together with a package whose modules have common names.
let package = Package(
    name: "consumer-neighbour",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "duet", path: "../../..", traits: []), .package(path: "Other"),
    ],
    targets: [
        .executableTarget(
            name: "neighbour",
            dependencies: [
                .product(name: "DuetGraphQL", package: "duet"), .product(name: "DuetJSON", package: "duet"),
                .product(name: "GraphQL", package: "Other"), .product(name: "JSON", package: "Other"),
            ])
    ]
)
