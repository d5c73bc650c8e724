import { customModule, type Kernel } from '@kontor/kernel';
import { type Env, type Field, fieldsAlong, type Model, mayAccessModel, mayReadField, wholeOf } from '@kontor/orm';
import {
  conditionsIn,
  type GroupRights,
  type ModelRights,
  type Operation,
  parseAuthoredDomain,
  type RightSource,
  type RightsPath,
  type RuleOfModel,
  serializeDomain,
  text,
} from '@kontor/protocol';
import type { KnownGroups } from './known-groups.ts';

export const operations: readonly Operation[] = ['read', 'write', 'create', 'unlink'];

/** The name of the app of a record, by its external id; empty: people made it. */
export type AppOf = (model: string, id: number) => string;

/** Who sees and does what with the records of a model: groups that the reader may see, and rules if they may read them. */
export async function modelRights(
  kernel: Kernel,
  env: Env,
  model: Model,
  groups: KnownGroups,
): Promise<Omit<ModelRights, 'mayChange' | 'isAdministrator'>> {
  const rows = await accessRows(env, model.name);
  const rules = await rulesOf(env, model.name, groups);
  const appOf = await appsOf(kernel, env, { 'sys.access': rows, 'sys.rule': rules ?? [] });
  const labels = env.registry.wordsIn(env.actor.lang);
  return {
    ...{ name: model.name, label: model.label },
    ...groupsOf(rows, groups, appOf, labels(text('Everybody who can sign in'))),
    rules: rules?.map((rule) => ({ ...rule, app: appOf('sys.rule', rule.id) })) ?? null,
    paths: pathsOf(env, model, rules ?? []),
    hasCompany: model.hasCompany && model.companyRule !== false,
    whole: wholeOf(env, model, 'read')?.model.label ?? null,
    fields: [...model.fields.values()]
      .filter((field) => field.spec.groups && seesField(env, field))
      .map(({ label, spec }) => ({ label, groups: groups.names(spec.groups ?? []) })),
    moves: movesOf(model).flatMap(({ label, from, groups: keys }) =>
      keys === null ? [] : [{ label, from, groups: groups.names(keys) }],
    ),
  };
}

interface AccessRow {
  readonly id: number;
  /** Null: everybody who can sign in. */
  readonly group: number | null;
  readonly may: Readonly<Record<Operation, boolean>>;
}

/** As the server: whoever customises sees which groups have rights on a model that they may read. */
async function accessRows(env: Env, model: string): Promise<readonly AccessRow[]> {
  const paths = ['group_id', 'group_id.is_away', ...operations.map((each) => `perm_${each}`)];
  const rows = await env
    .sudo()
    .model('sys.access')
    .searchRead([['model', '=', model]], paths);
  return rows
    .filter((row) => row['group_id.is_away'] !== true)
    .map((row) => ({
      id: row.id,
      group: row.group_id as number | null,
      may: Object.fromEntries(operations.map((each) => [each, row[`perm_${each}`] === true])) as AccessRow['may'],
    }));
}

function groupsOf(
  rows: readonly AccessRow[],
  known: KnownGroups,
  appOf: AppOf,
  everybody: string,
): Pick<ModelRights, 'groups' | 'hiddenGroups'> {
  const sources = (through: (group: number) => string | null) => {
    const found = rows.flatMap((row) => {
      const name = row.group === null ? '' : through(row.group);
      return name === null ? [] : [{ row, source: { app: appOf('sys.access', row.id), through: name } }];
    });
    const of = (each: Operation) => unique(found.filter(({ row }) => row.may[each]).map(({ source }) => source));
    return Object.fromEntries(operations.map((each) => [each, of(each)])) as GroupRights['rights'];
  };
  const direct = new Set(rows.map(({ group }) => group));
  const named = known.all.filter(({ id }) => direct.has(id));
  const groups = named.map((group): GroupRights => {
    const implied = new Map([...known.closure(group)].map(({ id, name }) => [id, id === group.id ? '' : name]));
    const above = known.all.filter((each) => each !== group && known.closure(each).has(group));
    return {
      ...{ id: group.id, name: group.name, impliedBy: above.map(({ name }) => name) },
      rights: sources((id) => implied.get(id) ?? null),
    };
  });
  const open = direct.has(null) ? [{ id: null, name: everybody, impliedBy: [], rights: sources(() => null) }] : [];
  return {
    groups: [...open, ...groups],
    hiddenGroups: [...direct].filter((id) => id !== null && !known.byId(id)).length,
  };
}

