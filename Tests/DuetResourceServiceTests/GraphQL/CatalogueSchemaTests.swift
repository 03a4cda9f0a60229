import DuetGraphQL
import Testing

@testable import DuetResourceService

@Suite("The fields of a catalog's GraphQL schema") struct CatalogueSchemaTests {
    @Test("The SDL of a catalog describes the same schema as the catalog")
    func text() throws {
        for catalogue in try [Library.writableCatalogue(), Samples.catalogue()] {
            let sdl = try GraphQLStyle.sdl(of: catalogue)
            let schema = try CatalogueSchema.schema(of: catalogue)
            #expect(try Schema(sdl: sdl).print(.annotated) + "\n" == sdl)
            #expect(try Schema(sdl: sdl).print() == schema.print())
            #expect(try CostModel(Schema(sdl: sdl)) == CostModel(schema))
        }
    }

    @Test("Each field of an object type has a binding")
    func bindings() throws {
        let schema = try CatalogueSchema.schema(of: Library.writableCatalogue())
        var count = 0
        for case .object(let type) in schema.types where !type.name.hasPrefix("__") {
            for field in type.fields {
                count += 1
                #expect(field.binding != nil, "\(type.name).\(field.name)")
            }
        }
        #expect(count > 80)
    }

    /// Returns a resource with the name of a type and of a row.
    private static func resource(type: String, singular: String = "thing") -> Resource {
        Resource(
            "things", singular: singular, type: type, table: "things", description: "A thing.",
            fields: [Field("number", .integer(), column: "n", description: "The number.")], key: ["number"])
    }

    @Test(
        "If a type name of a resource is also the name of a type for mutations or directives, the schema is rejected",
        arguments: ["UserError", "ConflictError", "CacheControlScope", "DeleteThingInput"])
    func typeNames(_ name: String) throws {
        let catalogue = try Catalogue(
            [Self.resource(type: name)],
            writes: [
                Write(
                    "deleteThing", .delete, on: "things", at: .item,
                    keyArguments: [Write.KeyArgument("number", "The number.")], description: "Removes a thing.")
            ], description: "Things.")
        let errors = #expect(throws: GraphQLErrors.self) { try GraphQLStyle.sdl(of: catalogue) }
        #expect(
            errors?.map(\.message) == [
                "Schema must contain uniquely named types but contains multiple types named \"\(name)\"."
            ])
    }

    @Test("If a payload has two fields with one name, the schema is rejected")
    func payloadFields() throws {
        let resource = Self.resource(type: "Thing", singular: "errors")
        let catalogue = try Catalogue(
            [resource],
            writes: [
                Write(
                    "createThing", .insert, on: "things", at: .list,
                    input: [Write.Input(resource.fields[0], required: true, "The number.")],
                    description: "Adds a thing.")
            ], description: "Things.")
        let errors = #expect(throws: GraphQLErrors.self) { try GraphQLStyle.sdl(of: catalogue) }
        #expect(errors?.map(\.message) == ["Field \"ThingPayload.errors\" can only be defined once."])
    }
}
