import {
  type CustomDocument,
  customLimits,
  customModule,
  type DeletedParts,
  type DocumentProblem,
  deletedDays,
  deletedParts,
  describeChanges,
  fieldIn,
  fieldsIn,
  fitViews,
  type Kernel,
  linesField,
  modelIn,
  pendingParts,
  readPublished,
  standardFields,
  viewsOf,
} from '@kontor/kernel';
import { type Actor, type Env, mayReadField } from '@kontor/orm';
import { type CustomiseData, type CustomiseScreenData, KontorError } from '@kontor/protocol';
import { type AuthorView, authorView } from './author-view.ts';
import { changesOf, checkCustomiser, customiseState } from './customise.ts';

const dayMs = 86_400_000;

/** What the dialogs for one model offer, with the author's rights. Without a name: for a model that is to be added. */
export async function describeCustomise(kernel: Kernel, actor: Actor, name: string): Promise<CustomiseData> {
  checkCustomiser(actor);
  const { base, draft, document } = await customiseState(kernel);
  const published = await readPublished(kernel.database);
  const deleted = await deletedParts(kernel.database);
  const oldest = Date.now() - deletedDays * dayMs;
  return kernel.read(actor, async (env) => {
    const view = authorView(env, document);
    if (name !== '' && !(view.mayAccess(name, 'read') && view.canExtend(name)))
      throw new KontorError('MODEL_NOT_FOUND', undefined, { model: name.slice(0, 80) });
    const say = env.registry.wordsIn(actor.lang);
    const added = modelIn(document, name);
    return {
      ...{ base, draft, model: name, label: view.labelOf(name) ?? '' },
      fields: fieldsIn(document, name),
      deleted: deleted.fields
        .filter((each) => each.model === name && each.at.getTime() > oldest && !fieldIn(document, name, each.name))
        .map((each) => ({ name: each.name, until: new Date(each.at.getTime() + deletedDays * dayMs).toISOString() })),
      waiting: draft === 0 ? [] : describeChanges(published.document, document, labelsIn(env)).map((each) => say(each)),
      limits: customLimits,
      ...(await choicesIn(env)),
      models: targetsIn(env, document),
      currencies: currenciesIn(view, name, document),
      words: document.words,
      ...(added && { added, modelFields: fieldsOf(env, document, name) }),
      ...((name === '' || added) && {
        menus: (await menusIn(env, document)).filter(({ key }) => key !== `custom.${name}_app`),
      }),
      ...(name === '' && { taken: takenNames(env, document, deleted) }),
    };
  });
}

/** The fields of a model as far as screens of its author need them, published or not. */
function fieldsOf(env: Env, document: CustomDocument, name: string): NonNullable<CustomiseData['modelFields']> {
  const added = modelIn(document, name);
  const parts = Object.entries(document.models ?? {}).filter(([, { partOf }]) => partOf?.model === name);
  const running = [...(env.registry.models.get(name)?.fields.values() ?? [])].filter((each) => mayReadField(env, each));
  const all = new Map<string, { readonly type: string; readonly label?: string; readonly relation?: string }>([
    ...(added ? Object.entries(standardFields(name, added)) : []),
    ...parts.map(([part, { partOf }]) => {
      return [linesField(part), { type: 'one2many', label: partOf?.label ?? '', relation: part }] as const;
    }),
    ...running.map((each) => [each.name, { ...each.spec, label: each.label }] as const),
    ...Object.entries(fieldsIn(document, name)),
  ]);
  return [...all].map(([field, { type, label = field, relation }]) => ({
    ...{ name: field, type, label },
    ...(relation && { relation }),
  }));
}

/** Names that a new model cannot have: a deleted one has data under its name. */
function takenNames(env: Env, document: CustomDocument, { models }: DeletedParts): readonly string[] {
  const running = [...env.registry.models.keys()].filter((name) => name.startsWith('x_'));
  return [...new Set([...running, ...Object.keys(document.models ?? {}), ...models.map(({ model }) => model)])];
}

