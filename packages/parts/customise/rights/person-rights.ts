import { ident, sql } from '@kontor/database';
import { inCompany } from '@kontor/kernel';
import {
  bindingRules,
  type Env,
  fieldsAlong,
  type Model,
  mayAccessModel,
  mayReadEverywhere,
  mayReadField,
  rulePredicate,
  wholeOf,
} from '@kontor/orm';
import {
  conditionsIn,
  type DomainNode,
  KontorError,
  type Operation,
  type PersonRights,
  type RecordCount,
  text,
} from '@kontor/protocol';
import { loadActor } from '../../identity/rights.ts';
import type { KnownGroups } from './known-groups.ts';
import { movesOf, operations, seesField, seesRules } from './model-rights.ts';
import { recordRights } from './record-rights.ts';

/** Records of the reader that are looked at with the rights of somebody else. */
export const mostCounted = 100_000;

/**
 * What somebody may do with the records of a model, in all companies that they may work in. It tells the reader nothing but of records that they
 * may read themselves, and whether rules hide these only if they may read the rules and all that the rules read.
 */
export async function personRights(
  env: Env,
  model: Model,
  groups: KnownGroups,
  { user, id }: { readonly user: number; readonly id: number },
): Promise<PersonRights> {
  const [person] = await env.model('core.user').searchRead([['id', '=', user]], ['name', 'active', 'group_ids']);
  if (!person) throw new KontorError('NOT_FOUND', text('There is no person with this number.'));
  const actor = await loadActor(env.db, user);
  const theirs = env.as(actor ? inCompany(actor, null, actor.companyIds) : { ...env.actor, uid: 0, groups: new Set() });
  const refusal = refusalOf(env, theirs, model);
  const isCompared = refusal === '' && actor !== null;
  return {
    ...{ id: user, name: String(person.name), isActive: actor !== null },
    groups: membershipsOf(groups, person.group_ids as readonly number[], theirs.actor.groups),
    rights: Object.fromEntries(
      operations.map((each) => [each, groupsThatGive(theirs, model, each, groups)]),
    ) as PersonRights['rights'],
    rules: seesRules(env) ? rulesThatBind(theirs, model) : null,
    hiddenFields: [...model.fields.values()]
      .filter((field) => field.spec.groups && seesField(env, field) && !mayReadField(theirs, field))
      .map(({ label }) => label),
    moves: movesOf(model).map(({ label, from, groups: keys, needs }) => ({
      ...{ label, from },
      isOffered:
        mayAccessModel(theirs, model, needs) && (keys === null || keys.some((key) => theirs.actor.groups.has(key))),
    })),
    count: isCompared ? await countBoth(env, theirs, model) : null,
    refusal,
    record: id > 0 && isCompared ? await recordRights(env, theirs, model, id) : null,
  };
}

function membershipsOf(
  known: KnownGroups,
  direct: readonly number[],
  keys: ReadonlySet<string>,
): PersonRights['groups'] {
  const members = direct.flatMap((id) => known.byId(id) ?? []);
  return known.all
    .filter(({ key }) => keys.has(key))
    .map((group) => ({
      name: group.name,
      through: members.includes(group)
        ? []
        : members.filter((each) => known.closure(each).has(group)).map(({ name }) => name),
    }));
}

/** The groups of a person that give them a right, with a name for everybody's. */
export function groupsThatGive(
  theirs: Env,
  model: Model,
  operation: Operation,
  groups: KnownGroups,
): readonly string[] {
  const rows = (theirs.policy.access.get(model.name) ?? []).filter((row) => row[operation]);
  const say = theirs.registry.wordsIn(theirs.registry.language);
  return [
    ...(theirs.uid > 0 && rows.some(({ group }) => group === null) ? [say(text('Everybody who can sign in'))] : []),
    ...groups.names(new Set(rows.flatMap(({ group }) => (group && theirs.actor.groups.has(group) ? [group] : [])))),
  ];
}

function rulesThatBind(theirs: Env, model: Model): readonly number[] {
  const rules = operations.flatMap((operation) => {
    const { global, own } = bindingRules(theirs, model, operation);
    return [...global, ...own].flatMap(({ id }) => id ?? []);
  });
  return [...new Set(rules)];
}

/** Why records are not compared: whether a rule hides a record tells what is in the fields that it reads. */
function refusalOf(env: Env, theirs: Env, model: Model): string {
  const say = env.registry.wordsIn(env.actor.lang);
  if (model.served || model.isTransient) return say(text('Its records are not kept.'));
  if (!seesRules(env)) return say(text('Only people who may read record rules compare records.'));
  return readsOnlyOpen(env, theirs, model) ? '' : say(text('Rules that bind this person read what you may not read.'));
}

function readsOnlyOpen(env: Env, theirs: Env, model: Model): boolean {
  const nodes = operations.flatMap((operation): readonly DomainNode[] => {
    const { global, own } = bindingRules(theirs, model, operation);
    return [...global, ...own].map(({ domain }) => domain);
  });
  const isOpen = nodes.flatMap(conditionsIn).every(({ path }) => {
    const fields = fieldsAlong(env.registry, model.name, path);
    return fields.length === path.length && fields.every((field) => isOpenField(env, field.model, field));
  });
  const whole = wholeOf(theirs, model, 'read');
  return isOpen && (whole === null || readsOnlyOpen(env, theirs, whole.model));
}

function isOpenField(env: Env, model: string, field: Parameters<typeof mayReadEverywhere>[1]): boolean {
  return mayReadEverywhere(env, field) && mayAccessModel(env, env.registry.model(model), 'read');
}

/** How many of the records that the reader may read the person may read too. */
async function countBoth(env: Env, theirs: Env, model: Model): Promise<RecordCount> {
  const mine = rulePredicate(env, model, 'read', 's') ?? sql`true`;
  const may = mayAccessModel(theirs, model, 'read');
  const other = may ? (rulePredicate(theirs, model, 'read', 't') ?? sql`true`) : sql`false`;
  const table = ident(model.table);
  const [row] = await env.db.query<{ readonly seen: number; readonly of: number }>(sql`
    select count(*) filter (where ${other})::int as seen, count(*)::int as of from ${table} t
    where t.id in (select s.id from ${table} s where ${mine} order by s.id limit ${mostCounted})`);
  const { seen = 0, of = 0 } = row ?? {};
  return { seen, of, isCut: of >= mostCounted };
}
