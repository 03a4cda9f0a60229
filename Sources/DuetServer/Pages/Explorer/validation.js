import { parse, SyntaxProblem } from './parser.js';
import { isRequired, itemType, namedType, typeText } from './schema.js';
import { operations, walk } from './syntax-tree.js';

/**
 * Returns the problems of a document that can be detected while it is typed. The server performs the complete
 * validation.
 *
 * @param {Schema|null} schema without a schema, only the syntax is checked
 * @returns {{message: string, start: number, end: number}[]} the problems in the order of the text
 */
export function problemsIn(text, schema) {
  if (/^[\s,]*$/.test(text)) return [];
  try {
    const document = parse(text);
    return schema ? new Validator(document, schema).problems() : [];
  } catch (error) {
    if (error instanceof SyntaxProblem) return [{ message: error.message, start: error.start, end: error.end }];
    throw error;
  }
}

class Validator {
  constructor(document, schema) {
    this.document = document;
    this.schema = schema;
    this.found = [];
    this.fragments = new Map();
    for (const definition of document.definitions) {
      if (definition.kind === 'fragment') this.fragments.set(definition.name.text, definition);
    }
  }

  problems() {
    this.operationNames();
    for (const definition of this.document.definitions) {
      if (definition.kind === 'operation') this.operation(definition);
      else this.fragment(definition);
    }
    walk(this.document, (node) => {
      if (node.kind === 'directive') this.directive(node);
      if (node.kind === 'spread' && !this.fragments.has(node.name.text)) {
        this.report(node.name, `There is no fragment “${node.name.text}”`, [...this.fragments.keys()]);
      }
    });
    return this.found.sort((first, second) => first.start - second.start);
  }

  /** Adds a problem at a token or a node. */
  report({ start, end }, sentence, candidates = [], wrong = null) {
    const near = candidates.length > 0 ? nearest(wrong ?? sentence.match(/“(.*?)”/)[1], candidates) : null;
    this.found.push({ message: `${sentence}${near ? `; did you mean “${near}”?` : '.'}`, start, end });
  }

  operationNames() {
    const all = operations(this.document);
    const names = new Set();
    for (const { name, start } of all) {
      if (!name && all.length > 1) this.report({ start, end: start + 1 }, 'Each of several operations requires a name');
      if (name && names.has(name.text)) this.report(name, `There are two operations “${name.text}”`);
      if (name) names.add(name.text);
    }
  }

  operation(definition) {
    const root = this.schema.roots[definition.operation];
    if (!root) {
      this.report({ start: definition.start, end: definition.start + definition.operation.length }, `This server has no ${definition.operation}s`);
      return;
    }
    for (const { type, defaultValue } of definition.variables) {
      if (!this.schema.isInput(type.named.text)) this.report(type.named, `There is no input type “${type.named.text}”`, [...this.schema.types.keys()]);
      else if (defaultValue) this.value(defaultValue, { kind: 'NAMED', name: type.named.text, ofType: null });
    }
    this.variablesOf(definition);
    this.selections(definition.selections, root);
  }

  fragment({ condition, selections }) {
    this.condition(condition);
    this.selections(selections, condition.text);
  }

  condition(token) {
    if (this.schema.isComposite(token.text)) return;
    this.report(token, `There is no type “${token.text}” with fields`, [...this.schema.types.keys()]);
  }

  /**
   * Reports variables that are used but not defined, and variables that are defined but not used. If a variable that is
   * not defined is used in a fragment, the problem is reported at the spread of the fragment.
   */
  variablesOf(definition) {
    const defined = new Map(definition.variables.map((variable) => [variable.name.text, variable]));
    const used = new Set();
    const seen = new Set();
    const collect = (root, site) => walk(root, (node) => {
      if (node.kind === 'variable') {
        used.add(node.name.text);
        if (!defined.has(node.name.text)) this.report(site ?? node, `The variable “$${node.name.text}” is not defined`);
      } else if (node.kind === 'spread' && this.fragments.has(node.name.text) && !seen.has(node.name.text)) {
        seen.add(node.name.text);
        collect(this.fragments.get(node.name.text).selections, site ?? node);
      }
    });
    collect(definition.selections, null);
    collect(definition.directives, null);
    for (const [name, variable] of defined) {
      if (!used.has(name)) this.report({ start: variable.start, end: variable.name.end }, `The variable “$${name}” is not used`);
    }
  }

