import { tokenize } from './tokens.js';

/** A syntax error of a GraphQL document, with its place. */
export class SyntaxProblem extends Error {
  constructor(message, start, end) {
    super(message);
    this.start = start;
    this.end = end;
  }
}

/**
 * Parses an executable document (GraphQL specification, section 2.2).
 *
 * A node has a `kind`, and its `start` and `end` are offsets into the text. Names are tokens.
 *
 * @returns {{definitions: Object[]}}
 * @throws {SyntaxProblem}
 */
export function parse(text) {
  return new Parser(text).document();
}

class Parser {
  constructor(text) {
    this.tokens = tokenize(text).filter((token) => token.kind !== 'comment');
    this.index = 0;
    this.end = { kind: 'end', text: '', start: text.length, end: text.length };
  }

  get token() {
    return this.tokens[this.index] ?? this.end;
  }

  next() {
    const token = this.token;
    this.index += 1;
    return token;
  }

  at(text) {
    return this.token.text === text && (this.token.kind === 'punctuator' || this.token.kind === 'name');
  }

  take(text) {
    return this.at(text) ? this.next() : null;
  }

  fail(wanted, token = this.token) {
    if (token.kind === 'end') throw new SyntaxProblem(`Expected ${wanted}, but the document ends.`, token.start, token.end);
    if (token.kind === 'invalid' && token.text.startsWith('"')) {
      throw new SyntaxProblem('The string is not terminated.', token.start, token.end);
    }
    throw new SyntaxProblem(`Expected ${wanted}, not “${shortened(token.text)}”.`, token.start, token.end);
  }

  expect(text) {
    return this.take(text) ?? this.fail(`“${text}”`);
  }

  name(wanted) {
    return this.token.kind === 'name' ? this.next() : this.fail(wanted);
  }

  /** Returns a node that extends from its first token to the last read token. */
  node(start, members) {
    return { ...members, start, end: this.tokens[this.index - 1].end };
  }

  /** Parses one or more items between two punctuators. */
  many(opening, one, closing) {
    const items = [];
    this.expect(opening);
    do items.push(one.call(this));
    while (!this.take(closing));
    return items;
  }

  optionalMany(opening, one, closing) {
    return this.at(opening) ? this.many(opening, one, closing) : [];
  }

  document() {
    const definitions = [];
    do definitions.push(this.definition());
    while (this.token.kind !== 'end');
    return { definitions };
  }

  definition() {
    const { start } = this.token;
    if (this.at('{')) {
      const selections = this.selections();
      return this.node(start, { kind: 'operation', operation: 'query', name: null, variables: [], directives: [], selections });
    }
    if (this.take('fragment')) {
      if (this.at('on')) this.fail('the name of a fragment');
      const name = this.name('the name of a fragment');
      this.expect('on');
      const condition = this.name('the name of a type');
      const directives = this.directives();
      return this.node(start, { kind: 'fragment', name, condition, directives, selections: this.selections() });
    }
    if (!this.at('query') && !this.at('mutation') && !this.at('subscription')) {
      this.fail('an operation, a fragment or “{”');
    }
    const operation = this.next().text;
    const name = this.token.kind === 'name' ? this.next() : null;
    const variables = this.optionalMany('(', this.variableDefinition, ')');
    const directives = this.directives();
    return this.node(start, { kind: 'operation', operation, name, variables, directives, selections: this.selections() });
  }

  variableDefinition() {
    const { start } = this.expect('$');
    const name = this.name('the name of a variable');
    this.expect(':');
    const type = this.type();
    const defaultValue = this.take('=') ? this.value() : null;
    return this.node(start, { kind: 'variableDefinition', name, type, defaultValue, directives: this.directives() });
  }

  /** Parses a type reference. Returns `{text, named}`, in which `named` is the token of the innermost name. */
  type() {
    const { start } = this.token;
    let text;
    let named;
    if (this.take('[')) {
      const inner = this.type();
      this.expect(']');
      named = inner.named;
      text = `[${inner.text}]`;
    } else {
      named = this.name('the name of a type');
      text = named.text;
    }
    if (this.take('!')) text += '!';
    return this.node(start, { kind: 'type', text, named });
  }

  selections() {
    return this.many('{', this.selection, '}');
  }

  selection() {
    const { start } = this.token;
    if (this.take('...')) {
      if (this.token.kind === 'name' && !this.at('on')) {
        const name = this.next();
        return this.node(start, { kind: 'spread', name, directives: this.directives() });
      }
      const condition = this.take('on') ? this.name('the name of a type') : null;
      const directives = this.directives();
      return this.node(start, { kind: 'inline', condition, directives, selections: this.selections() });
    }
    let alias = null;
    let name = this.name('a field');
    if (this.take(':')) {
      alias = name;
      name = this.name('the name of a field');
    }
    const parameters = this.arguments();
    const directives = this.directives();
    const selections = this.at('{') ? this.selections() : null;
    return this.node(start, { kind: 'field', alias, name, arguments: parameters, directives, selections });
  }

  arguments() {
    return this.optionalMany('(', this.argument, ')');
  }

  /** Parses an argument or a member of an input object. */
  argument() {
    const name = this.name('the name of an argument');
    this.expect(':');
    return this.node(name.start, { kind: 'argument', name, value: this.value() });
  }

  directives() {
    const directives = [];
    while (this.at('@')) {
      const { start } = this.next();
      const name = this.name('the name of a directive');
      directives.push(this.node(start, { kind: 'directive', name, arguments: this.arguments() }));
    }
    return directives;
  }

  value() {
    const { start, kind, text } = this.token;
    if (this.take('$')) return this.node(start, { kind: 'variable', name: this.name('the name of a variable') });
    if (this.take('[')) {
      const items = [];
      while (!this.take(']')) items.push(this.value());
      return this.node(start, { kind: 'list', items });
    }
    if (this.take('{')) {
      const members = [];
      while (!this.take('}')) members.push(this.argument());
      return this.node(start, { kind: 'object', members });
    }
    if (!['name', 'integer', 'float', 'string', 'blockString'].includes(kind)) this.fail('a value');
    this.next();
    if (kind !== 'name') return this.node(start, { kind: kind === 'blockString' ? 'string' : kind, text });
    return this.node(start, { kind: { true: 'boolean', false: 'boolean', null: 'null' }[text] ?? 'enum', text });
  }
}

function shortened(text) {
  return text.length > 20 ? `${text.slice(0, 20)}…` : text;
}
