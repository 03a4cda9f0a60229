// The interface of this module contains types of these modules, so its users need one import. Of the engine, they need
// only a few types: its syntax tree has names such as `Argument`, which other packages have, too.

@_exported public import DuetJSON
@_exported public import DuetResultSetJSON
@_exported public import DuetSQLDatabase

@_exported public import struct DuetGraphQL.CachePolicy
@_exported public import struct DuetGraphQL.ExecutableSchema
@_exported public import struct DuetGraphQL.ExecutionOptions
@_exported public import struct DuetGraphQL.GraphQLResponse
@_exported public import enum DuetGraphQL.IncrementalResponse
@_exported public import struct DuetGraphQL.ObjectValue
@_exported public import struct DuetGraphQL.PreparedOperation
@_exported public import struct NIOCore.ByteBuffer
