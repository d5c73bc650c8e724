/** The names that authors give to the sources of defaults. */
export const sources = { today: 'today', now: 'now', user: 'currentUser', company: 'currentCompany' } as const;

/** A value as TypeScript, objects with one member a line. Texts are JSON strings, so whatever they contain stays text. */
export function code(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  if (Array.isArray(value)) return `[${value.map((each) => code(each, indent)).join(', ')}]`;
  const { source, ...others } = value as { source?: keyof typeof sources | 'sequence'; code?: string };
  if (source === 'sequence') return `sequence(${JSON.stringify(others.code)})`;
  if (source !== undefined && Object.keys(others).length === 0) return sources[source];
  const members = Object.entries(value).map(
    ([name, member]) => `${indent}  ${name}: ${code(member, `${indent}  `)},\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}
