/** A line of iCalendar (RFC 5545): `DTSTART;TZID=Europe/Berlin:20270114T100000`. */
export interface ContentLine {
  /** In capitals. */
  readonly name: string;
  /** By name in capitals. */
  readonly params: Readonly<Record<string, string>>;
  readonly value: string;
}

/** What stands between `BEGIN` and `END`. */
export interface Component {
  readonly name: string;
  readonly lines: readonly ContentLine[];
  readonly parts: readonly Component[];
}

const maxCharacters = 300_000;
const maxLines = 5_000;
const deepest = 8;

/** The calendar of a text; null if there is none, or if it is longer than an invitation is. */
export function readCalendar(text: string): Component | null {
  if (text.length > maxCharacters) return null;
  // A long line is continued after a line break and a space.
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  if (lines.length > maxLines) return null;
  const root = newComponent('');
  const open = [root];
  for (const line of lines) {
    const read = contentLine(line);
    const current = open.at(-1) as Growing;
    if (read?.name === 'BEGIN' && open.length < deepest) {
      const part = newComponent(read.value.trim().toUpperCase());
      current.parts.push(part);
      open.push(part);
    } else if (read?.name === 'END') {
      if (open.length > 1 && read.value.trim().toUpperCase() === current.name) open.pop();
    } else if (read) current.lines.push(read);
  }
  return root.parts.find(({ name }) => name === 'VCALENDAR') ?? null;
}

interface Growing {
  readonly name: string;
  readonly lines: ContentLine[];
  readonly parts: Growing[];
}

function newComponent(name: string): Growing {
  return { name, lines: [], parts: [] };
}

function contentLine(line: string): ContentLine | null {
  const [head = ''] = /^[A-Za-z0-9-]{1,60}/.exec(line) ?? [];
  if (head === '') return null;
  const params: Record<string, string> = Object.create(null);
  let at = head.length;
  while (line[at] === ';') {
    const end = endOfParam(line, at + 1);
    const [name = '', ...value] = line.slice(at + 1, end).split('=');
    params[name.toUpperCase()] = value.join('=').replaceAll('"', '');
    at = end;
  }
  return line[at] === ':' ? { name: head.toUpperCase(), params, value: line.slice(at + 1) } : null;
}

/** Values in quotes may have colons and semicolons. */
function endOfParam(line: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (line[at] === ';' || line[at] === ':')) return at;
  }
  return line.length;
}

export function lineOf({ lines }: Component, name: string): ContentLine | null {
  return lines.find((line) => line.name === name) ?? null;
}

/** A value of the type text, without its escapes. */
export function plainValue(line: ContentLine | null): string {
  return (line?.value ?? '').replaceAll(/\\([\\;,nN])/g, (_, one: string) => (one === 'n' || one === 'N' ? '\n' : one));
}
