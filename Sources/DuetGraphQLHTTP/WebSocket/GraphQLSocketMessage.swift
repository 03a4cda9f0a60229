internal import DuetJSON
internal import NIOCore

/// A message of the client in the protocol graphql-transport-ws.
enum GraphQLSocketMessage: Hashable {
    case connectionInit(payload: JSONObject?)
    case ping(payload: JSONObject?)
    case pong
    case subscribe(id: String, GraphQLRequest)
    case complete(id: String)

    /// Reads a message.
    /// - Throws: The reason for which the server must close the connection.
    init(parsing text: ByteBuffer) throws(GraphQLSocketClose) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text.readableBytesView)
        } catch {
            throw .invalidMessage("The message is not JSON: \(error).")
        }
        guard case .object(let message) = value else { throw .invalidMessage("The message is not an object.") }
        guard case .string(let type)? = message["type"] else {
            throw .invalidMessage("The message has no \"type\" that is a string.")
        }
        switch type {
        case "connection_init": self = .connectionInit(payload: try Self.payload(of: message))
        case "ping": self = .ping(payload: try Self.payload(of: message))
        case "pong":
            _ = try Self.payload(of: message)
            self = .pong
        case "subscribe": self = .subscribe(id: try Self.id(of: message), try Self.request(of: message))
        case "complete": self = .complete(id: try Self.id(of: message))
        default: throw .invalidMessage("The message type \"\(type)\" is unknown.")
        }
    }

    private static func id(of message: JSONObject) throws(GraphQLSocketClose) -> String {
        guard case .string(let id)? = message["id"], !id.isEmpty else {
            throw .invalidMessage("The message has no \"id\" that is a non-empty string.")
        }
        return id
    }

    private static func payload(of message: JSONObject) throws(GraphQLSocketClose) -> JSONObject? {
        switch message["payload"] {
        case nil, .null: return nil
        case .object(let payload): return payload
        case .some(let other): throw .invalidMessage("\"payload\" must be an object, not \(other.typeName).")
        }
    }

    private static func request(of message: JSONObject) throws(GraphQLSocketClose) -> GraphQLRequest {
        guard let payload = try Self.payload(of: message) else {
            throw .invalidMessage("The message has no \"payload\".")
        }
        do throws(GraphQLRequestError) {
            let request = try GraphQLRequest(payload)
            guard request.query != nil || request.namesPersistedDocument else { throw GraphQLRequestError.missingQuery }
            return request
        } catch {
            throw .invalidMessage(error.message)
        }
    }
}

/// Writes the messages of the server.
enum GraphQLSocketOutput {
    /// Returns a message without an operation.
    static func message(_ type: StaticString, payload: JSONObject? = nil) -> ByteBuffer {
        var json = JSONByteWriter()
        json.write(raw: "{\"type\":\"")
        json.write(raw: type)
        json.write(raw: "\"")
        if let payload {
            json.write(raw: ",\"payload\":")
            json.write(JSONValue.object(payload))
        }
        json.write(raw: "}")
        return ByteBuffer(bytes: json.bytes)
    }

    /// Returns a message of an operation.
    static func message(_ type: StaticString, id: String, payload: ByteBufferView? = nil) -> ByteBuffer {
        var json = JSONByteWriter()
        json.write(raw: "{\"id\":")
        json.write(id)
        json.write(raw: ",\"type\":\"")
        json.write(raw: type)
        json.write(raw: "\"")
        var message = ByteBuffer(bytes: json.bytes)
        if let payload {
            message.writeStaticString(",\"payload\":")
            message.writeBytes(payload)
        }
        message.writeStaticString("}")
        return message
    }
}

extension GraphQLSocketOutput {
    /// Returns the message that ends an operation because of errors. The payload is the list of errors.
    static func errors(_ errors: [GraphQLError], id: String) -> ByteBuffer {
        // The body is `{"errors":[…]}`.
        let body = GraphQLResponse(requestErrors: errors).body.readableBytesView
        return Self.message("error", id: id, payload: body.dropFirst(#"{"errors":"#.utf8.count).dropLast())
    }
}
