internal import DuetJSON
internal import NIOCore

/// Writes the members of a response that surround the data.
struct ResponseWriter {
    var json: JSONWriter

    init(_ buffer: ByteBuffer = ByteBuffer()) { json = JSONWriter(buffer) }

    /// Writes `{"errors":[…]`, or `{` without errors.
    mutating func begin(errors: some Collection<GraphQLError>) {
        json.write(raw: "{")
        guard !errors.isEmpty else { return }
        json.write(raw: "\"errors\":")
        write(errors)
    }

    /// Writes `,"extensions":{…}}`, or `}` without extensions.
    mutating func end(extensions: ObjectValue = [:]) {
        if !extensions.isEmpty {
            json.write(raw: ",\"extensions\":")
            json.write(Value.object(extensions))
        }
        json.write(raw: "}")
    }

    /// Writes a list of errors.
    mutating func write(_ errors: some Collection<GraphQLError>) {
        json.write(raw: "[")
        var isFirst = true
        for error in errors {
            if !isFirst { json.write(raw: ",") }
            isFirst = false
            write(error)
        }
        json.write(raw: "]")
    }

    /// Writes the message, locations, path and extensions of an error (specification, section 7.1.6).
    mutating func write(_ error: GraphQLError) {
        json.write(raw: "{\"message\":")
        json.write(error.message)
        if !error.locations.isEmpty {
            json.write(raw: ",\"locations\":[")
            for (index, location) in error.locations.enumerated() {
                json.write(raw: index == 0 ? "{\"line\":" : ",{\"line\":")
                json.write(location.line)
                json.write(raw: ",\"column\":")
                json.write(location.column)
                json.write(raw: "}")
            }
            json.write(raw: "]")
        }
        if let path = error.path {
            json.write(raw: ",\"path\":")
            write(path)
        }
        if !error.extensions.isEmpty {
            json.write(raw: ",\"extensions\":")
            json.write(Value.object(error.extensions))
        }
        json.write(raw: "}")
    }

    /// Writes a path as a list.
    mutating func write(_ path: [PathElement]) {
        json.write(raw: "[")
        for (index, step) in path.enumerated() {
            if index > 0 { json.write(raw: ",") }
            switch step {
            case .key(let key): json.write(key)
            case .index(let number): json.write(number)
            }
        }
        json.write(raw: "]")
    }
}
