import type { MigrationFile } from './migration-file.ts';
import { splitStatements } from './split-statements.ts';

export interface UnsafeStatement {
  readonly line: number;
  readonly why: string;
}

/** Statements after which processes of the previous version fail until they are restarted. */
export function unsafeStatements({ text }: Pick<MigrationFile, 'text'>): readonly UnsafeStatement[] {
  return splitStatements(text).flatMap((statement) => {
    const line = text.slice(0, statement.start).split('\n').length;
    return [...new Set(reasons(plain(statement.text)))].map((why) => ({ line, why }));
  });
}

/** Without comments and string literals, on one line in lower case. */
function plain(statement: string): string {
  return statement
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

const kept = 'constraint|default|not null|expression|identity|index|trigger';

/** Of one action of `alter table`. */
const actions: readonly (readonly [RegExp, string])[] = [
  [/^rename (?!constraint)/, 'renames'],
  [new RegExp(`^drop (?!${kept})`), 'drops a column'],
  [/^alter (?:column )?\S+ (?:set data )?type /, 'changes the type of a column'],
  [/^alter (?:column )?\S+ set not null/, 'requires a value'],
  [/^alter (?:column )?\S+ drop default/, 'takes a default away'],
  [/^add (?:column )?(?!constraint)(?!.* default ).* not null/, 'requires a value without a default'],
  [/^add (?:constraint \S+ )?(?:check|unique|exclude|foreign key|primary key)/, 'adds a condition'],
];

function reasons(statement: string): readonly string[] {
  if (/^drop (?:table|view|materialized view|type|function|schema|sequence)\b/.test(statement)) return ['drops'];
  if (/^alter (?:view|type|function|sequence) .*\brename\b/.test(statement)) return ['renames'];
  const [, list] = /^alter table (?:if exists )?(?:only )?(?:"[^"]*"|[^\s"])+ (.*)$/.exec(statement) ?? [];
  if (list === undefined) return [];
  const parts = list
    .split(/,(?![^()]*\))/)
    .map((part) => part.trim().replace(/^(\w+ (?:column )?)if (?:not )?exists /, '$1'));
  return parts.flatMap((part) => actions.filter(([pattern]) => pattern.test(part)).map(([, why]) => why));
}
