import { type AccessPolicy, type Env, mayAccessModel } from '@kontor/orm';
import { KontorError, type LruCache, lruCache, text } from '@kontor/protocol';
import { type ArchOutput, toArch, viewerOf } from '@kontor/views';
import { findStoredView, findView, type ViewSources } from '../interface/find-view.ts';
import { type Interface, inGroups, type WindowAction } from '../interface/load-interface.ts';

/** Archs depend only on views, rights, groups and language, so users with the same groups and language share them. */
const archs = new WeakMap<Interface, WeakMap<AccessPolicy, LruCache<string, ArchOutput>>>();
const maxArchs = 5_000;

/** The description from which the client draws a view of a model, for the user of the env. */
export function viewArch(env: Env, sources: ViewSources, model: string, type: string): ArchOutput {
  const view = findView(sources, model, type);
  if (!view) {
    const { label } = env.registry.model(model);
    throw new KontorError(
      'NOT_FOUND',
      text('{model} has no {type} view, and no fields for one.', { model: label, type }),
      {
        model,
        view_type: type,
      },
    );
  }
  const search = findStoredView(sources, model, 'search');
  const known = archsOf(sources.screens, env.policy);
  const key = [env.registry.version, view.key, search?.key ?? '', groupsKey(env)].join('|');
  const kept = known.get(key);
  if (kept) return kept;
  const made = toArch({
    view: view.node,
    search: search?.node ?? null,
    registry: env.registry,
    viewer: viewerOf(env),
    translate: sources.screens.translate,
    viewFor: (related, kind) => findStoredView(sources, related, kind)?.node ?? null,
    mayOpen: (action) => mayOpen(env, sources.screens, action),
    targetOf: (action) => actionNamed(sources.screens, action)?.target ?? 'current',
  });
  known.set(key, made);
  return made;
}

function mayOpen(env: Env, screens: Interface, name: string): boolean {
  const action = actionNamed(screens, name);
  const model = action && env.registry.models.get(action.model);
  return (
    action !== undefined &&
    model !== undefined &&
    inGroups(action.groups, env.actor) &&
    mayAccessModel(env, model, 'read')
  );
}

function actionNamed(screens: Interface, name: string): WindowAction | undefined {
  return screens.actions.get(screens.actionIds.get(name) ?? Number(name));
}

function archsOf(screens: Interface, policy: AccessPolicy): LruCache<string, ArchOutput> {
  const byPolicy = archs.get(screens) ?? new WeakMap<AccessPolicy, LruCache<string, ArchOutput>>();
  archs.set(screens, byPolicy);
  const known = byPolicy.get(policy) ?? lruCache<string, ArchOutput>(maxArchs);
  byPolicy.set(policy, known);
  return known;
}

const keys = new WeakMap<ReadonlySet<string>, string>();

function groupsKey({ actor }: Env): string {
  const known = keys.get(actor.groups);
  if (known !== undefined) return known;
  const key = [...actor.groups].sort().join();
  keys.set(actor.groups, key);
  return key;
}
