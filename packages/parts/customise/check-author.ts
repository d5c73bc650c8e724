import {
  type CustomDocument,
  type CustomField,
  canonicalJson,
  type DocumentProblem,
  documentError,
  extensionIn,
  fieldIn,
  fieldsIn,
  pathsIn,
} from '@kontor/kernel';
import { customisable, type Env, fieldsAlong, formulaPaths, mayAccessModel } from '@kontor/orm';
import { conditionsIn, didYouMean, parseAuthoredDomain, type Text, text } from '@kontor/protocol';
import { type AuthorView, authorView, isInGroups, pathProblems } from './author-view.ts';
import { behaviourOf, behaviourPaths, behaviourProblems } from './check-behaviour.ts';
import { type KnownParts, modelProblems } from './check-models.ts';

/**
 * A customisation must not show its author, or anyone through them, what they may not read: the models and paths of new and changed fields are
 * checked with the author's rights. Fields that the author may not see, and those of models that they may not change, stay as they are.
 * Throws with every mistake at its part.
 */
export async function checkAuthor(env: Env, known: KnownParts, after: CustomDocument): Promise<void> {
  const { published, deleted } = known;
  const problems: DocumentProblem[] = [];
  const groups = new Set((await env.sudo().model('core.group').searchRead([], ['key'])).map(({ key }) => String(key)));
  const view = authorView(env, after);
  for (const model of new Set([...Object.keys(published.extends), ...Object.keys(after.extends)])) {
    for (const name of new Set([published, after].flatMap((each) => Object.keys(fieldsIn(each, model))))) {
      const [before, field] = [fieldIn(published, model, name), fieldIn(after, model, name)];
      if (canonicalJson(before) === canonicalJson(field)) continue;
      const data = before ?? deleted.fields.find((each) => each.model === model && each.name === name)?.field;
      const found = [
        ...(data && !isInGroups(env, data.groups) ? [text('You may not see {field}.', { field: data.label })] : []),
        ...(field ? fieldProblems(view, groups, model, name, field) : removalProblems(env, model)),
      ];
      problems.push(...found.map((message) => ({ at: `${model}.${name}`, message })));
    }
  }
  problems.push(
    ...(await modelProblems(view, known, after, groups)),
    ...behaviourProblems(view, published, after, groups),
    ...(await hiddenInFormulas(env, published, after)),
    ...(await viewProblems(view, published, after)),
  );
  if (problems.length > 0) throw documentError(problems);
}

/** By `model.field` of the new fields with a source: the records that the author sees, and whose source they do not see. */
export async function hiddenSources(
  env: Env,
  before: CustomDocument,
  after: CustomDocument,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const hidden = new Map<string, readonly number[]>();
  for (const model of Object.keys(after.extends)) {
    for (const [name, { from }] of Object.entries(fieldsIn(after, model))) {
      if (from === undefined || fieldIn(before, model, name)) continue;
      const links = from.split('.').slice(0, -1);
      // A link that is new has no values yet, and a mistake in a path is found when the models are assembled.
      if (isKnown(env.registry, model, links)) hidden.set(`${model}.${name}`, await hiddenAlong(env, model, links));
    }
  }
  return hidden;
}

const unseen = text(
  'You may not see all linked records, so the server cannot calculate it for everybody. Do not store it.',
);

const unseenByCheck = text('You may not see all linked records, so a condition of yours cannot read them.');

/** Formulas that the server calculates for everybody show nothing of records that their author does not see. */
async function hiddenInFormulas(
  env: Env,
  before: CustomDocument,
  after: CustomDocument,
): Promise<readonly DocumentProblem[]> {
  const problems: DocumentProblem[] = [];
  for (const [model, extension] of Object.entries(after.extends)) {
    if (canonicalJson(behaviourOf(extensionIn(before, model))) !== canonicalJson(behaviourOf(extension))) {
      for (const { at, path } of behaviourPaths(model, extension)) {
        const links = path.slice(0, -1);
        if (links.length === 0 || !isKnown(env.registry, model, links)) continue;
        if ((await hiddenAlong(env, model, links)).length > 0) problems.push({ at, message: unseenByCheck });
      }
    }
    for (const [name, field] of Object.entries(fieldsIn(after, model))) {
      const { formula, stored, groups } = field;
      if (formula === undefined || (!stored && !groups)) continue;
      if (canonicalJson(fieldIn(before, model, name)) === canonicalJson(field)) continue;
      for (const links of formulaReads(formula).map((path) => path.slice(0, -1))) {
        if (links.length === 0 || !isKnown(env.registry, model, links)) continue;
        if ((await hiddenAlong(env, model, links)).length > 0)
          problems.push({ at: `${model}.${name}`, message: unseen });
      }
    }
  }
  return problems;
}

/** The records of a model from which the links lead to a record that the author does not see. */
async function hiddenAlong(env: Env, model: string, links: readonly string[]): Promise<readonly number[]> {
  const hidden: number[] = [];
  const server = env.sudo();
  /** Where each record leads to so far. */
  let reached = new Map((await env.model(model).search([[links[0] as string, '!=', null]])).map((id) => [id, id]));
  let at = model;
  for (const link of links) {
    const rows = await server.model(at).read([...new Set(reached.values())], [link]);
    const next = new Map(rows.map((row) => [row.id, row[link] as number | null]));
    at = env.registry.model(at).fields.get(link)?.spec.relation as string;
    const ids = [...new Set(next.values())].filter((id) => id !== null);
    const seen = new Set(await env.model(at).search([['id', 'in', ids]]));
    const onward = new Map<number, number>();
    for (const [id, from] of reached) {
      const to = next.get(from) ?? null;
      if (to !== null && seen.has(to)) onward.set(id, to);
      else if (to !== null) hidden.push(id);
    }
    reached = onward;
  }
  return hidden;
}

