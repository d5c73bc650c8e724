import type { Delimiter } from './csv-rows.ts';

const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/** The one that parts the header into the most columns. */
export function findDelimiter(source: string): Delimiter {
  const counts = new Map<string, number>(delimiters.map((each) => [each, 0]));
  let isQuoted = false;
  for (const character of source) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) as number) + 1);
  }
  return delimiters.reduce((best, each) => ((counts.get(each) as number) > (counts.get(best) as number) ? each : best));
}
