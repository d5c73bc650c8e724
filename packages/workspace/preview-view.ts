import type { Kernel } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { type DevViewNode, KontorError, type Translate, text, type WorkspacePayload } from '@kontor/protocol';
import { originOf, viewTree } from '@kontor/views';
import { buildWorkspace, type WorkspaceCaller } from './build-workspace.ts';
import { findView, viewSources } from './interface/find-view.ts';
import { type Interface, inGroups, interfaceIn, type ViewRow, viewsKey } from './interface/load-interface.ts';
import { readWorkspaceQuery } from './query/workspace-query.ts';

/** The written view that a user sees of a model; null if theirs is generated or has no name. */
export async function shownView(kernel: Kernel, actor: Actor, model: string, type: string): Promise<ViewRow | null> {
  const { views } = await interfaceIn(kernel, actor.lang);
  const family = views.get(viewsKey(model, type)) ?? [];
  const base = family.find((view) => view.inheritId === null && inGroups(view.groups, actor));
  return base?.key ? base : null;
}

/** Changes of a view that are not stored yet. */
export interface PreviewedView {
  readonly base: ViewRow;
  /** The module whose inherit of the view is replaced. */
  readonly module: string;
  /** The `<inherit>`; null: without it. */
  readonly arch: string | null;
  /** Translations of its texts that are not published yet, by language and text. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A workspace as it would be with changes of its view, and the elements of that view. */
export async function previewView(
  kernel: Kernel,
  caller: WorkspaceCaller,
  previewed: PreviewedView,
  place: { readonly action: string; readonly id: number },
): Promise<{ readonly workspace: WorkspacePayload; readonly root: DevViewNode }> {
  const { base } = previewed;
  const { actor } = caller;
  const query = readWorkspaceQuery({
    ...(place.action === '' ? {} : { action: place.action }),
    ...{ model: base.model, view_type: base.type, limit: '20' },
    ...(place.id > 0 ? { id: String(place.id) } : {}),
  });
  const change = (screens: Interface, lang: string) => withPreview(screens, previewed, lang);
  const workspace = await buildWorkspace(kernel, caller, query, (screens) => change(screens, actor.lang));
  const [written, shown] = await Promise.all([interfaceIn(kernel, 'en_US'), interfaceIn(kernel, actor.lang)]);
  const root = await kernel.read(
    actor,
    async (env) => {
      const screens = change(written, 'en_US');
      const view = findView(viewSources(kernel, env, screens), base.model, base.type);
      if (!view) throw new KontorError('NOT_FOUND', text('There is no view {view}.', { view: base.key }));
      const translated = findView(viewSources(kernel, env, change(shown, actor.lang)), base.model, base.type);
      const family = screens.views.get(viewsKey(base.model, base.type)) ?? [];
      return viewTree(view.node, translated?.node ?? view.node, (origin) => originOf(family, base, origin));
    },
    { isOutside: true },
  );
  return { workspace, root };
}

function withPreview(screens: Interface, { base, module, arch, words }: PreviewedView, lang: string): Interface {
  const key = viewsKey(base.model, base.type);
  const others = (screens.views.get(key) ?? []).filter((view) => view.module !== module || view.inheritId !== base.id);
  const own: ViewRow = { ...base, id: -1, key: `${module}.preview`, inheritId: base.id, priority: 1_000_000, module };
  const family = arch === null ? others : [...others, { ...own, arch, file: 'views', line: 1, groups: [] }];
  const said = words[lang] ?? {};
  const translate: Translate = (given, addon) => {
    const found = addon === module && typeof given === 'string' && Object.hasOwn(said, given) ? said[given] : undefined;
    return found ?? screens.translate(given, addon);
  };
  return { ...screens, views: new Map(screens.views).set(key, family), translate };
}
