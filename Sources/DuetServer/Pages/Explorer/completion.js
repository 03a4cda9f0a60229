import { cursorContext, fragmentsIn } from './cursor.js';
import { isRequired, namedType, typeText } from './schema.js';

/** The keywords of definitions, and their descriptions. */
const DEFINITIONS = [
  ['query', 'Reads data.'],
  ['mutation', 'Changes data.'],
  ['subscription', 'Receives events.'],
  ['fragment', 'A named selection.'],
];

/**
 * Returns the possible completions at the cursor. The completions that begin with the typed text are the first.
 *
 * @returns {{items: Object[], start: number, end: number}} An item is `{label, insert, caret, detail, description,
 *   deprecated}`. `insert` replaces the text from `start` to `end`. `caret` is the offset of the cursor in the inserted
 *   text.
 */
export function complete(text, offset, schema) {
  const context = cursorContext(text, offset, schema);
  const found = (proposals[context.place]?.(context, schema, text) ?? []).map((item) => ({ insert: item.label, ...item }));
  return { items: ranked(found, context.prefix), start: context.start, end: context.end, context };
}

const proposals = {
  definition: (context, schema) =>
    DEFINITIONS.filter(([word]) => word === 'fragment' || schema.roots[word]).map(([label, description]) => ({ label, description })),

  field: ({ parent }, schema) =>
    schema.fields(parent).map((field) => ({
      label: field.name,
      detail: typeText(field.type),
      description: field.deprecationReason ? `Deprecated: ${field.deprecationReason}` : field.description,
      deprecated: field.isDeprecated,
    })),

  input: ({ inputs }) =>
    inputs.map((input) => ({
      label: input.name,
      insert: `${input.name}: `,
      detail: typeText(input.type),
      description: input.description,
      isRequired: isRequired(input),
    })),

  value: ({ type, variables, sigil }, schema) => [...values(type, schema), ...matchingVariables(type, variables, sigil)],

  variable: ({ type, variables, sigil }) => matchingVariables(type, variables, sigil),

  directive: ({ location }, schema) =>
    [...schema.directives.values()]
      .filter((directive) => directive.locations.includes(location))
      .map((directive) => ({
        label: directive.name,
        insert: directive.args.some(isRequired) ? `${directive.name}()` : directive.name,
        caret: directive.name.length + 1,
        description: directive.description,
      })),

  spread: ({ parent }, schema, text) => [
    { label: 'on', insert: 'on ', description: 'Selects fields of one of several types.' },
    ...fragmentsIn(text)
      .filter(({ condition }) => !parent || schema.overlap(parent, condition))
      .map(({ name, condition }) => ({ label: name, detail: condition })),
  ],

  compositeType: ({ parent }, schema) =>
    types(schema, (name) => schema.isComposite(name) && (!parent || schema.overlap(parent, name))),

  inputType: (context, schema) => types(schema, (name) => schema.isInput(name)),
};

function types(schema, isWanted) {
  return [...schema.types.values()]
    .filter(({ name }) => isWanted(name) && !name.startsWith('__'))
    .map(({ name, kind, description }) => ({ label: name, detail: kind.toLowerCase().replace('_', ' '), description }));
}

function values(type, schema) {
  if (!type) return [];
  const named = schema.type(namedType(type));
  if (type.kind === 'LIST' || type.ofType?.kind === 'LIST') return [{ label: '[', insert: '[]', caret: 1, detail: typeText(type) }];
  if (named?.kind === 'ENUM') {
    return named.enumValues.map((value) => ({
      label: value.name, detail: named.name, description: value.description, deprecated: value.isDeprecated,
    }));
  }
  if (named?.kind === 'INPUT_OBJECT') return [{ label: '{', insert: '{}', caret: 1, detail: named.name, description: named.description }];
  if (named?.name === 'Boolean') return ['true', 'false'].map((label) => ({ label, detail: 'Boolean' }));
  return [];
}

function matchingVariables(type, variables, sigil) {
  return variables
    .filter((variable) => !type || variable.type === namedType(type))
    .map(({ name, type: typeName }) => ({ label: `$${name}`, insert: sigil ? `$${name}` : name, detail: typeName, sigil }));
}

/**
 * Removes items that do not contain the prefix, and sorts the other items. Items that begin with the prefix precede
 * items that contain it elsewhere. In each of these two groups, required arguments are first, and deprecated items are
 * last.
 */
function ranked(items, prefix) {
  const typed = prefix.toLowerCase();
  const rank = (item) => {
    const at = item.label.replace('$', '').toLowerCase().indexOf(typed);
    return (at > 0 ? 4 : 0) + (item.deprecated ? 2 : 0) + (item.isRequired ? 0 : 1) + (item.label.startsWith('__') ? 1 : 0);
  };
  return items
    .filter((item) => item.label.toLowerCase().includes(typed) && item.insert !== prefix)
    .map((item, index) => ({ item, index }))
    .sort((first, second) => rank(first.item) - rank(second.item) || first.index - second.index)
    .map(({ item }) => item);
}
