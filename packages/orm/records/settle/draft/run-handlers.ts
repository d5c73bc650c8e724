import type { Domain, Words } from '@kontor/protocol';
import type { HandlerAnswer, OnchangeSpec } from '../../../model/definition.ts';
import type { Field } from '../../../model/model.ts';
import { guardRecord, isStrictAboutPaths, pathTree } from '../../guard-record.ts';
import { sameValue } from '../../same-value.ts';
import { type Draft, isMany, valueAt } from './draft.ts';
import { fill } from './fill.ts';
import { give } from './give.ts';
import { orNothing } from './or-nothing.ts';
import { recordOf } from './record-of.ts';
import { wireValue } from './wire-value.ts';

/** What the handlers said, together. */
export interface HandlerResults {
  /** Fields that handlers set. */
  readonly set: Set<string>;
  readonly warnings: { readonly title: Words; readonly message: Words }[];
  readonly domain: Record<string, Domain>;
}

const maxRuns = 100;

/** Runs the handlers of the changed fields in order; what a handler changes has its own handlers run after it. */
export async function runHandlers(
  draft: Draft,
  changed: readonly string[],
  refresh: (names: Iterable<string>) => void,
): Promise<HandlerResults> {
  const { model } = draft.root;
  const results: HandlerResults = { set: new Set(), warnings: [], domain: {} };
  const queue = [...changed];
  let runs = 0;
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    for (const handler of model.onchange.get(name) ?? []) {
      if (++runs > maxRuns) throw new Error(`The onchange handlers of ${model.name} set each other off without end.`);
      const answer = await runHandler(draft, name, handler);
      if (answer.warning) results.warnings.push(answer.warning);
      Object.assign(results.domain, answer.domain);
      for (const [set, value] of Object.entries(answer.value ?? {})) {
        if (value === undefined) continue;
        if (await setValue(draft, set, value)) queue.push(set);
        results.set.add(set);
      }
      refresh(results.set);
    }
  }
  return results;
}

async function runHandler(draft: Draft, name: string, handler: OnchangeSpec): Promise<HandlerAnswer> {
  const paths = [name, ...(handler.reads ?? [])];
  const tree = pathTree(paths);
  await fill(draft, [draft.root], tree);
  const record = recordOf(draft, draft.root, tree);
  const reader = `The onchange of ${draft.root.model.name}.${name}`;
  const result = orNothing(draft, () =>
    handler.value(isStrictAboutPaths() ? guardRecord(record, paths, reader) : record),
  );
  if (!result) return {};
  return 'answer' in result ? ((result as { answer: HandlerAnswer }).answer ?? {}) : { value: result };
}

/** Whether the value is another than before. */
async function setValue(draft: Draft, name: string, value: unknown): Promise<boolean> {
  const { root } = draft;
  const field = root.model.fields.get(name);
  if (!field) throw new Error(`An onchange of ${root.model.name} sets ${name}, which the model does not have.`);
  await fill(draft, [root], pathTree([name]));
  const before = current(draft, field);
  await give(draft, root, { [name]: value });
  return isMany(field) || !sameValue(field, before, current(draft, field));
}

function current(draft: Draft, field: Field): unknown {
  return wireValue(valueAt(draft, draft.root, field));
}
