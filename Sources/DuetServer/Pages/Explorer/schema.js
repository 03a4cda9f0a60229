/**
 * The schema of the server, from introspection (GraphQL specification, section 4), and functions for lookups in the
 * schema.
 */

const TYPE_REFERENCE = 'kind name '.concat('ofType { kind name '.repeat(8), '} '.repeat(8)).trim();

const INPUT_VALUE = `name description defaultValue type { ${TYPE_REFERENCE} }`;

/** The introspection query. */
export const INTROSPECTION_QUERY = `query Introspection {
  __schema {
    description
    queryType { name }
    mutationType { name }
    subscriptionType { name }
    types {
      kind name description specifiedByURL isOneOf
      fields(includeDeprecated: true) {
        name description isDeprecated deprecationReason
        args { ${INPUT_VALUE} }
        type { ${TYPE_REFERENCE} }
      }
      inputFields { ${INPUT_VALUE} }
      interfaces { name }
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
      possibleTypes { name }
    }
    directives { name description locations args { ${INPUT_VALUE} } }
  }
}`;

/** Returns the text of a type reference, such as `[Title!]!`. */
export function typeText(type) {
  if (type.kind === 'NON_NULL') return `${typeText(type.ofType)}!`;
  if (type.kind === 'LIST') return `[${typeText(type.ofType)}]`;
  return type.name;
}

/** Returns the innermost name of a type reference, without lists and non-null. */
export function namedType(type) {
  return type.ofType ? namedType(type.ofType) : type.name;
}

/** Returns the type of a list's items; `null` for other types. */
export function itemType(type) {
  if (type.kind === 'NON_NULL') return itemType(type.ofType);
  return type.kind === 'LIST' ? type.ofType : null;
}

/** Returns true if an argument or an input field is required. */
export function isRequired(input) {
  return input.type.kind === 'NON_NULL' && input.defaultValue === null;
}

const nonNull = (name, kind = 'OBJECT') => ({ kind: 'NON_NULL', name: null, ofType: { kind, name, ofType: null } });

const TYPENAME = {
  name: '__typename', description: 'The name of the object’s type.', args: [], type: nonNull('String', 'SCALAR'), isDeprecated: false, isMeta: true,
};

const ROOT_META_FIELDS = [
  { name: '__schema', description: 'The schema of the server.', args: [], type: nonNull('__Schema'), isDeprecated: false, isMeta: true },
  {
    name: '__type', description: 'A type of the schema.', isDeprecated: false, isMeta: true,
    args: [{ name: 'name', description: 'The name of the type.', defaultValue: null, type: nonNull('String', 'SCALAR') }],
    type: { kind: 'OBJECT', name: '__Type', ofType: null },
  },
];

export class Schema {
  /** @param {Object} introspection the value of `__schema` */
  constructor(introspection) {
    this.description = introspection.description;
    this.types = new Map(introspection.types.map((type) => [type.name, type]));
    this.directives = new Map(introspection.directives.map((directive) => [directive.name, directive]));
    this.roots = {
      query: introspection.queryType?.name ?? null,
      mutation: introspection.mutationType?.name ?? null,
      subscription: introspection.subscriptionType?.name ?? null,
    };
  }

  type(name) {
    return this.types.get(name) ?? null;
  }

  /** Returns the fields that can be selected on a type. The meta fields, such as `__typename`, are the last. */
  fields(typeName) {
    const type = this.type(typeName);
    if (!type || !this.isComposite(typeName)) return [];
    return [...(type.fields ?? []), ...(typeName === this.roots.query ? ROOT_META_FIELDS : []), TYPENAME];
  }

  field(typeName, name) {
    return this.fields(typeName).find((field) => field.name === name) ?? null;
  }

  /** Returns true if a field of the type requires a selection set. */
  isComposite(typeName) {
    return ['OBJECT', 'INTERFACE', 'UNION'].includes(this.type(typeName)?.kind);
  }

  isInput(typeName) {
    return ['SCALAR', 'ENUM', 'INPUT_OBJECT'].includes(this.type(typeName)?.kind);
  }

  /** Returns the names of the possible object types of a type. */
  possibleTypes(typeName) {
    const type = this.type(typeName);
    if (!type) return [];
    return type.kind === 'OBJECT' ? [typeName] : (type.possibleTypes ?? []).map((one) => one.name);
  }

  /**
   * Returns true if an object type belongs to both types. A fragment on one type is then valid inside the other type.
   */
  overlap(first, second) {
    const possible = new Set(this.possibleTypes(first));
    return this.possibleTypes(second).some((name) => possible.has(name));
  }
}
