// The interface of this module contains types of these modules, so its users need one import.

@_exported public import DuetJSON
@_exported public import DuetPersistedDocuments
@_exported public import HTTPTypes

#if canImport(AsyncHTTPClient)
    @_exported public import class AsyncHTTPClient.HTTPClient
    @_exported public import struct NIOSSL.TLSConfiguration
#endif
