import {
  customLimits,
  type DocumentProblem,
  deletedDays,
  deletedFields,
  describeChanges,
  fieldIn,
  fieldsIn,
  fitViews,
  type Kernel,
  readPublished,
  viewsOf,
} from '@kontor/kernel';
import { type Actor, type Env, type Model, mayAccessModel, mayReadField } from '@kontor/orm';
import { type CustomiseData, type CustomiseScreenData, KontorError } from '@kontor/protocol';
import { canExtend } from './check-author.ts';
import { changesOf, checkCustomiser, customiseState } from './customise.ts';

const dayMs = 86_400_000;

/** What the dialogs for one model offer, with the author's rights. */
export async function describeCustomise(kernel: Kernel, actor: Actor, name: string): Promise<CustomiseData> {
  checkCustomiser(actor);
  const { base, draft, document } = await customiseState(kernel);
  const published = await readPublished(kernel.database);
  const deleted = await deletedFields(kernel.database);
  const oldest = Date.now() - deletedDays * dayMs;
  return kernel.read(actor, async (env) => {
    const model = env.registry.models.get(name);
    if (!model || !mayAccessModel(env, model, 'read') || !canExtend(model))
      throw new KontorError('MODEL_NOT_FOUND', undefined, { model: name.slice(0, 80) });
    const say = env.registry.wordsIn(actor.lang);
    const labelOf = (each: string) => env.registry.models.get(each)?.label ?? each;
    return {
      ...{ base, draft, model: name, label: model.label },
      fields: fieldsIn(document, name),
      deleted: deleted
        .filter((each) => each.model === name && each.at.getTime() > oldest && !fieldIn(document, name, each.name))
        .map((each) => ({ name: each.name, until: new Date(each.at.getTime() + deletedDays * dayMs).toISOString() })),
      waiting: draft === 0 ? [] : describeChanges(published.document, document, labelOf).map((each) => say(each)),
      limits: customLimits,
      ...(await choicesIn(env)),
      models: targetsIn(env),
      currencies: currenciesIn(env, model),
      words: document.words,
    };
  });
}

async function choicesIn(env: Env): Promise<Pick<CustomiseData, 'languages' | 'groups'>> {
  const langs = await env.model('core.lang').searchRead([['active', '=', true]], ['code', 'name']);
  const groups = await env.model('core.group').searchRead([], ['key', 'display_name'], { order: 'name' });
  return {
    languages: langs.map(({ code, name }) => ({ code: String(code), label: String(name) })),
    groups: groups.flatMap(({ key, display_name: label }) => (key ? [{ key: String(key), label: String(label) }] : [])),
  };
}

/** Models that a link of the author may point at. */
function targetsIn(env: Env): CustomiseData['models'] {
  return [...env.registry.models.values()]
    .filter((model) => canExtend(model) && mayAccessModel(env, model, 'read'))
    .map(({ name, label }) => ({ name, label }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}

function currenciesIn(env: Env, model: Model): CustomiseData['currencies'] {
  return [...model.fields.values()]
    .filter((field) => field.spec.relation === 'core.currency' && field.kind.isToOne && mayReadField(env, field))
    .map(({ name, label }) => ({ name, label }));
}

/** Parts of the published customisation that do not fit the installed modules and are left out. */
export async function unfittingParts(kernel: Kernel): Promise<readonly DocumentProblem[]> {
  const { document } = await readPublished(kernel.database);
  return kernel.inspectModules(async ({ tx, catalogue, envFor }) => {
    const { loaded } = kernel;
    const { problems } = await fitViews(viewsOf(loaded, catalogue, envFor(loaded.registry, tx).sudo()), document);
    return [...loaded.custom.skipped, ...problems];
  });
}

const mostRevisions = 200;

/** The revisions, what waits in the draft, and what does not fit the installed modules. */
export async function customiseScreen(kernel: Kernel, actor: Actor): Promise<CustomiseScreenData> {
  checkCustomiser(actor);
  const { base, draft, document } = await customiseState(kernel);
  const published = await readPublished(kernel.database);
  const attention = await unfittingParts(kernel);
  return kernel.read(actor, async (env) => {
    const say = env.registry.wordsIn(actor.lang);
    const labelOf = (each: string) => env.registry.models.get(each)?.label ?? each;
    const rows = await env
      .sudo()
      .model('sys.custom.revision')
      .searchRead([], ['number', 'note', 'changes', 'create_date', 'author_id.name'], {
        limit: mostRevisions,
      });
    return {
      ...{ base, draft },
      waiting: draft === 0 ? [] : describeChanges(published.document, document, labelOf).map((each) => say(each)),
      attention: attention.map(({ at, message }) => ({ at, message: say(message) })),
      revisions: rows.map((row) => ({
        number: row.number as number,
        author: String(row['author_id.name'] ?? ''),
        at: String(row.create_date),
        note: String(row.note ?? ''),
        changes: changesOf(row.changes).map((each) => say(each)),
      })),
    };
  });
}
