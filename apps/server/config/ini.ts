import { ConfigError } from './config-error.ts';

export interface IniEntry {
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

const section = 'options';

/**
 * Reads the section `[options]`. `#` and `;` begin a comment, at the start of a line or after a space; a value in quotes
 * keeps its spaces and comment signs, and in double quotes `\"`, `\\`, `\n` and `\t` stand for what they say.
 */
export function parseIni(text: string, file: string): IniEntry[] {
  const entries = new Map<string, IniEntry>();
  const problems: string[] = [];
  let isOpen = false;
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const place = `${file} line ${index + 1}`;
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (line.startsWith('[')) {
      isOpen = line.replace(/\s+[#;].*$/, '') === `[${section}]`;
      if (!isOpen) problems.push(`${place}: ${line} is not a section; accepted: [${section}].`);
      continue;
    }
    const entry = parseLine(line);
    if (typeof entry === 'string') problems.push(`${place}: ${entry}`);
    else if (!isOpen) problems.push(`${place}: ${entry.key} is outside the section [${section}].`);
    else if (entries.has(entry.key)) {
      problems.push(`${place}: ${entry.key} is given twice, first in line ${entries.get(entry.key)?.line}.`);
    } else entries.set(entry.key, { ...entry, line: index + 1 });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return [...entries.values()];
}

function parseLine(line: string): { key: string; value: string } | string {
  const equals = line.indexOf('=');
  if (equals < 1) return `"${line}" is neither a section nor key = value.`;
  const key = line.slice(0, equals).trim();
  const rest = line.slice(equals + 1).trim();
  const quote = rest[0];
  if (quote !== '"' && quote !== "'") return { key, value: rest.replace(/(^|\s+)[#;].*$/, '') };
  const match = (quote === '"' ? /^"((?:[^"\\]|\\.)*)"\s*([#;].*)?$/ : /^'([^']*)'\s*([#;].*)?$/).exec(rest);
  if (!match) return `the value of ${key} begins with ${quote} and does not end with it.`;
  const value = match[1] as string;
  return { key, value: quote === '"' ? value.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign) : value };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
