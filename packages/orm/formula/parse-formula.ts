import { KontorError, type Text, text } from '@kontor/protocol';

/** Where in the source an expression is written. */
interface Span {
  readonly from: number;
  readonly to: number;
}

export type Binary = '+' | '-' | '*' | '/' | '%' | '=' | '!=' | '<' | '<=' | '>' | '>=' | 'and' | 'or';

export type Expression = Span &
  (
    | { readonly kind: 'number'; readonly value: string }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'empty' }
    | { readonly kind: 'path'; readonly path: readonly string[] }
    | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly of: Expression }
    | { readonly kind: 'binary'; readonly operator: Binary; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  );

/** What is wrong with a formula, and where. */
export class FormulaError extends KontorError {
  readonly problem: Text;
  readonly from: number;
  readonly to: number;

  constructor(problem: Text, { from, to }: Span) {
    super('INVALID_ARGS', problem, { from, to });
    this.problem = problem;
    this.from = from;
    this.to = to;
  }
}

/** A formula is as long as a person can read, so its cost is bounded by its length. */
export const formulaLimits = { length: 1000, depth: 50 } as const;

interface Token extends Span {
  readonly kind: 'number' | 'text' | 'word' | 'sign' | 'end';
  readonly value: string;
}

const patterns: readonly (readonly [Token['kind'] | 'space', RegExp])[] = [
  ['space', /\s+/y],
  ['number', /\d{1,30}(?:\.\d{1,20})?/y],
  ['text', /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/y],
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['sign', /==|!=|<>|<=|>=|[-+*/%=<>(),.]/y],
];

function tokens(source: string): readonly Token[] {
  const found: Token[] = [];
  for (let at = 0; at < source.length; ) {
    const hit = patterns.flatMap(([kind, pattern]) => {
      pattern.lastIndex = at;
      const value = pattern.exec(source)?.[0];
      return value === undefined ? [] : [{ kind, value }];
    })[0];
    if (!hit) {
      const isOpen = source[at] === "'" || source[at] === '"';
      const words = isOpen
        ? text('The text does not end.')
        : text('"{sign}" is not expected here.', { sign: source[at] ?? '' });
      throw new FormulaError(words, { from: at, to: isOpen ? source.length : at + 1 });
    }
    const to = at + hit.value.length;
    if (hit.kind !== 'space') found.push({ kind: hit.kind, value: hit.value, from: at, to });
    at = to;
  }
  return [...found, { kind: 'end', value: '', from: source.length, to: source.length }];
}

/** Binary operators by how strongly they bind, the weakest first. */
const levels: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '==', '!=', '<>', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];
const synonyms: Readonly<Record<string, Binary>> = { '==': '=', '<>': '!=' };

/** The expression that a formula says. Throws FormulaError at the first mistake. */
export function parseFormula(source: string): Expression {
  const { length: max } = formulaLimits;
  if (source.length > max)
    throw new FormulaError(text('A formula has at most {max} characters.', { max }), { from: max, to: source.length });
  const parser = createParser(tokens(source));
  const expression = parser.level(0, 0);
  parser.end();
  return expression;
}

// Over 60 lines: the functions of a recursive descent share one position.
function createParser(given: readonly Token[]) {
  let at = 0;
  const peek = () => given[at] as Token;
  const next = () => given[at++] as Token;
  const isSign = (value: string) => peek().kind === 'sign' && peek().value === value;
  const isOperator = (operators: readonly string[]) =>
    operators.includes(peek().value) && (peek().kind === 'sign' || peek().kind === 'word');
  const refuse = (token: Token): FormulaError =>
    token.kind === 'end'
      ? new FormulaError(text('The formula is not complete.'), token)
      : new FormulaError(text('"{sign}" is not expected here.', { sign: token.value.slice(0, 40) }), token);
  const take = (sign: string): Token => {
    if (!isSign(sign)) {
      if (peek().kind === 'end') throw new FormulaError(text('"{sign}" is missing.', { sign }), peek());
      throw refuse(peek());
    }
    return next();
  };
  const level = (index: number, depth: number): Expression => {
    if (depth > formulaLimits.depth) throw new FormulaError(text('The formula is nested too deeply.'), peek());
    const operators = levels[index];
    if (!operators) return unary(depth);
    let left = level(index + 1, depth);
    while (isOperator(operators)) {
      const { value } = next();
      const right = level(index + 1, depth);
      const operator = synonyms[value] ?? (value as Binary);
      left = { kind: 'binary', operator, left, right, from: left.from, to: right.to };
    }
    return left;
  };
  const unary = (depth: number): Expression => {
    const isMinus = isSign('-');
    if (!isMinus && !(peek().kind === 'word' && peek().value === 'not')) return primary(depth);
    const { from } = next();
    // `not` binds less than comparisons, a minus more than a product.
    const of = isMinus ? unary(checked(depth + 1)) : level(2, checked(depth + 1));
    return { kind: 'unary', operator: isMinus ? '-' : 'not', of, from, to: of.to };
  };
  const checked = (depth: number): number => {
    if (depth > formulaLimits.depth) throw new FormulaError(text('The formula is nested too deeply.'), peek());
    return depth;
  };
  const primary = (depth: number): Expression => {
    const token = next();
    const { kind, value, from, to } = token;
    if (kind === 'number') return { kind, value, from, to };
    if (kind === 'text') return { kind, value: value.slice(1, -1).replaceAll(/\\(.)/g, '$1'), from, to };
    if (kind === 'sign' && value === '(') {
      const inside = level(0, depth + 1);
      take(')');
      return inside;
    }
    if (kind !== 'word' || value === 'and' || value === 'or') throw refuse(token);
    if (isSign('(')) return call(token, depth);
    if (value === 'true' || value === 'false') return { kind: 'boolean', value: value === 'true', from, to };
    return value === 'empty' ? { kind: 'empty', from, to } : path(token);
  };
  const path = (first: Token): Expression => {
    const names = [first.value];
    let { to } = first;
    while (isSign('.')) {
      next();
      const name = next();
      if (name.kind !== 'word') throw refuse(name);
      names.push(name.value);
      to = name.to;
    }
    return { kind: 'path', path: names, from: first.from, to };
  };
  const call = ({ value, from }: Token, depth: number): Expression => {
    take('(');
    const args: Expression[] = [];
    while (!isSign(')')) {
      if (args.length > 0) take(',');
      args.push(level(0, depth + 1));
    }
    const { to } = take(')');
    return { kind: 'call', name: value, args, from, to };
  };
  const end = (): void => {
    if (peek().kind !== 'end') throw refuse(peek());
  };
  return { level, end };
}

/** The paths that a formula reads. Throws FormulaError. */
export function formulaPaths(source: string): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const walk = (at: Expression): void => {
    if (at.kind === 'path') paths.push(at.path);
    else if (at.kind === 'unary') walk(at.of);
    else if (at.kind === 'call') at.args.forEach(walk);
    else if (at.kind === 'binary') {
      walk(at.left);
      walk(at.right);
    }
  };
  walk(parseFormula(source));
  return paths;
}

/** The formula with other names of fields; texts in it stay. */
export function renameInFormula(source: string, rename: (name: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { kind, value, from, to } of tokens(source)) {
    parts.push(source.slice(at, from), kind === 'word' ? rename(value) : value);
    at = to;
  }
  return parts.join('');
}
