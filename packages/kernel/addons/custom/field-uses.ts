import { sql } from '@kontor/database';
import { type Env, groupBy } from '@kontor/orm';
import { text } from '@kontor/protocol';
import { assembleModules } from '../assemble-modules.ts';
import type { InstallContext } from '../install-context.ts';
import { modulesToChange, readModuleStates } from '../module-rows.ts';
import { rowsOfModel, rowsWithField } from '../rename-references.ts';
import { type CustomDocument, customModule, extensionIn, fieldIn, modelIn } from './document.ts';
import { without, withoutModels } from './fit-document.ts';
import { mentions } from './view-steps.ts';

/** Something that names a field: a record, a view or another field. */
export interface FieldUse {
  /** The label of its model. */
  readonly kind: string;
  readonly name: string;
  /** Whose it may be; the caller checks who may see its name. */
  readonly record?: { readonly model: string; readonly id: number };
}

/** What uses an added field, in the given language: saved filters, tiles, rules, automations, webhooks, views, other fields. */
export async function customFieldUses(
  context: InstallContext,
  document: CustomDocument,
  { model, name }: { readonly model: string; readonly name: string },
  lang: string,
): Promise<readonly FieldUse[]> {
  const present = modulesToChange(context.catalogue, await readModuleStates(context.tx));
  const assemble = (given: CustomDocument) =>
    assembleModules({ ...context, publishedOf: async () => ({ number: 0, document: given }) }, present);
  const current = await assemble(document);
  const env = context.envFor(current.registryIn(lang), context.tx).sudo();
  const uses: FieldUse[] = [];
  for (const [of, rows] of groupBy(await rowsWithField(env, model, name), (row) => row.model)) {
    const ids = rows.map(({ id }) => id);
    const own: [string, '=' | '!=', unknown][] = of === 'sys.view' ? [['module', '!=', customModule]] : [];
    const found = await env.model(of).searchRead([['id', 'in', ids], ...own], ['display_name']);
    for (const { id, display_name } of found)
      uses.push({ kind: env.registry.model(of).label, name: String(display_name), record: { model: of, id } });
  }
  for (const { view, steps } of document.views) {
    if (steps.some((step) => mentions(step, name)))
      uses.push({ kind: env.registry.model('sys.view').label, name: view });
  }
  const fieldKind = env.registry.model('sys.field').label;
  const rest = await assemble(without(document, (at) => at === `${model}.${name}`));
  const known = new Set(current.custom.skipped.map(({ at }) => at));
  for (const { at } of rest.custom.skipped)
    if (!known.has(at)) uses.push(behaviourUse(env, document, at) ?? { kind: fieldKind, name: labelOf(document, at) });
  return uses;
}

/** What uses an added model: records about it, fields that link to it, models that are part of it, and how many records it has. */
export async function customModelUses(
  context: InstallContext,
  document: CustomDocument,
  name: string,
  lang: string,
): Promise<readonly FieldUse[]> {
  const present = modulesToChange(context.catalogue, await readModuleStates(context.tx));
  const assemble = (given: CustomDocument) =>
    assembleModules({ ...context, publishedOf: async () => ({ number: 0, document: given }) }, present);
  const current = await assemble(document);
  const env = context.envFor(current.registryIn(lang), context.tx).sudo();
  const uses: FieldUse[] = [];
  const own = current.registry.models.get(name);
  const running = await context.tx.query(sql`select 1 as found from sys_model where name = ${name}`);
  if (own && running.length > 0)
    uses.push({ kind: env.registry.model(name).label, name: String(await env.model(name).count([])) });
  const named = await rowsOfModel(env, name);
  for (const [of, rows] of groupBy(named, (row) => row.model)) {
    const ids = rows.map(({ id }) => id);
    // Messages and activities about its records go with them.
    if (env.registry.model(of).about) continue;
    const made = await ownRecords(env, of, ids);
    const found = await env.model(of).searchRead([['id', 'in', ids]], ['display_name'], { limit: 100 });
    for (const { id, display_name } of found)
      if (!made.has(id))
        uses.push({ kind: env.registry.model(of).label, name: String(display_name), record: { model: of, id } });
  }
  const rest = await assemble(withoutModels(document, new Set([name])));
  const known = new Set(current.custom.skipped.map(({ at }) => at));
  for (const { at } of rest.custom.skipped) {
    if (known.has(at)) continue;
    const part = document.models?.[at];
    const behaviour = behaviourUse(env, document, at);
    if (part) uses.push({ kind: env.registry.model('sys.model').label, name: part.label });
    else if (behaviour) uses.push(behaviour);
    else uses.push({ kind: env.registry.model('sys.field').label, name: labelOf(document, at) });
  }
  return uses;
}

/** The screens, rights and numbers that the model has by itself. */
async function ownRecords(env: Env, model: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await env.model('sys.model.data').searchRead(
    [
      ['model', '=', model],
      ['module', '=', customModule],
      ['res_id', 'in', ids],
    ],
    ['res_id'],
  );
  return new Set(rows.map(({ res_id }) => Number(res_id)));
}

/** States, a move or a rule that would be lost: `x_machine.states.x_rent`. */
function behaviourUse(env: Env, document: CustomDocument, at: string): FieldUse | null {
  const [, model = '', kind, name] = /^(.+?)\.(states|checks)(?:\.(\w+))?$/.exec(at) ?? [];
  if (kind === undefined) return null;
  const { states, checks } = extensionIn(document, model);
  const move = states?.moves?.find((each) => each.name === name);
  const check = checks?.find((each) => each.name === name);
  const of = env.registry.models.get(model)?.label ?? modelIn(document, model)?.label ?? model;
  const label = move?.label ?? check?.message;
  const say = env.registry.wordsIn(env.registry.language);
  return {
    kind: say(kind === 'states' ? text('States and moves') : text('Rule')),
    name: label ? `${of}: ${label}` : of,
  };
}

function labelOf(document: CustomDocument, at: string): string {
  const dot = at.lastIndexOf('.');
  return fieldIn(document, at.slice(0, dot), at.slice(dot + 1))?.label ?? at;
}
