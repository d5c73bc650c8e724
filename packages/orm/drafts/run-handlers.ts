import type { Domain, Words } from '@kontor/protocol';
import type { HandlerAnswer, OnchangeSpec } from '../model/behaviour.ts';
import { sameValue } from '../model/same-value.ts';
import { guardRecord, isStrictAboutPaths, pathTree } from '../reading/guard-record.ts';
import { applyValues } from './apply-values.ts';
import { type Draft, type DraftNode, isMany, valueAt, wireValue } from './draft.ts';
import { sameEditable } from './editables.ts';
import { fill } from './fill.ts';
import { findReadable, recordOf } from './readable-nodes.ts';

/** The combined results of all handlers. */
export interface HandlerResults {
  /** Fields that handlers set. */
  readonly set: Set<string>;
  readonly warnings: { readonly title: Words; readonly message: Words }[];
  readonly domain: Record<string, Domain>;
}

const maxRuns = 100;

/**
 * Runs the handlers of the changed fields in order; fields changed by a handler or an editable compute trigger their
 * own handlers.
 */
export async function runHandlers(
  draft: Draft,
  root: DraftNode,
  changed: readonly string[],
  refresh: () => void,
): Promise<HandlerResults> {
  const { model } = root;
  const results: HandlerResults = { set: new Set(), warnings: [], domain: {} };
  const reported = new Map<string, unknown>();
  const queue = [...changed, ...(await followers(draft, root, reported))];
  let runs = 0;
  let byHand = changed.length;
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const isByHand = byHand-- > 0;
    for (const handler of model.onchange.get(name) ?? []) {
      if (handler.byHand && !isByHand) continue;
      if (++runs > maxRuns) throw new Error(`The onchange handlers of ${model.name} set each other off without end.`);
      const answer = await runHandler(draft, root, name, handler);
      if (answer.warning) results.warnings.push(answer.warning);
      Object.assign(results.domain, answer.domain);
      for (const [set, value] of Object.entries(answer.value ?? {})) {
        if (value === undefined) continue;
        if (await setValue(draft, root, set, value)) queue.push(set);
        results.set.add(set);
      }
      refresh();
      queue.push(...(await followers(draft, root, reported)));
    }
  }
  return results;
}

/** Editable computes that return another value than before; each value is reported once. */
async function followers(draft: Draft, root: DraftNode, reported: Map<string, unknown>): Promise<readonly string[]> {
  const editables = draft.env.registry.editableComputes(root.model.name);
  await fill(draft, [root], pathTree(editables.map((field) => field.name)));
  return editables.flatMap((field) => {
    const value = wireValue(valueAt(draft, root, field));
    if (!root.followed.has(field.name)) return [];
    if (reported.has(field.name) && sameEditable(field, reported.get(field.name), value)) return [];
    reported.set(field.name, value);
    return [field.name];
  });
}

async function runHandler(draft: Draft, root: DraftNode, name: string, handler: OnchangeSpec): Promise<HandlerAnswer> {
  const paths = [name, ...(handler.reads ?? [])];
  const tree = pathTree(paths);
  await fill(draft, [root], tree, 'caller');
  await findReadable(draft, [root], tree);
  const record = recordOf(draft, root, tree, 'caller');
  const reader = `The onchange of ${root.model.name}.${name}`;
  const result = handler.value(isStrictAboutPaths() ? guardRecord(record, paths, reader) : record);
  if (!result) return {};
  return 'answer' in result ? ((result as { answer: HandlerAnswer }).answer ?? {}) : { value: result };
}

/** Whether the value is another than before. */
async function setValue(draft: Draft, root: DraftNode, name: string, value: unknown): Promise<boolean> {
  const field = root.model.fields.get(name);
  if (!field) throw new Error(`An onchange of ${root.model.name} sets ${name}, which the model does not have.`);
  await fill(draft, [root], pathTree([name]));
  const before = wireValue(valueAt(draft, root, field));
  root.computed.delete(name);
  root.pinned.add(name);
  root.changed?.add(name);
  await applyValues(draft, root, { [name]: value });
  return isMany(field) || !sameValue(field, before, wireValue(valueAt(draft, root, field)));
}
