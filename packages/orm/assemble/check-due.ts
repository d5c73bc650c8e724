import { chooseOne } from '@kontor/protocol';
import type { DueException, DueSpec, Field, Model } from '../model/model.ts';
import { authorName } from '../model/names.ts';
import { whereFault } from '../schema/where-text.ts';
import type { Draft } from './draft.ts';
import { type FieldTable, isUnresolved, walkPath } from './path.ts';
import type { Problems } from './problems.ts';

/** The fields and actions in a model's `due` must exist. */
export function checkDue({ name, due }: Draft, model: Model, table: FieldTable, problems: Problems): void {
  if (due === null) return;
  const say = (message: string) => problems.add({ module: due.module, model: name }, `due ${message}`);
  checkFields(due.value, model, table, say);
  checkPaths(due.value, model, table, say);
  checkActs(due.value, model, say);
  for (const one of due.value.unless ?? []) checkException(one, model, table, say);
}

type Say = (message: string) => void;

function checkFields(due: DueSpec, { fields }: Model, table: FieldTable, say: Say): void {
  const { date, by, open, until, allDay } = due;
  const when = fields.get(date);
  if (!when?.kind.isDate || !when.isStored) say(`date "${date}" is no stored date.`);
  const people = fields.get(by);
  const isOwn = people !== undefined && (people.kind.isToOne ? people.isStored : people.through !== null);
  const isReported = people !== undefined && isUnresolved(people, table);
  if (!isReported && (!isOwn || people.spec.relation !== 'core.user'))
    say(`by "${by}" is no stored relation to core.user.`);
  const fault = whereFault(open, (field) => fields.get(field));
  if (fault !== null) say(`open does not fit: ${fault}`);
  const end = until === undefined ? undefined : fields.get(until);
  if (until !== undefined && !(end?.kind.isInstant && end.isStored)) say(`until "${until}" is no stored moment.`);
  const day = allDay === undefined ? undefined : fields.get(allDay);
  if (allDay !== undefined && !(day?.kind.isBoolean && day.isStored)) say(`allDay "${allDay}" is no stored boolean.`);
}

function checkException({ lines, by, where }: DueException, { fields }: Model, table: FieldTable, say: Say): void {
  const list = fields.get(lines);
  if (list && isUnresolved(list, table)) return;
  const { relation, inverse } = list?.spec ?? {};
  const own = table.get(relation ?? '');
  if (!own || inverse === undefined) {
    say(`unless: "${lines}" are no lines.`);
    return;
  }
  const person = own.get(by);
  if (!person?.isStored || person.spec.relation !== 'core.user')
    say(`unless: "${by}" of ${lines} is no stored relation to core.user.`);
  const fault = whereFault(where, (name) => own.get(name));
  if (fault !== null) say(`unless does not fit: ${fault}`);
}

function checkPaths({ about = [], iconAt }: DueSpec, model: Model, table: FieldTable, say: Say): void {
  for (const path of [...about, ...(iconAt === undefined ? [] : [iconAt])]) {
    const walked = walkPath(table, model.name, path.split('.'));
    if (typeof walked === 'string') say(`shows ${walked}`);
    else if (walked.some((field: Field) => field.kind.isList)) say(`shows "${path}", which has many values.`);
  }
}

function checkActs({ done, acts = [] }: DueSpec, { actions }: Model, say: Say): void {
  const known = [...actions.keys()].map((name) => authorName(name) ?? name);
  for (const act of [...(done === undefined ? [] : [done]), ...acts]) {
    if (!known.includes(act)) say(`runs "${act}": there is no such action.${chooseOne(act, known)}`);
  }
}
