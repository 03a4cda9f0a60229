package import DuetGraphQL
import Foundation

/// Reads the files that a command line specifies.
package enum SourceFiles {
    /// A file or a folder that cannot be read.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    private static let extensions: Set = ["graphql", "gql"]

    /// The path that represents the standard input.
    package static let standardInput = "-"

    /// Reads the standard input or a file. The file can be a pipe.
    package static func read(_ path: String) throws -> Source {
        let isInput = path == standardInput
        do {
            let file = try isInput ? .standardInput : FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return Source(Array(try file.readToEnd() ?? Data()), name: isInput ? "<stdin>" : path)
        } catch {
            throw Unreadable(
                description: isInput
                    ? "the standard input cannot be read" : "\(path) cannot be read; check that it is a file")
        }
    }

    /// Reads the given files and all documents in the given folders. The documents of a folder are in the order of
    /// their paths. The path `-` is the standard input.
    package static func documents(_ paths: [String]) throws -> [Source] {
        var files: [String] = []
        for path in paths {
            if path == standardInput {
                files.append(path)
                continue
            }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw Unreadable(description: "there is no file or folder \(path)")
            }
            guard isFolder.boolValue else {
                files.append(path)
                continue
            }
            guard let found = FileManager.default.enumerator(atPath: path) else {
                throw Unreadable(description: "the folder \(path) cannot be read")
            }
            let names = found.compactMap { $0 as? String }.filter {
                extensions.contains(($0 as NSString).pathExtension)
            }
            guard !names.isEmpty else {
                throw Unreadable(description: "there is no .graphql or .gql file in \(path)")
            }
            files += names.sorted().map { (path as NSString).appendingPathComponent($0) }
        }
        var seen: Set<String> = []
        return try files.filter { seen.insert($0).inserted }.map(read)
    }
}

/// Parses the schema for the validation of documents.
package enum SchemaSource {
    /// Parses and validates a schema in the schema definition language. Returns the errors if the schema is invalid.
    package static func schema(_ source: Source) -> Result<Schema, GraphQLErrors> {
        do {
            let schema = try Schema(document: try Parser.parse(source, limits: .schema))
            let errors = schema.validate()
            return errors.isEmpty ? .success(schema) : .failure(GraphQLErrors(errors))
        } catch let error as GraphQLErrors {
            return .failure(error)
        } catch let error as GraphQLError {
            return .failure(GraphQLErrors([error]))
        } catch {
            return .failure(GraphQLErrors([GraphQLError("\(error)")]))
        }
    }
}