  selections(selections, parent) {
    for (const selection of selections) {
      if (selection.kind === 'field') {
        this.field(selection, parent);
      } else if (selection.kind === 'inline') {
        if (selection.condition) this.condition(selection.condition);
        this.selections(selection.selections, selection.condition?.text ?? parent);
      }
    }
  }

  field(node, parent) {
    // `parent` has no fields. This was already reported.
    if (!this.schema.isComposite(parent)) return;
    const field = this.schema.field(parent, node.name.text);
    if (!field) {
      this.report(node.name, `There is no field “${node.name.text}” on ${parent}`, this.schema.fields(parent).map(({ name }) => name));
      return;
    }
    this.inputs(node, node.arguments, field.args, `an argument of ${field.name}`);
    const named = namedType(field.type);
    if (this.schema.isComposite(named)) {
      if (node.selections) this.selections(node.selections, named);
      else this.report(node.name, `“${field.name}” is ${typeText(field.type)}: select its fields in braces`);
    } else if (node.selections) {
      this.report(node.name, `“${field.name}” is ${typeText(field.type)}: it has no fields to select`);
    }
  }

  directive(node) {
    const directive = this.schema.directives.get(node.name.text);
    if (directive) this.inputs(node, node.arguments, directive.args, `an argument of @${directive.name}`);
    else this.report(node, `There is no directive “@${node.name.text}”`, [...this.schema.directives.keys()], node.name.text);
  }

  /**
   * Checks the given arguments of a field or a directive, or the given members of an input object, against their
   * definitions.
   */
  inputs(node, given, taken, role) {
    for (const { name, value } of given) {
      const input = taken.find((one) => one.name === name.text);
      if (input) this.value(value, input.type);
      else this.report(name, `“${name.text}” is not ${role}`, taken.map((one) => one.name));
    }
    for (const input of taken) {
      if (isRequired(input) && !given.some(({ name }) => name.text === input.name)) {
        this.report(node.name ?? node, `“${input.name}” is missing. It is ${role}`);
      }
    }
  }

  value(node, type) {
    if (node.kind === 'variable') return;
    if (node.kind === 'null') {
      if (type.kind === 'NON_NULL') this.report(node, `This is ${typeText(type)}, which cannot be null`);
      return;
    }
    const item = itemType(type);
    if (item) {
      for (const one of node.kind === 'list' ? node.items : [node]) this.value(one, item);
      return;
    }
    const named = this.schema.type(namedType(type));
    if (named?.kind === 'ENUM') {
      const names = named.enumValues.map(({ name }) => name);
      if (node.kind !== 'enum' || !names.includes(node.text)) this.report(node, `“${node.text ?? node.kind}” is not a value of ${named.name}`, names);
    } else if (named?.kind === 'INPUT_OBJECT') {
      if (node.kind === 'object') this.object(node, named);
      else this.report(node, `Expected an object of the type ${named.name}`);
    } else {
      this.scalar(node, named?.name);
    }
  }

  object(node, type) {
    this.inputs(node, node.members, type.inputFields, `a member of ${type.name}`);
    if (type.isOneOf && node.members.length !== 1) this.report(node, `Expected exactly one member of ${type.name}`);
  }

  scalar(node, name) {
    const kinds = { Int: ['integer'], Float: ['integer', 'float'], String: ['string'], Boolean: ['boolean'], ID: ['string', 'integer'] }[name];
    if (kinds && !kinds.includes(node.kind)) this.report(node, `Expected ${/^[IAEO]/.test(name) ? 'an' : 'a'} ${name}`);
  }
}

/** Returns the candidate with the most similar name, if one is similar enough. */
function nearest(name, candidates) {
  const wrong = name.replace(/^[$@]/, '').toLowerCase();
  const limit = Math.max(1, Math.floor(wrong.length / 3));
  let best = null;
  for (const candidate of candidates) {
    const distance = editDistance(wrong, candidate.toLowerCase());
    if (distance <= limit && (!best || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? null;
}

/** Returns the minimum number of inserted, deleted or changed letters (Levenshtein). */
function editDistance(first, second) {
  let previous = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let row = 1; row <= first.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const change = previous[column - 1] + (first[row - 1] === second[column - 1] ? 0 : 1);
      current.push(Math.min(change, previous[column] + 1, current[column - 1] + 1));
    }
    previous = current;
  }
  return previous.at(-1);
}
