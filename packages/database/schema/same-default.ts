/** Whether the catalogue's text of a default (`'draft'::text`, `'-1'::integer`) means what the specification says. */
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