function unique(sources: readonly RightSource[]): readonly RightSource[] {
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()];
}

/** Record rules as the reader may read them; null: they may not. */
async function rulesOf(
  env: Env,
  model: string,
  groups: KnownGroups,
): Promise<readonly Omit<RuleOfModel, 'app'>[] | null> {
  if (!seesRules(env)) return null;
  const paths = ['display_name', 'domain', 'group_ids', 'state', ...operations.map((each) => `perm_${each}`)];
  const active = [
    ['model', '=', model],
    ['active', '=', true],
  ] as const;
  const rows = await env.model('sys.rule').searchRead([...active], paths, { order: 'id' });
  return rows.map((row) => ({
    ...{ id: row.id, name: String(row.display_name), isOff: row.state !== 'on' },
    groups: (row.group_ids as readonly number[]).flatMap((id) => groups.byId(id)?.name ?? []),
    operations: operations.filter((each) => row[`perm_${each}`] === true),
    domain: serializeDomain(parseAuthoredDomain(row.domain)),
  }));
}

export function seesRules(env: Env): boolean {
  return ['sys.access', 'sys.rule'].every((name) => mayAccessModel(env, env.registry.model(name), 'read'));
}

async function appsOf(
  kernel: Kernel,
  env: Env,
  records: Readonly<Record<string, readonly { readonly id: number }[]>>,
): Promise<AppOf> {
  const found = new Map<string, string>();
  const say = env.registry.wordsIn(env.actor.lang);
  for (const [model, rows] of Object.entries(records)) {
    const ids = await env
      .sudo()
      .model('sys.model.data')
      .searchRead(
        [
          ['model', '=', model],
          ['res_id', 'in', rows.map(({ id }) => id)],
        ],
        ['module', 'res_id'],
      );
    for (const { module, res_id } of ids) {
      const name = String(module);
      const label = name === customModule ? text('Customisation') : kernel.catalogue.get(name)?.manifest.label;
      if (label) found.set(`${model} ${res_id}`, typeof label === 'string' ? say(label, name) : say(label));
    }
  }
  return (model, id) => found.get(`${model} ${id}`) ?? '';
}

/** The paths of rules as fields with labels: `Customer › Company`. */
function pathsOf(env: Env, model: Model, rules: readonly Pick<RuleOfModel, 'domain'>[]): readonly RightsPath[] {
  const all = new Map<string, RightsPath>();
  for (const { domain } of rules)
    for (const { path } of conditionsIn(parseAuthoredDomain(domain))) {
      const fields = fieldsAlong(env.registry, model.name, path);
      const last = fields.at(-1);
      if (!last || fields.length < path.length) continue;
      const name = path.join('.');
      all.set(name, {
        ...{ name, label: fields.map(({ label }) => label).join(' › '), type: last.spec.type },
        ...(last.selection && { selection: [...last.selection] }),
      });
    }
  return [...all.values()];
}

/** Administrators see which fields exist; others those that they may read. */
export function seesField(env: Env, field: Field): boolean {
  return field.spec.secret !== true && (mayReadField(env, field) || seesRules(env));
}

export interface KnownMove {
  readonly label: string;
  readonly from: readonly string[];
  /** Null: everybody who may do what it needs. */
  readonly groups: readonly string[] | null;
  readonly needs: 'read' | 'write';
}

/** The moves and actions that buttons offer. */
export function movesOf(model: Model): readonly KnownMove[] {
  const states = model.states && model.fields.get(model.states.field)?.selection;
  return [...model.actions.values()].flatMap((action): readonly KnownMove[] => {
    if (action.kind === 'action') {
      const { label, groups, name, needs } = action;
      return label === null && groups === null ? [] : [{ label: label ?? name, from: [], groups, needs }];
    }
    return action.moves.map(({ label, from, groups }) => ({
      ...{ label, groups, needs: action.needs },
      from: [...from].map((state) => states?.get(state) ?? state),
    }));
  });
}
