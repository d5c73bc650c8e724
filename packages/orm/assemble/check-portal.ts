import { chooseOne, conditionsIn, type Domain, KontorError, parseAuthoredDomain } from '@kontor/protocol';
import type { Field, Model } from '../model/model.ts';
import { declaredPaths, type PortalSpec } from '../model/portal-spec.ts';
import type { Draft, Drafts } from './draft.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';

type Report = (message: string) => void;

/** What customers are shown must exist, belong to somebody, and be for everyone: no field with groups, and no secret. */
export function checkPortal({ name, portal }: Draft, model: Model, table: FieldTable, problems: Problems): void {
  if (portal === null) return;
  const { value: spec } = portal;
  const report = (message: string) => problems.add({ module: portal.module, model: name }, `portal ${message}`);
  checkCustomer(spec, name, table, report);
  for (const path of declaredPaths(spec)) checkShown(path, name, table, report);
  checkKinds(spec, model, report);
  checkMoves(spec, model, report);
  if (spec.allows?.includes('attach') && !spec.allows.includes('comment'))
    report('allows "attach" without "comment": a file is part of a comment.');
  if (spec.allows?.includes('comment') && model.chatter === null)
    report('allows "comment", but the model has no chatter: add chatter: true.');
  const wheres = [spec.where, spec.accept?.where, spec.decline?.where].filter((each) => each !== undefined);
  for (const path of wheres.flatMap((where) => wherePaths(where, report))) {
    const walked = walkPath(table, name, path.split('.'));
    if (typeof walked === 'string') report(walked);
  }
}

function checkCustomer({ customer }: PortalSpec, name: string, table: FieldTable, report: Report): void {
  const walked = walkPath(table, name, customer.split('.'));
  if (typeof walked === 'string') report(walked);
  else if (walked.at(-1)?.spec.relation !== 'core.partner' || walked.some(({ kind }) => kind.isList))
    report(`customer "${customer}" does not lead to one contact.`);
}

function checkShown(path: string, name: string, table: FieldTable, report: Report): void {
  const walked = walkPath(table, name, path.split('.'));
  if (typeof walked === 'string') {
    report(walked);
    return;
  }
  const hidden = walked.find(({ spec }) => spec.groups !== undefined || spec.meantFor !== undefined || spec.secret);
  if (hidden) report(`shows "${path}", but "${hidden.name}" is only for some users: customers are in no group.`);
}

function checkKinds(
  { date, kind, status, until, contact, sums = [], total, lines }: PortalSpec,
  model: Model,
  report: Report,
) {
  const { fields } = model;
  const must = (name: string | undefined, fits: (field: Field) => boolean, what: string) => {
    const field = name === undefined ? undefined : fields.get(name);
    if (field && !fits(field)) report(`"${name}" is no ${what}.`);
  };
  must(date, ({ kind, isStored }) => kind.isDate && isStored, 'stored date');
  for (const choice of [kind, status])
    must(choice, ({ selection }) => selection !== null && selection !== undefined, 'field with choices');
  must(until, ({ kind }) => kind.isDate, 'date');
  must(contact, ({ spec }) => spec.relation === 'core.user', 'relation to a user');
  for (const sum of [...sums, total]) must(sum, ({ kind }) => kind.isExact, 'amount');
  must(lines?.field, ({ kind }) => kind.isList, 'list of lines');
}

function checkMoves({ accept, decline }: PortalSpec, { states }: Model, report: Report): void {
  for (const [what, declared] of Object.entries({ accept, decline })) {
    if (declared === undefined || states?.moves.has(declared.move)) continue;
    report(`${what} "${declared.move}": there is no such move.${chooseOne(declared.move, states?.moves.keys() ?? [])}`);
  }
}

/** The lines of a document are seen with it, or have a rule of their own; anything else would show those of others. */
export function checkPortalLines(drafts: Drafts, models: ReadonlyMap<string, Model>, problems: Problems): void {
  for (const { name, portal } of drafts.values()) {
    const relation = portal?.value.lines && models.get(name)?.fields.get(portal.value.lines.field)?.spec.relation;
    const line = relation === undefined || relation === null ? undefined : models.get(relation);
    if (!portal || !line || drafts.get(line.name)?.portal) continue;
    const whole = line.partOf === null ? undefined : line.fields.get(line.partOf)?.spec.relation;
    if (whole !== name)
      problems.add(
        { module: portal.module, model: name },
        `portal lines: ${line.name} is neither part of ${name} nor has a portal. Give it one of them.`,
      );
  }
}

function wherePaths(where: Domain, report: Report): readonly string[] {
  try {
    return conditionsIn(parseAuthoredDomain(where)).map(({ path }) => path.join('.'));
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    report(`where does not fit: ${error.message}`);
    return [];
  }
}
