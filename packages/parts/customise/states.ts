import {
  assembleModules,
  type CustomChange,
  type CustomDocument,
  customModule,
  extensionIn,
  fieldIn,
  isOwnName,
  type Kernel,
  modelIn,
  modulesToChange,
  readModuleStates,
} from '@kontor/kernel';
import {
  type Actor,
  type ConditionSpec,
  type Env,
  type Field,
  type Model,
  type Move,
  mayReadField,
  mayWriteField,
  type Registry,
} from '@kontor/orm';
import { type CustomiseStatesData, KontorError, ValidationError } from '@kontor/protocol';
import { authorView } from './author-view.ts';
import { checkAuthor } from './check-author.ts';
import { changedDocument, checkCustomiser, customiseState, knownParts } from './customise.ts';

/** The states and moves of a model as they would be after the changes, for their picture. Nothing is stored. */
export async function customiseStates(
  kernel: Kernel,
  actor: Actor,
  name: string,
  changes: readonly CustomChange[],
): Promise<CustomiseStatesData> {
  checkCustomiser(actor);
  const { base, draft, document: stored } = await customiseState(kernel);
  const refused: string[] = [];
  const document = await attempt(
    () => changedDocument(kernel, stored, changes),
    stored,
    refused,
    kernel.wordsIn(actor.lang),
  );
  const known = await knownParts(kernel);
  const registry = await assembled(kernel, document, actor, refused, name);
  return kernel.read(actor, async (env) => {
    const view = authorView(env, document);
    if (!view.mayAccess(name, 'write') || !view.canExtend(name))
      throw new KontorError('MODEL_NOT_FOUND', undefined, { model: name.slice(0, 80) });
    await attempt(() => checkAuthor(env, known, document), undefined, refused, kernel.wordsIn(actor.lang));
    const model = registry.models.get(name);
    const running = env.registry.models.get(name);
    const own = extensionIn(document, name);
    return {
      ...{ base, draft, model: name, label: model?.label ?? view.labelOf(name) ?? '' },
      isAdded: modelIn(document, name) !== undefined,
      ...(await pictureOf(env, document, model, running)),
      fields: model ? fieldsOf(env, model) : [],
      own: own.states ?? null,
      checks: own.checks ?? [],
      problems: [...new Set(refused)],
    };
  });
}

type Say = ReturnType<Kernel['wordsIn']>;

/** Notes what is wrong instead of throwing it. */
async function attempt<T>(work: () => Promise<T>, otherwise: T, refused: string[], say: Say): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const fields = (error.details?.fields ?? {}) as Readonly<Record<string, readonly Parameters<Say>[0][]>>;
    refused.push(
      ...Object.values(fields)
        .flat()
        .map((message) => say(message)),
    );
    return otherwise;
  }
}

async function assembled(
  kernel: Kernel,
  document: CustomDocument,
  actor: Actor,
  refused: string[],
  name: string,
): Promise<Registry> {
  const next = await kernel.inspectModules(async (context) => {
    const present = modulesToChange(context.catalogue, await readModuleStates(context.tx));
    return assembleModules({ ...context, publishedOf: async () => ({ number: 0, document }) }, present);
  });
  const say = kernel.wordsIn(actor.lang);
  for (const { at, message } of next.custom.skipped)
    if (at === name || at.startsWith(`${name}.`)) refused.push(say(message));
  return next.registryIn(actor.lang);
}

async function pictureOf(
  env: Env,
  document: CustomDocument,
  model: Model | undefined,
  running: Model | undefined,
): Promise<Pick<CustomiseStatesData, 'field' | 'states' | 'moves' | 'conditions'>> {
  const states = model?.states;
  if (!model || !states) return { field: null, states: [], moves: [], conditions: [] };
  const field = model.fields.get(states.field) as Field;
  const own = extensionIn(document, model.name).states;
  const looks = new Map(
    [...(fieldIn(document, model.name, field.name)?.choices ?? []), ...(own?.choices ?? [])].map(({ value, look }) => [
      value,
      look,
    ]),
  );
  const counts = await countsOf(env, running, field.name);
  const isOwnField = field.module === customModule;
  return {
    field: { name: field.name, label: field.label, isOwn: isOwnField },
    states: [...(field.selection ?? [])].map(([value, label]) => ({
      ...{ value, label, look: looks.get(value) ?? null, isOwn: isOwnField || isOwnName(value) },
      isInitial: states.initial.has(value),
      isRemovable: states.removable?.has(value) ?? true,
      isAbandoned: states.abandoned.has(value),
      locks: [...(states.locks.get(value) ?? [])],
      count: counts?.get(value) ?? (counts ? 0 : null),
    })),
    moves: [...states.moves.values()].flat().map(moveOf),
    conditions: [...states.conditions].map(([name, spec]) => conditionOf(name, spec)),
  };
}

function moveOf(move: Move): CustomiseStatesData['moves'][number] {
  const { name, label, from, to, needs, sets, groups, module, run, asks, isDangerous } = move;
  return {
    ...{ name, label, to, needs, isDanger: isDangerous },
    from: [...from],
    sets: [...sets.keys()],
    groups: groups ?? [],
    isOwn: module === customModule,
    does: run !== null || sets.size > 0 || asks.size > 0,
  };
}

function conditionOf(name: string, { message, formula }: ConditionSpec): CustomiseStatesData['conditions'][number] {
  return { name, message, ...(formula && { formula }), isOwn: isOwnName(name) };
}

/** How many records that the author sees are in each state; null: it is not published. */
async function countsOf(
  env: Env,
  running: Model | undefined,
  field: string,
): Promise<ReadonlyMap<string, number> | null> {
  if (!running?.fields.get(field)?.isStored) return null;
  const rows = await env
    .model(running.name)
    .readGroup({ domain: [], groupby: [field], fields: [{ name: 'n', field: 'id', measure: 'count' }] });
  return new Map(rows.map((row) => [String(row[field]), Number(row.n)]));
}

/** What can be locked, set and read. */
function fieldsOf(env: Env, model: Model): CustomiseStatesData['fields'] {
  return [...model.fields.values()]
    .filter((field) => mayReadField(env, field) && field.name !== 'id')
    .map((field) => ({
      ...{ name: field.name, label: field.label, type: field.spec.type },
      canSet:
        field.isStored &&
        field.compute === null &&
        field.related === null &&
        (field.module === customModule || mayWriteField(env, field)),
    }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}
