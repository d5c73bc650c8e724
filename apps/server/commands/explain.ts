import { type Explanation, explain as explainName } from '@kontor/kernel';
import type { Command } from './command.ts';
import { modulesOption, readAddonsHere } from './view.ts';

export const explain: Command = {
  name: 'explain',
  takes: 'MODEL[.FIELD]',
  help: 'Says where a model or a field is defined and extended, and what uses it.',
  details: `For a field: computes, related fields, constraints, states, moves, orders, views, actions, rules and other records of data
files that use it, and lines of code that name it. For a model: its fields by addon, moves and actions, relations to it,
access rights, rules, views and actions. All addons that are here are read: those of Kontor, added ones, those of
addons_path, and the addon in the current folder. No database is needed.`,
  words: [1, 1],
  options: [modulesOption, { name: 'json', help: 'Print it as JSON.' }],
  async run({ config, words: [name = ''], option, has }) {
    const explanation = await explainName(await readAddonsHere(config, option('modules')), name);
    console.log(has('json') ? JSON.stringify(explanation, null, 2) : explanationText(explanation));
  },
};

/** As `kontor explain` prints it. */
export function explanationText({ title, facts, definedAt, extendedAt, uses }: Explanation): string {
  const head = [
    ...facts,
    ['Defined in', at(definedAt)] as const,
    ...extendedAt.map((place) => ['Extended in', at(place)] as const),
  ];
  const width = Math.max(...head.map(([name]) => name.length));
  const kinds = Math.max(0, ...uses.map(({ kind }) => kind.length));
  const names = Math.max(0, ...uses.map(({ name }) => (name.length > 60 ? 0 : name.length)));
  return [
    title,
    ...head.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    uses.length === 0 ? 'Nothing uses it.' : 'Used by',
    ...uses.map(({ kind, name, place }) => `  ${kind.padEnd(kinds)}  ${name.padEnd(names)}  ${at(place)}`),
  ].join('\n');
}

function at({ addon, file, line }: Explanation['definedAt']): string {
  return file === undefined ? addon : `${addon}: ${file}:${line}`;
}
