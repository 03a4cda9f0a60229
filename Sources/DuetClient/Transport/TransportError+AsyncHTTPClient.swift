#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOPosix
    import NIOSSL

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    extension TransportError {
        /// Converts an error of a request: an error of AsyncHTTPClient, or of a library that AsyncHTTPClient uses.
        init(asyncHTTPClient error: any Error) {
            self.init(Code(error), underlyingError: error)
        }
    }

    extension TransportError.Code {
        fileprivate init(_ error: any Error) {
            self =
                switch error {
                case let error as HTTPClientError: Self(error)
                case is NIOConnectionError, ChannelError.connectTimeout: .cannotConnect
                case let error as IOError where Self.connectErrors.contains(error.errnoCode): .cannotConnect
                case HTTPParserError.invalidEOFState: .connectionLost
                case is HTTPParserError, is NIOHTTPDecompression.DecompressionError,
                    is NIOHTTPDecompression.ExtraDecompressionError:
                    .invalidResponse
                // The connection has ended without the closing message of TLS.
                case NIOSSLError.uncleanShutdown: .connectionLost
                case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .insecure
                default: .connectionLost
                }
        }

        /// The error codes (`errno`) that mean that `connect` failed (connect(2)).
        private static let connectErrors: Set<CInt> = [
            ECONNREFUSED, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, EADDRNOTAVAIL,
        ]

        private init(_ error: HTTPClientError) {
            self =
                switch error {
                case .cancelled, .requestStreamCancelled: .cancelled
                case .connectTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout, .tlsHandshakeTimeout:
                    .cannotConnect
                case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout: .timedOut
                case .redirectLimitReached, .redirectCycleDetected,
                    .invalidProxyResponse:
                    .invalidResponse
                default: .connectionLost
                }
        }
    }
#endif
