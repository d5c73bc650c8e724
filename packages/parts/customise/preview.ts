import {
  type CustomChange,
  type CustomDocument,
  type CustomView,
  customModule,
  fieldsIn,
  fitViews,
  inheritXml,
  type Kernel,
  mentions,
  viewsOf,
} from '@kontor/kernel';
import {
  type Actor,
  customisable,
  type Env,
  type Model,
  mayAccessModel,
  mayReadField,
  relatedModel,
} from '@kontor/orm';
import { type CustomisePreview, KontorError, type Text, text } from '@kontor/protocol';
import { previewView, shownView, type WorkspaceCaller } from '@kontor/workspace';
import { changedDocument, checkCustomiser, customiseState } from './customise.ts';

/** View types that the editor can change. */
const editable: readonly string[] = ['form', 'list', 'kanban'];

export interface PreviewRequest {
  readonly model: string;
  readonly type: string;
  readonly changes: readonly CustomChange[];
  /** A language that is in use; empty: that of the author. */
  readonly lang: string;
  readonly action: string;
  readonly id: number;
}

/** A screen as it would be after the changes, for its editor. Nothing is stored. */
export async function previewScreen(
  kernel: Kernel,
  caller: WorkspaceCaller,
  { model: name, type, changes, lang, action, id }: PreviewRequest,
): Promise<CustomisePreview> {
  checkCustomiser(caller.actor);
  const base = editable.includes(type) ? await shownView(kernel, caller.actor, name, type) : null;
  const actor = await actorIn(kernel, caller.actor, lang);
  const { base: revision, draft, document: stored } = await customiseState(kernel);
  const document = await changedDocument(kernel, stored, changes);
  const { limits, fields, columns } = await kernel.read(actor, async (env) => {
    const model = env.registry.models.get(name);
    if (!model || !mayAccessModel(env, model, 'write') || customisable(model) !== 'all') throw notEditable(name);
    return { limits: model, fields: fieldsFor(env, model), columns: columnsFor(env, model) };
  });
  if (!base) throw new KontorError('USER_ERROR', text('This screen has no view of its own that could be changed.'));
  const own = document.views.find(({ view }) => view === base.key) ?? { view: base.key, steps: [] };
  const { kept, waiting } = withoutWaiting(document, own, limits);
  const { views, problems } = await fit(kernel, document, kept);
  const arch = views[0] ? inheritXml(views[0]) : null;
  const previewed = { base, module: customModule, arch, words: document.words };
  const { workspace, root } = await previewView(kernel, { ...caller, actor }, previewed, { action, id });
  const say = kernel.wordsIn(caller.actor.lang);
  const messages: readonly Text[] = [...problems.map(({ message }) => message), ...waiting];
  return {
    ...{ base: revision, draft, view: base.key, workspace, root, fields, columns },
    steps: own.steps.length,
    problems: messages.map((message) => say(message)),
    words: document.words,
  };
}

function notEditable(model: string): KontorError {
  return new KontorError('MODEL_NOT_FOUND', undefined, { model: model.slice(0, 80) });
}

async function actorIn(kernel: Kernel, actor: Actor, lang: string): Promise<Actor> {
  if (lang === '' || lang === actor.lang) return actor;
  const known = await kernel.read(actor, (env) =>
    env
      .sudo()
      .model('core.lang')
      .searchRead(
        [
          ['code', '=', lang],
          ['active', '=', true],
        ],
        ['code'],
      ),
  );
  return known.length > 0 ? { ...actor, lang } : actor;
}

/** Fields of the draft have no column yet, so the preview cannot read them. */
function withoutWaiting(
  document: CustomDocument,
  view: CustomView,
  { name, fields }: Model,
): { readonly kept: CustomView; readonly waiting: readonly Text[] } {
  const waiting = Object.entries(fieldsIn(document, name)).filter(([field]) => !fields.has(field));
  const kept = view.steps.filter((step) => !waiting.some(([field]) => mentions(step, field)));
  return {
    kept: { ...view, steps: kept },
    waiting: waiting.map(([, { label }]) => text('"{label}" is shown after it is published.', { label })),
  };
}

function fit(kernel: Kernel, document: CustomDocument, view: CustomView) {
  return kernel.inspectModules(({ tx, catalogue, envFor }) => {
    const { loaded } = kernel;
    const check = viewsOf(loaded, catalogue, envFor(loaded.registry, tx).sudo());
    return fitViews(check, { ...document, views: view.steps.length === 0 ? [] : [view] });
  });
}

/** What the palette offers: what the author may read and a screen can show. */
function fieldsFor(env: Env, model: Model): CustomisePreview['fields'] {
  return [...model.fields.values()]
    .filter((field) => mayReadField(env, field) && field.name !== 'id')
    .map(({ name, label, spec, module, required }) => ({
      ...{ name, label, type: spec.type, isOwn: module === customModule, isRequired: required },
    }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}

/** The lines of a screen have fields of another model. */
function columnsFor(env: Env, model: Model): CustomisePreview['columns'] {
  const readable = (one: Model) => [...one.fields.values()].filter((field) => mayReadField(env, field));
  const columns = readable(model).flatMap((lines) => {
    const of = lines.kind.isList ? relatedModel(env.registry, lines) : null;
    if (!of || !mayAccessModel(env, of, 'read')) return [];
    return readable(of).map(({ name, label }) => [`${lines.name}.${name}`, label]);
  });
  return Object.fromEntries(columns);
}