function isKnown(registry: Env['registry'], model: string, path: readonly string[]): boolean {
  return fieldsAlong(registry, model, path).length === path.length;
}

/** Anybody may remove the fields of a model that is gone. */
function removalProblems(env: Env, modelName: string): readonly Text[] {
  const model = env.registry.models.get(modelName);
  return !model || mayAccessModel(env, model, 'write') ? [] : [mayNotChange(model.label)];
}

function mayNotChange(model: string): Text {
  return text('You may not change {model}.', { model });
}

/** Steps of a view show and ask for nothing that their author may not read, and leave the screens of the system alone. */
async function viewProblems(
  view: AuthorView,
  before: CustomDocument,
  after: CustomDocument,
): Promise<readonly DocumentProblem[]> {
  const { env } = view;
  const known = new Set(
    before.views.flatMap(({ view: key, steps }) => steps.map((step) => canonicalJson([key, step]))),
  );
  const changed = after.views
    .map(({ view: key, steps }) => ({ key, steps: steps.filter((step) => !known.has(canonicalJson([key, step]))) }))
    .filter(({ steps }) => steps.length > 0);
  const keys = changed.map(({ key }) => key);
  const rows = await env
    .sudo()
    .model('sys.view')
    .searchRead([['key', 'in', keys]], ['key', 'model']);
  const modelOf = new Map(rows.map((row) => [String(row.key), env.registry.models.get(String(row.model))]));
  return changed.flatMap(({ key, steps }) => {
    const model = modelOf.get(key);
    if (!model) return [];
    const found: Text[] = [];
    if (customisable(model) !== 'all')
      found.push(text('The screens of {model} cannot be changed.', { model: model.label }));
    else if (!mayAccessModel(env, model, 'write')) found.push(mayNotChange(model.label));
    for (const step of steps) {
      // Columns of lines belong to another model; the check of the view finds unknown ones.
      const paths = [...('fields' in step ? step.fields.map(({ name }) => [name]) : []), ...pathsIn(step)];
      if (step.expr.includes('/list')) continue;
      // New fields are checked as such.
      for (const path of paths)
        if (model.fields.has(path[0] ?? '')) found.push(...pathProblems(view, model.name, path));
    }
    return found.map((message) => ({ at: key, message }));
  });
}

function fieldProblems(
  view: AuthorView,
  groups: ReadonlySet<string>,
  model: string,
  name: string,
  field: CustomField,
): readonly Text[] {
  const label = view.labelOf(model);
  if (label === undefined) return [text('There is no model {model}.', { model })];
  const problems: Text[] = [];
  if (!view.canExtend(model)) problems.push(text('Fields cannot be added to {model}.', { model: label }));
  else if (!view.mayAccess(model, 'write')) problems.push(mayNotChange(label));
  const shipped = view.env.registry.models.get(model)?.fields.get(name);
  if (shipped && shipped.module !== 'custom')
    problems.push(text('"{name}" is the name of another field of this model.', { name }));
  for (const group of field.groups ?? []) {
    if (!groups.has(group))
      problems.push(text('There is no group "{group}".{hint}', { group, hint: didYouMean(group, groups) }));
  }
  const { relation = '' } = field;
  const related = view.labelOf(relation);
  if (related !== undefined && !view.mayAccess(relation, 'read'))
    problems.push(text('You may not read {model}.', { model: related }));
  for (const path of [field.from, field.currency, field.lines?.path])
    if (path) problems.push(...pathProblems(view, model, path.split('.')));
  for (const path of [field.from, field.lines?.path])
    if (path) problems.push(...copyProblems(view, model, path.split('.'), field.groups));
  for (const path of formulaReads(field.formula)) problems.push(...pathProblems(view, model, path));
  if (field.domain)
    for (const { path } of conditionsIn(parseAuthoredDomain(field.domain as never)))
      problems.push(...pathProblems(view, relation, path));
  return problems;
}

/** A formula with a mistake is reported when the models are assembled. */
function formulaReads(formula: string | undefined): readonly (readonly string[])[] {
  try {
    return formula === undefined ? [] : formulaPaths(formula);
  } catch {
    return [];
  }
}

/** A copy is seen by no group that may not see what it copies. */
function copyProblems(
  view: AuthorView,
  from: string,
  path: readonly string[],
  groups: readonly string[] | undefined,
): readonly Text[] {
  let model = from;
  for (const name of path) {
    const field = view.field(model, name);
    const seenBy = field?.groups;
    if (field && seenBy && !groups?.every((group) => seenBy.includes(group)))
      return [
        text('Only some groups see {field}. Choose among them: {groups}.', {
          ...{ field: field.label, groups: seenBy.join(', ') },
        }),
      ];
    model = field?.relation ?? '';
  }
  return [];
}
