const aliases: Readonly<Record<string, string>> = {
  bool: 'boolean',
  char: 'character',
  decimal: 'numeric',
  float: 'double precision',
  float4: 'real',
  float8: 'double precision',
  int: 'integer',
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  varchar: 'character varying',
};

export interface ColumnType {
  readonly name: string;
  readonly arguments: readonly number[];
}

/** `timestamptz(3)` and `timestamp(3) with time zone` are the same type: `{ name: 'timestamp with time zone', arguments: [3] }`. */
export function parseColumnType(text: string): ColumnType {
  const match = /^([a-z0-9_ ]+?)\s*(?:\(([\d\s,-]+)\))?\s*((?:with|without) time zone)?(\[\])?$/i.exec(text.trim());
  if (!match) return { name: text, arguments: [] };
  const [, word = '', numbers, zone, array = ''] = match;
  return {
    name: fullName(word.toLowerCase(), zone?.toLowerCase()) + array,
    arguments: numbers ? numbers.split(',').map(Number) : [],
  };
}

function fullName(word: string, zone: string | undefined): string {
  if (word === 'timestamptz' || word === 'timetz') return `${word.slice(0, -2)} with time zone`;
  if (word === 'timestamp' || word === 'time') return `${word} ${zone ?? 'without time zone'}`;
  return aliases[word] ?? word;
}

export function isSameType(a: string, b: string): boolean {
  const [one, other] = [parseColumnType(a), parseColumnType(b)];
  return one.name === other.name && bounds(one) === bounds(other);
}

function bounds(type: ColumnType): string {
  if (type.name === 'numeric' && type.arguments.length === 1) return `${type.arguments[0]},0`;
  if (type.name.startsWith('time') && type.arguments.length === 0) return '6';
  if (type.name === 'character' && type.arguments.length === 0) return '1';
  return type.arguments.join(',');
}

const digitsOf: Readonly<Record<string, number>> = { smallint: 5, integer: 10, bigint: 19 };

/** Whether `to` can store every value of `from` exactly. */
export function isWidening(from: string, to: string): boolean {
  const [old, wanted] = [parseColumnType(from), parseColumnType(to)];
  if (isText(wanted)) return isText(old) ? limit(wanted) >= limit(old) : limit(wanted) >= longest(old);
  if (wanted.name === 'numeric') return fitsNumeric(old, wanted);
  const digits = digitsOf[old.name];
  if (digits !== undefined) {
    if (wanted.name === 'double precision') return digits < 15;
    return (digitsOf[wanted.name] ?? 0) >= digits;
  }
  if (old.name === 'real') return wanted.name === 'double precision';
  if (old.name.startsWith('time')) return old.name === wanted.name && Number(bounds(wanted)) >= Number(bounds(old));
  return false;
}

function isText(type: ColumnType): boolean {
  return type.name === 'text' || type.name === 'character varying' || type.name === 'character';
}

function limit(type: ColumnType): number {
  // A padded type never stores a shorter text unchanged.
  if (type.name === 'character') return Number(bounds(type));
  return type.arguments[0] ?? Number.POSITIVE_INFINITY;
}

/** The number of characters that the values of a non-text type may need. */
function longest(type: ColumnType): number {
  const digits = digitsOf[type.name];
  if (digits !== undefined) return digits + 1;
  return type.name === 'uuid' ? 36 : Number.NaN;
}

function fitsNumeric(old: ColumnType, wanted: ColumnType): boolean {
  const oldDigits = digitsOf[old.name];
  const [precision, scale = 0] = wanted.arguments;
  if (oldDigits !== undefined) return precision === undefined || precision - scale >= oldDigits;
  if (old.name !== 'numeric') return false;
  if (precision === undefined) return true;
  const [oldPrecision, oldScale = 0] = old.arguments;
  return oldPrecision !== undefined && scale >= oldScale && precision - scale >= oldPrecision - oldScale;
}

/** Whether the catalogue's text of a default (`'draft'::text`, `'-1'::integer`) equals the specification. */
export function isSameDefault(live: string | null, wanted: string): boolean {
  if (live === null) return false;
  const [a, b] = [parse(live), parse(wanted)];
  if (a.isText && b.isText) {
    return a.value === b.value || isSameJson(a.value, b.value) || isSameInstant(a.value, b.value);
  }
  if (isSameNumber(a.value, b.value)) return true;
  return !a.isText && !b.isText && a.value.toLowerCase() === b.value.toLowerCase();
}

interface Constant {
  readonly value: string;
  readonly isText: boolean;
}

const cast = /::[a-z_][a-z0-9_ ]*(?:\(\d+(?:,\s*\d+)?\))?(?: (?:with|without) time zone)?(?:\[\])?$/i;

function parse(text: string): Constant {
  let rest = text.trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(cast, '').trim();
    if (rest.startsWith('(') && rest.endsWith(')')) rest = rest.slice(1, -1).trim();
  }
  const quoted = /^(E)?'((?:[^']|'')*)'$/is.exec(rest);
  if (!quoted) return { value: rest, isText: false };
  const value = (quoted[2] as string).replaceAll("''", "'");
  return { value: quoted[1] ? value.replaceAll('\\\\', '\\') : value, isText: true };
}

function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text);
}

function isSameNumber(a: string, b: string): boolean {
  return isNumber(a) && isNumber(b) && trimmed(a) === trimmed(b);
}

function trimmed(number: string): string {
  return number.includes('.') && !/e/i.test(number) ? number.replace(/\.?0+$/, '') : number;
}

function isSameJson(a: string, b: string): boolean {
  if (!/^[[{"]/.test(a) || !/^[[{"]/.test(b)) return false;
  try {
    return canonical(JSON.parse(a)) === canonical(JSON.parse(b));
  } catch {
    return false;
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
}

/** PostgreSQL writes `2026-01-01 09:30:00+00` for `2026-01-01T09:30:00Z`. */
function isSameInstant(a: string, b: string): boolean {
  const instant = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}/;
  if (!instant.test(a) || !instant.test(b)) return false;
  const time = (text: string) => Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00'));
  return time(a) === time(b);
}
