import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type PoEntry, parsePo } from '@kontor/kernel';
import { codeTexts, compareWords, markedCalls } from '@kontor/testing';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
/** Members of definitions that are English where they are written and said where they are shown. */
const spokenMembers = /\b(?:does|words|title): '((?:[^'\\\n]|\\.)+)'/g;
const viewLabel = /\blabel: '((?:[^'\\\n]|\\.)*)'/g;

interface ClientTexts {
  readonly texts: Set<string>;
  readonly plurals: Map<string, string>;
  readonly templates: string[];
}

/** Every text that the client says, found in its source. */
function clientTexts(): ClientTexts {
  const found: ClientTexts = { texts: new Set(), plurals: new Map(), templates: [] };
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((each) => /\.tsx?$/.test(each) && !/(?:^|\/)(?:tests|node_modules)\//.test(each))) {
    collect(file, readFileSync(`${folder}/${file}`, 'utf8'), found);
  }
  return found;
}

function collect(file: string, source: string, found: ClientTexts): void {
  const said = codeTexts(
    source,
    ['t', 'mark'].map((call) => ({ call, argument: 0 })),
  );
  found.templates.push(...said.templates);
  const members = [
    ...source.matchAll(spokenMembers),
    ...(file === 'views/shipped-views.ts' ? source.matchAll(viewLabel) : []),
  ];
  for (const text of [...said.texts, ...members.map(([, text = '']) => text)]) found.texts.add(text);
  for (const { args } of markedCalls(source, [{ call: 'tn', argument: 0 }])) {
    const [one = '', other = ''] = args.map((arg) => /^'(.*)'$/.exec(arg)?.[1] ?? '');
    if (one !== '') found.plurals.set(one, other);
  }
}

describe.each(['de_DE', 'fr_FR', 'ar'])('the client’s words in %s', (lang) => {
  const entries = parsePo(readFileSync(`${folder}/i18n/${lang}.po`, 'utf8'));
  const isPlural = ({ plural }: PoEntry) => plural !== null;

  it('TRL-6 are all there, and none that nobody says any more', () => {
    const { texts, plurals, templates } = clientTexts();
    expect(templates).toEqual([]);
    const single = entries.filter((entry) => !isPlural(entry));
    expect(compareWords(single, texts, null)).toEqual({ missing: [], stale: [] });
    const counted = entries.filter(isPlural);
    expect(compareWords(counted, new Set(plurals.keys()), null)).toEqual({ missing: [], stale: [] });
    expect(counted.filter(({ id, plural }) => plurals.get(id) !== plural)).toEqual([]);
  });
});
