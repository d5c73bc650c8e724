import {
  type AddedModel,
  type CustomDocument,
  canonicalJson,
  type DeletedParts,
  type DocumentProblem,
  modelIn,
} from '@kontor/kernel';
import { type Env, mayAccessModel } from '@kontor/orm';
import { didYouMean, type Text, text } from '@kontor/protocol';
import { type AuthorView, isInGroups } from './author-view.ts';

/** What a publication starts from: the published document, and what was deleted and would be shown again by something with the same name. */
export interface KnownParts {
  readonly published: CustomDocument;
  readonly deleted: DeletedParts;
}

/**
 * Added models are changed, deleted and brought back by people who may change their records: those who may not would open what others keep to
 * themselves. Whoever publishes one keeps that right.
 */
export async function modelProblems(
  view: AuthorView,
  { published, deleted }: KnownParts,
  after: CustomDocument,
  groups: ReadonlySet<string>,
): Promise<readonly DocumentProblem[]> {
  const names = new Set([...Object.keys(published.models ?? {}), ...Object.keys(after.models ?? {})]);
  const changed = [...names].filter(
    (name) => canonicalJson(modelIn(published, name)) !== canonicalJson(modelIn(after, name)),
  );
  if (changed.length === 0) return [];
  const menus = await menusIn(view.env);
  const worksEverywhere = await worksInAllCompanies(view.env);
  return changed.flatMap((name) => {
    const known = modelIn(published, name) ?? deleted.models.find(({ model }) => model === name)?.spec;
    const model = modelIn(after, name);
    const found = [
      ...(known && !mayChange(view.env, known) ? [text('You may not change {model}.', { model: known.label })] : []),
      ...(model ? newProblems(view, name, model, { groups, menus, after }) : []),
      ...(known && model && mayChange(view.env, known) ? grantProblems(view.env, known, model) : []),
      ...(known && !model && mayChange(view.env, known) && seesOnlySome(view.env, known)
        ? [text('You see only some records of {model}, so you cannot delete it.', { model: known.label })]
        : []),
      ...(known?.company && model && !model.company && !worksEverywhere
        ? [text('Only people who work in all companies may show its records to all companies.')]
        : []),
    ];
    return found.map((message) => ({ at: name, message }));
  });
}

interface Names {
  readonly groups: ReadonlySet<string>;
  readonly menus: ReadonlySet<string>;
  readonly after: CustomDocument;
}

function newProblems(
  view: AuthorView,
  name: string,
  model: AddedModel,
  { groups, menus, after }: Names,
): readonly Text[] {
  const problems: Text[] = [];
  const { access, partOf, menu } = model;
  for (const { group } of access)
    if (!groups.has(group))
      problems.push(text('There is no group "{group}".{hint}', { group, hint: didYouMean(group, groups) }));
  if (!mayChange(view.env, model))
    problems.push(text('Let a group change its records that you are in: otherwise you could not change it any more.'));
  const module = view.env.registry.models.get(name)?.module;
  if (module !== undefined && module !== 'custom')
    problems.push(text('"{name}" is the name of another model.', { name }));
  if (partOf) {
    const whole = view.labelOf(partOf.model);
    if (whole === undefined) problems.push(text('There is no model {model}.', { model: partOf.model }));
    else if (!view.canExtend(partOf.model)) problems.push(text('Fields cannot be added to {model}.', { model: whole }));
    else if (!view.mayAccess(partOf.model, 'write'))
      problems.push(text('You may not change {model}.', { model: whole }));
  }
  const isOwn = Object.keys(after.models ?? {}).some((each) => menu === `custom.${each}_app`);
  if (menu && !isOwn && !menus.has(menu)) problems.push(text('There is no menu "{menu}".', { menu }));
  return problems;
}

function mayChange(env: Env, { access }: AddedModel): boolean {
  return access.some(({ group, write }) => write === true && isInGroups(env, [group]));
}

const given = {
  write: (model: string) => text('You may not change {model}, so you cannot let others change it.', { model }),
  create: (model: string) => text('You may not create {model}, so you cannot let others create it.', { model }),
  unlink: (model: string) => text('You may not delete {model}, so you cannot let others delete it.', { model }),
} as const;

/** Nobody gives a group more than they have themselves by the rights that are in force, except who manages rights anyway. */
function grantProblems(env: Env, before: AddedModel, after: AddedModel): readonly Text[] {
  if (mayAccessModel(env, env.registry.model('sys.access'), 'write')) return [];
  const own = ownRights(env, before);
  const problems = new Map<string, Text>();
  for (const right of after.access) {
    const old = before.access.find(({ group }) => group === right.group);
    for (const each of ['write', 'create', 'unlink'] as const)
      if (right[each] && !old?.[each] && !own.some((mine) => mine[each])) problems.set(each, given[each](after.label));
    const isWider = old ? old.only !== undefined && old.only !== right.only : true;
    if (isWider && seesOnlySome(env, before))
      problems.set(
        'read',
        text('You see only some records of {model}, so you cannot show others more.', { model: after.label }),
      );
  }
  return [...problems.values()];
}

function ownRights(env: Env, { access }: AddedModel): AddedModel['access'] {
  return access.filter(({ group }) => isInGroups(env, [group]));
}

function seesOnlySome(env: Env, model: AddedModel): boolean {
  return ownRights(env, model).every(({ only }) => only !== undefined);
}

async function worksInAllCompanies(env: Env): Promise<boolean> {
  const all = await env
    .sudo()
    .model('core.company')
    .search([['active', '=', true]]);
  return all.every((id) => env.actor.companyIds.includes(id));
}

async function menusIn(env: Env): Promise<ReadonlySet<string>> {
  const rows = await env
    .sudo()
    .model('sys.model.data')
    .searchRead(
      [
        ['model', '=', 'sys.menu'],
        ['res_id', '!=', 0],
      ],
      ['module', 'name'],
    );
  return new Set(rows.map(({ module, name }) => `${module}.${name}`));
}