/** Menus that a new one can be under: those of apps and their groups, which the author sees. */
async function menusIn(env: Env, document: CustomDocument): Promise<NonNullable<CustomiseData['menus']>> {
  const rows = await env
    .sudo()
    .model('sys.menu')
    .searchRead([['parent_id', '=', null]], ['name', 'module', 'group_ids'], { order: 'sequence, id' });
  const ids = await env
    .sudo()
    .model('sys.model.data')
    .searchRead(
      [
        ['model', '=', 'sys.menu'],
        ['res_id', 'in', rows.map(({ id }) => id)],
      ],
      ['module', 'name', 'res_id'],
    );
  const say = env.registry.wordsIn(env.actor.lang);
  const keys = new Map(ids.map((row) => [Number(row.res_id), `${row.module}.${row.name}`]));
  const running = rows.flatMap(({ id, name, module }) => {
    const key = keys.get(id);
    return key === undefined ? [] : [{ key, label: say(String(name), String(module ?? '')) }];
  });
  const known = new Set(running.map(({ key }) => key));
  const drafts = Object.entries(document.models ?? {})
    .filter(([, { menu, partOf, retired }]) => !menu && !partOf && !retired)
    .map(([name, { plural }]) => ({ key: `custom.${name}_app`, label: plural }));
  return [...running, ...drafts.filter(({ key }) => !known.has(key))];
}

function labelsIn({ registry }: Env): (model: string) => string {
  return (model) => registry.models.get(model)?.label ?? model;
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
function targetsIn(env: Env, document: CustomDocument): CustomiseData['models'] {
  const view = authorView(env, document);
  const names = new Set([...env.registry.models.keys(), ...Object.keys(document.models ?? {})]);
  return [...names]
    .filter((name) => view.canExtend(name) && view.mayAccess(name, 'read'))
    .map((name) => ({ name, label: view.labelOf(name) ?? name }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}

function currenciesIn(view: AuthorView, name: string, document: CustomDocument): CustomiseData['currencies'] {
  const names = [
    ...(view.env.registry.models.get(name)?.fields.keys() ?? []),
    ...Object.keys(fieldsIn(document, name)),
  ];
  const own = [...new Set(names)].flatMap((field) => {
    const found = view.field(name, field);
    const isOne = found?.relation === 'core.currency' && found.mayRead;
    return isOne ? [{ name: field, label: found.label }] : [];
  });
  const company = modelIn(document, name)?.company || view.env.registry.models.get(name)?.hasCompany;
  const ofCompany = view.field('core.company', 'currency_id');
  return company && ofCompany?.mayRead ? [...own, { name: 'company_id.currency_id', label: ofCompany.label }] : own;
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
  const filling = await pendingParts(kernel.database);
  const deleted = await deletedParts(kernel.database);
  const oldest = Date.now() - deletedDays * dayMs;
  return kernel.read(actor, async (env) => {
    const say = env.registry.wordsIn(actor.lang);
    const labelOf = labelsIn(env);
    const view = authorView(env, document);
    const rows = await env
      .sudo()
      .model('sys.custom.revision')
      .searchRead([], ['number', 'note', 'changes', 'create_date', 'author_id.name'], {
        limit: mostRevisions,
      });
    return {
      ...{ base, draft },
      waiting: draft === 0 ? [] : describeChanges(published.document, document, labelOf).map((each) => say(each)),
      models: Object.entries(document.models ?? {}).map(([name, { plural, icon = '', retired = false }]) => ({
        ...{ name, label: say(plural, customModule), icon, retired },
        isPublished: env.registry.models.has(name),
        mayChange: view.mayAccess(name, 'write'),
        fields: Object.keys(fieldsIn(document, name)).length,
      })),
      deletedModels: deleted.models
        .filter(({ model, at }) => at.getTime() > oldest && !modelIn(document, model))
        .map(({ model, spec, at }) => ({
          ...{ name: model, label: spec.plural },
          until: new Date(at.getTime() + deletedDays * dayMs).toISOString(),
        })),
      limits: customLimits,
      filling,
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
