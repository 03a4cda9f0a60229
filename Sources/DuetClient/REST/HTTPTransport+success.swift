import Foundation
import HTTPTypes

extension HTTPTransport {
    /// Sends a request and returns the response if its status is 2xx. Otherwise throws an error with the beginning of
    /// the body.
    /// - Parameter position: The position after the last write; `nil` for a service that is not Duet's.
    func sendForSuccess(
        _ request: TransportRequest, _ position: WritePosition? = nil
    ) async throws(WebServiceError) -> TransportResponse {
        let response: TransportResponse
        do {
            response =
                if let position { try await send(request, position) } else { try await send(request) }
        } catch {
            throw WebServiceError(error)
        }
        guard response.head.status.kind == .successful else {
            throw WebServiceError(
                response.head, body: await response.body.prefix(upTo: 64 * 1024), to: request.head)
        }
        return response
    }
}

extension ResponseBody {
    /// Reads the whole body.
    func collectForService(upTo limit: Int) async throws(WebServiceError) -> Data {
        do {
            return try await collect(upTo: limit)
        } catch {
            throw WebServiceError(error)
        }
    }

    /// Reads the beginning of a body. If reading fails, returns the bytes that were read before.
    func prefix(upTo limit: Int) async -> Data {
        var beginning = Data()
        var iterator = makeAsyncIterator()
        do throws(TransportError) {
            while beginning.count < limit, let bytes = try await iterator.next() { beginning.append(bytes) }
        } catch {
            // The caller reports the status of the response, which is more useful than an error in reading the body.
        }
        return beginning.prefix(limit)
    }
}
