import { mayReadField } from '../access/field-access.ts';
import { castResult } from '../computing/cast-result.ts';
import { computeOf } from '../computing/compute-of.ts';
import type { Field, Model } from '../model/model.ts';
import { pathTree } from '../reading/guard-record.ts';
import type { X2manyCommand } from '../records.ts';
import { sameValue } from '../writing/same-value.ts';
import { type Draft, type DraftNode, type Edit, isMany, isWorkedOut, valueAt } from './draft.ts';
import { fill, loadInto } from './fill.ts';
import { readableIds } from './sight.ts';
import { wireValue } from './wire-value.ts';

/**
 * The commands of a list with the computed fields of its lines worked out: those that came in, and an update for each
 * stored line that changes along. Null when the lines are as the caller has them.
 */
export async function lineCommands(draft: Draft, owner: DraftNode, field: Field): Promise<X2manyCommand[] | null> {
  const model = draft.env.registry.model(field.spec.relation as string);
  const computes = computedFields(draft, model);
  const edits = owner.edits.get(field.name) ?? [];
  const lines = [...(valueAt(draft, owner, field) as readonly DraftNode[])];
  const editables = computes.filter((each) => each.isEditable).map((each) => each.name);
  await fill(draft, lines, pathTree(editables));
  await fill(
    draft,
    lines,
    pathTree(computes.filter((each) => lines.some((line) => isWorkedOut(draft, line, each))).map((each) => each.name)),
  );
  const stored = lines.filter((line) => line.id !== 0 && computes.some((each) => isWorkedOut(draft, line, each)));
  await loadInto(
    draft,
    model,
    stored,
    computes.filter((each) => stored.some((line) => isWorkedOut(draft, line, each))),
  );

  let isNews = false;
  const differences = (line: DraftNode, edit?: Edit): Record<string, unknown> => {
    const news = lineNews(draft, line, computes, edit);
    if (Object.keys(news).length > 0) isNews = true;
    return news;
  };
  const commands = edits.map((edit) => (edit.line ? enriched(edit, differences(edit.line, edit)) : edit.command));
  const others = lines.filter((line) => line.id !== 0 && !edits.some((edit) => edit.line === line));
  for (const line of await readableNodes(draft, model, others)) {
    const news = differences(line);
    if (Object.keys(news).length > 0) commands.push(['update', line.id, news]);
  }
  return isNews ? commands : null;
}

/** A line that a rule hides from the caller changes along unseen. */
async function readableNodes(
  { caller }: Draft,
  model: Model,
  nodes: readonly DraftNode[],
): Promise<readonly DraftNode[]> {
  if (nodes.length === 0 || caller.isSudo) return nodes;
  const readable = await readableIds(
    caller,
    model,
    nodes.map((node) => node.id),
  );
  return nodes.filter((node) => readable.has(node.id));
}

function computedFields({ caller }: Draft, model: Model): readonly Field[] {
  return [...model.fields.values()].filter((field) => {
    if (field.name === 'display_name' || !mayReadField(caller, field)) return false;
    return field.isEditable || (!isMany(field) && computeOf(model, field) !== null);
  });
}

function enriched({ command }: Edit, news: Readonly<Record<string, unknown>>): X2manyCommand {
  if (command[0] === 'create') return ['create', { ...command[1], ...news }];
  if (command[0] !== 'update') return command;
  const [, id, values, base] = command;
  return base ? ['update', id, { ...values, ...news }, base] : ['update', id, { ...values, ...news }];
}

/** Computed values that differ from what the caller sent, or from what is stored where they sent nothing. */
function lineNews(draft: Draft, line: DraftNode, computes: readonly Field[], edit?: Edit): Record<string, unknown> {
  const sent = valuesOf(edit);
  const news: Record<string, unknown> = {};
  for (const field of computes) {
    if (!isWorkedOut(draft, line, field)) continue;
    const value = wireValue(valueAt(draft, line, field));
    if (isMany(field)) {
      news[field.name] = [['set', value]];
      continue;
    }
    const isSent = Object.hasOwn(sent, field.name);
    if (!isSent && line.id === 0) news[field.name] = value;
    else {
      const known = isSent ? castResult(field, sent[field.name]) : wireValue(line.loaded.get(field.name));
      if (!sameValue(field, known, value)) news[field.name] = value;
    }
  }
  return news;
}

function valuesOf(edit?: Edit): Readonly<Record<string, unknown>> {
  if (edit?.command[0] === 'create') return edit.command[1];
  return edit?.command[0] === 'update' ? edit.command[2] : {};
}
