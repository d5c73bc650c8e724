import type { Env, Field, Model } from '../model/model.ts';
import type { RowWrite, Values, X2manyCommand } from '../model/records.ts';
import { isHookDue } from '../model/watching-hooks.ts';
import { type Concern, namesOf } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { checkRecords } from '../reading/check-records.ts';
import { lockRows } from '../rows/lock-rows.ts';
import { checkLinks, type Link } from './check-links.ts';
import { isList } from './check-names.ts';

/** Code of hooks and computes must not see records that the caller may not see. */
export const visibility: Concern = {
  name: 'visibility',
  plan({ env, model, operation, purpose, given }) {
    if (operation === 'unlink') return null;
    const isNew = operation === 'create';
    const isCode = isNew
      ? model.hooks.some((hook) => hook.beforeCreate) || env.registry.editableComputes(model.name).length > 0
      : model.hooks.some((hook) => hook.beforeWrite && isHookDue(hook, namesOf(given)));
    // Records that an undo restores may point at each other.
    return isCode && !(isNew && purpose === 'restore') ? { before: checkVisible } : null;
  },
};

async function checkVisible({ env, model, operation, purpose, ids, rows, granted }: WriteRun): Promise<void> {
  if (operation === 'create') {
    await checkNewLinks(
      env,
      model,
      rows.map(({ values }) => values),
      granted,
    );
  } else if (purpose === 'restore') await checkRecords(env, model, ids, 'write');
  else await checkChangedLinks(env, model, rows, granted);
}

/**
 * The relations of new records and of their lines must exist and be readable for the caller before hooks get them. Sudo
 * skips this.
 */
async function checkNewLinks(
  env: Env,
  model: Model,
  rows: readonly Values[],
  granted: ReadonlySet<string>,
): Promise<void> {
  if (env.isSudo) return;
  const links = rows.flatMap((values, row) => linksIn(env, model, values, { row, within: [], granted }));
  await checkLinks(env, links, { model, rows: rows.length, isEarly: true });
}

/** The same for changes: first the rules of the records themselves, then the relations that change. */
async function checkChangedLinks(
  env: Env,
  model: Model,
  rows: readonly RowWrite[],
  granted: ReadonlySet<string>,
): Promise<void> {
  if (env.isSudo) return;
  const names = new Set([...new Set(rows.map((row) => row.values))].flatMap(Object.keys));
  const fields = [...names].flatMap((name) => {
    const field = model.fields.get(name);
    return field?.kind.isToOne && field.column !== null ? [field] : [];
  });
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
  const now = await lockRows(env, model, ids, fields, 'write');
  const links = rows.flatMap(({ id, values }, row) => {
    const isNew = ({ field, id: target, within }: Link) =>
      (within?.length ?? 0) > 0 || (!isList(field) && now.get(id)?.values.get(field) !== target);
    return linksIn(env, model, values, { row, within: [], granted }).filter(isNew);
  });
  await checkLinks(env, links, { model, rows: rows.length, isEarly: true });
}

interface Place {
  readonly row: number;
  readonly within: readonly Field[];
  readonly granted: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

function linksIn(env: Env, model: Model, values: Values, { row, within, granted }: Place): Link[] {
  const links: Link[] = [];
  const add = (field: Field, id: number): void => {
    links.push({ field, id, isChosen: !granted.has(field.name), mustFit: true, row, within });
  };
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name) as Field;
    if (field.kind.isToOne && typeof value === 'number') add(field, value);
    if (!isList(field)) continue;
    const related = env.registry.model(field.spec.relation as string);
    for (const command of value as readonly X2manyCommand[]) {
      if (command[0] === 'link') add(field, command[1]);
      else if (command[0] === 'set') for (const id of command[1]) add(field, id);
      else if (command[0] === 'create') {
        const inside = { row, within: [...within, field], granted: nothing };
        links.push(...linksIn(env, related, command[1], inside));
      }
    }
  }
  return links;
}
