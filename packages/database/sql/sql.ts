/**
 * SQL is composed, never concatenated: text comes only from template literals in the source, names pass through
 * `ident`, and every other value becomes a parameter.
 */
const brand: unique symbol = Symbol('sql');

type Piece = string | { readonly value: unknown };

export interface Sql {
  readonly [brand]: true;
  readonly pieces: readonly Piece[];
  /** Already assembled, by `precompile`. */
  readonly statement?: Statement;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Positions of its slots among the values; a slot that is used twice is one value. */
  readonly slots?: readonly { readonly at: number; readonly take: (given: never) => unknown }[];
}

function make(pieces: readonly Piece[]): Sql {
  return { [brand]: true, pieces };
}

export function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && brand in value;
}

export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  const pieces: Piece[] = [strings[0] as string];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (isSql(value)) pieces.push(...value.pieces);
    else pieces.push({ value });
    pieces.push(strings[i + 1] as string);
  }
  return make(pieces);
}

export const empty: Sql = make([]);

/** A quoted name: `ident('sale_order')`, `ident('t', 'name')` for `"t"."name"`. */
export function ident(name: string, member?: string): Sql {
  return make([member === undefined ? quoteIdent(name) : `${quoteIdent(name)}.${quoteIdent(member)}`]);
}

/** A quoted text constant, for DDL, which takes no parameters. */
export function literal(value: string): Sql {
  if (value.includes('\0')) throw new Error('A text constant cannot hold a null byte.');
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return make([value.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted]);
}

export function join(parts: readonly Sql[], separator: Sql = sql`, `): Sql {
  const pieces: Piece[] = [];
  for (const [index, part] of parts.entries()) {
    if (index > 0) pieces.push(...separator.pieces);
    pieces.push(...part.pieces);
  }
  return make(pieces);
}

export function and(parts: readonly Sql[]): Sql {
  if (parts.length === 0) return sql`true`;
  return parts.length === 1 ? (parts[0] as Sql) : sql`(${join(parts, sql` and `)})`;
}

/** The same SQL, assembled once, for a statement that is sent repeatedly. */
export function precompile(composed: Sql): Sql {
  return { ...composed, statement: compile(composed) };
}

const slotBrand: unique symbol = Symbol('slot');

/** A placeholder in precompiled SQL for a value that differs each time. */
export interface Slot<Given> {
  readonly [slotBrand]: (given: Given) => unknown;
}

/** `take` returns its value from the argument of `fillSlots`. */
export function slot<Given>(take: (given: Given) => unknown): Slot<Given> {
  return { [slotBrand]: take };
}

function isSlot(value: unknown): value is Slot<never> {
  return typeof value === 'object' && value !== null && slotBrand in value;
}

/** Precompiled SQL with values in its slots; the text is not assembled again. */
export function fillSlots<Given>(precompiled: Sql, given: Given): Sql {
  const { text, values, slots = [] } = compile(precompiled);
  const filled = [...values];
  for (const { at, take } of slots) filled[at] = (take as (given: Given) => unknown)(given);
  return new Filled(precompiled, given, { text, values: filled });
}

/** A class, because an object with its own getter is slow to create, and this is created for every call. */
class Filled implements Sql {
  readonly [brand] = true;
  readonly #from: Sql;
  readonly #given: unknown;
  readonly statement: Statement;

  constructor(from: Sql, given: unknown, statement: Statement) {
    this.#from = from;
    this.#given = given;
    this.statement = statement;
  }

  /** Needed only when it is embedded in other SQL. */
  get pieces(): readonly Piece[] {
    return this.#from.pieces.map((piece) =>
      typeof piece === 'object' && isSlot(piece.value)
        ? { value: (piece.value[slotBrand] as (given: unknown) => unknown)(this.#given) }
        : piece,
    );
  }
}

export function compile(composed: Sql): Statement {
  if (composed.statement) return composed.statement;
  let text = '';
  const values: unknown[] = [];
  const slots = new Map<Slot<never>, number>();
  for (const piece of composed.pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    const known = isSlot(piece.value) ? slots.get(piece.value) : undefined;
    if (known === undefined) values.push(piece.value);
    if (isSlot(piece.value)) slots.set(piece.value, known ?? values.length);
    text += `$${known ?? values.length}`;
  }
  if (slots.size === 0) return { text, values };
  return { text, values, slots: [...slots].map(([{ [slotBrand]: take }, number]) => ({ at: number - 1, take })) };
}

/** Statements name the same tables and columns again and again. */
const quotedNames = new Map<string, string>();
const maxQuotedNames = 10_000;

function quoteIdent(name: string): string {
  let quoted = quotedNames.get(name);
  if (quoted === undefined) {
    quoted = quoteName(name);
    if (quotedNames.size < maxQuotedNames) quotedNames.set(name, quoted);
  }
  return quoted;
}

function quoteName(name: string): string {
  if (name.length === 0 || name.length > 63 || name.includes('\0')) {
    throw new Error(`Not a usable database name: ${JSON.stringify(name)}`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** SQL text that a developer wrote: column types, index expressions, migrations. Never anything a caller sent. */
export function trustedSql(text: string): Sql {
  return sql(Object.assign([text], { raw: [text] }));
}
