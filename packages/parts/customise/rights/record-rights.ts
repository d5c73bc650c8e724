import { ident, join, type Sql, sql } from '@kontor/database';
import {
  bindingRules,
  type Env,
  type Model,
  mayAccessModel,
  mayReadField,
  ruleCondition,
  rulePredicate,
  wholeOf,
} from '@kontor/orm';
import { type DomainNode, KontorError, type Operation, type RecordRights, type Text, text } from '@kontor/protocol';

const asked = ['read', 'write', 'unlink'] as const satisfies readonly Operation[];

/** Whether somebody may see, change and delete a record that the reader may read, and why not. */
export async function recordRights(env: Env, theirs: Env, model: Model, id: number): Promise<RecordRights> {
  const [record] = await env.model(model.name).searchRead([['id', '=', id]], ['display_name']);
  if (!record) throw new KontorError('NOT_FOUND', text('There is no such record, or you may not read it.'));
  const say = env.registry.wordsIn(env.actor.lang);
  const found = new Map<Operation, readonly Text[]>();
  for (const operation of asked) found.set(operation, await reasonsAgainst(env, theirs, model, { operation, id }));
  const unseen = (found.get('read') ?? []).map((each) => say(each));
  return {
    ...{ id, name: String(record.display_name) },
    rights: asked.map((operation) => {
      const own = (found.get(operation) ?? []).map((each) => say(each));
      const others = own.filter((each) => !unseen.includes(each));
      const isUnseen = operation !== 'read' && unseen.length > 0;
      const reasons = isUnseen ? [say(text('They may not see it.')), ...others] : own;
      return { operation, may: reasons.length === 0, reasons };
    }),
  };
}

interface Asked {
  readonly operation: 'read' | 'write' | 'unlink';
  readonly id: number;
}

const missingRights: Readonly<Record<Asked['operation'], (model: string) => Text>> = {
  read: (model) => text('None of their groups may see {model} records.', { model }),
  write: (model) => text('None of their groups may change {model} records.', { model }),
  unlink: (model) => text('None of their groups may delete {model} records.', { model }),
};

async function reasonsAgainst(env: Env, theirs: Env, model: Model, { operation, id }: Asked): Promise<readonly Text[]> {
  const reasons: Text[] = [];
  if (!mayAccessModel(theirs, model, operation)) reasons.push(missingRights[operation](model.label));
  const names = await ruleNames(env, theirs, model, operation);
  const checks = checksOf(theirs, model, operation, names);
  const holds = await outcomes(
    env,
    model,
    id,
    checks.map(({ holds }) => holds),
  );
  reasons.push(...checks.filter((_, at) => !holds[at]).map(({ otherwise }) => otherwise));
  const { states } = model;
  if (operation === 'unlink' && states?.removable) {
    const field = model.fields.get(states.field);
    const [row] = field && mayReadField(env, field) ? await env.model(model.name).read([id], [field.name]) : [];
    const state = row ? String(row[states.field]) : null;
    if (state !== null && !states.removable.has(state))
      reasons.push(text('Records in "{state}" cannot be deleted.', { state: field?.selection?.get(state) ?? state }));
  }
  return reasons;
}

interface Check {
  readonly holds: Sql;
  readonly otherwise: Text;
}

/** In the language of the reader, who may read them. */
async function ruleNames(
  env: Env,
  theirs: Env,
  model: Model,
  operation: Operation,
): Promise<ReadonlyMap<number | undefined, string>> {
  const { global, own } = bindingRules(theirs, model, operation);
  const ids = [...global, ...own].flatMap(({ id }) => id ?? []);
  const rows = await env.model('sys.rule').searchRead([['id', 'in', ids]], ['display_name']);
  return new Map(rows.map(({ id, display_name }) => [id, String(display_name)]));
}

/** What a record must satisfy, as in `ruleNode`. */
function checksOf(
  theirs: Env,
  model: Model,
  operation: Operation,
  names: ReadonlyMap<number | undefined, string>,
): readonly Check[] {
  const { global, own, company } = bindingRules(theirs, model, operation);
  const holds = (node: DomainNode) => ruleCondition(theirs, model, node, 't');
  const checks: Check[] = global.map(({ id, domain }) => ({
    holds: holds(domain),
    otherwise: text('The rule "{rule}" for everybody excludes it.', { rule: names.get(id) ?? '' }),
  }));
  if (own.length > 0)
    checks.push({
      holds: sql`(${join(
        own.map(({ domain }) => sql`(${holds(domain)}) is true`),
        sql` or `,
      )})`,
      otherwise: text('No rule of their groups includes it: {rules}.', {
        rules: own.map(({ id }) => `"${names.get(id) ?? ''}"`).join(', '),
      }),
    });
  if (company !== null)
    checks.push({ holds: holds(company), otherwise: text('It belongs to a company that they may not work in.') });
  const whole = wholeOf(theirs, model, operation);
  const rules = whole && rulePredicate(theirs, whole.model, whole.operation, 'w');
  if (whole && rules) {
    const link = ident('t', whole.link.column as string);
    const isSeen = sql`exists (select 1 from ${ident(whole.model.table)} w where w.id = ${link} and ${rules})`;
    checks.push({
      holds: sql`(${link} is null or ${isSeen})`,
      otherwise:
        whole.operation === 'read'
          ? text('They may not see the {model} that it belongs to.', { model: whole.model.label })
          : text('They may not change the {model} that it belongs to.', { model: whole.model.label }),
    });
  }
  return checks;
}

async function outcomes(env: Env, model: Model, id: number, checks: readonly Sql[]): Promise<readonly boolean[]> {
  if (checks.length === 0) return [];
  const columns = join(checks.map((check) => sql`(${check}) is true`));
  const [row] = await env.db.arrays(sql`select ${columns} from ${ident(model.table)} t where t.id = ${id}`);
  return checks.map((_, at) => row?.[at] === true);
}
