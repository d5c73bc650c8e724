import { relative, resolve } from 'node:path';
import { type Addon, type Kernel, sourcePlaces } from '@kontor/kernel';
import { type IndexProposal, proposeIndexes, readAsked, readTableFacts } from '@kontor/parts';

/** A proposal with its line of the addon. */
interface LocatedProposal {
  readonly addon: string;
  readonly path: string;
  readonly line: number;
  readonly model: string;
  readonly fields: readonly string[];
  /** As in `indexes` of a model. */
  readonly index: string;
  readonly times: number;
  /** Average per answer. */
  readonly ms: number;
  readonly rows: number;
  readonly readsNow: number;
  readonly readsThen: number;
  readonly message: string;
  readonly fix: string;
}

/** Prints the indexes that would help actual queries of this database. */
export async function checkAskedQueries(kernel: Kernel, { asJson }: { readonly asJson: boolean }): Promise<void> {
  const { database, registry, catalogue } = kernel;
  const asked = await readAsked(database);
  const tables = asked.flatMap(({ model }) => registry.models.get(model)?.table ?? []);
  const facts = await readTableFacts(database, [...new Set(tables)]);
  const found = proposeIndexes(registry, asked, (model) => facts.get(model.table)).map((proposal) =>
    located(proposal, catalogue),
  );
  if (asJson) console.log(JSON.stringify({ ok: true, ways: asked.length, proposals: found }, null, 2));
  else tell(found, asked.length);
}

function located(proposal: IndexProposal, catalogue: ReadonlyMap<string, Addon>): LocatedProposal {
  const { model, index, asked, rows, readsNow, readsThen } = proposal;
  const fields = index.split(', ').map((term) => term.replace(/^-/, ''));
  const [only, second] = fields;
  const field = second === undefined ? model.fields.get(only as string) : undefined;
  const module = field?.module ?? model.module;
  const addon = catalogue.get(module);
  const place = addon && sourcePlaces(addon).of(model.name, field?.name ?? 'indexes');
  const times = asked.reduce((sum, one) => sum + one.count, 0);
  const ms = asked.reduce((sum, one) => sum + one.ms, 0) / Math.max(1, times);
  const [first] = asked as [IndexProposal['asked'][number]];
  const said = [
    ...(first.equal.length > 0 ? [`looked up by ${first.equal.join(', ')}`] : []),
    ...(first.range.length > 0 ? [`compared by ${first.range.join(', ')}`] : []),
    ...(first.order !== '' ? [`sorted by ${first.order}`] : []),
  ].join(', ');
  return {
    ...{ addon: module, line: place?.line ?? 1, model: model.name, fields, index, times, ms: rounded(ms), rows },
    path: addon && place?.file ? relative(process.cwd(), resolve(addon.folder, place.file)) : module,
    ...{ readsNow: Math.round(readsNow), readsThen: Math.round(readsThen) },
    message: `${model.name} is ${said}: ${count(times)} times, ${rounded(ms)} ms each. About ${count(readsNow)} of ${count(rows)} rows are read; with an index ${count(readsThen)}.`,
    fix: fixOf(model.name, index, field?.name, addon?.isShipped ?? false),
  };
}

function fixOf(model: string, index: string, field: string | undefined, isShipped: boolean): string {
  if (isShipped) return `In an addon of your own: inheritModel('${model}', { indexes: ['${index}'] }).`;
  return field === undefined ? `Add indexes: ['${index}'].` : `Add index: true to ${field}.`;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

function tell(found: readonly LocatedProposal[], ways: number): void {
  for (const { path, line, message, fix } of found) console.log(`${path}:${line}: ${message}\n    ${fix}`);
  if (ways === 0) {
    console.log('No queries are recorded yet. Servers store them once a minute.');
    return;
  }
  const result = found.length === 0 ? 'no index' : found.length === 1 ? '1 index' : `${found.length} indexes`;
  console.log(`${result} proposed, from ${ways} kinds of queries.`);
}
