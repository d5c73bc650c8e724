import type { Kernel } from '@kontor/kernel';
import { type Actor, checkModelAccess } from '@kontor/orm';
import { type DevView, KontorError, text } from '@kontor/protocol';
import { baseOf, originOf, viewTree } from '@kontor/views';
import { findView, viewSources } from './find-view.ts';
import { inGroups, interfaceIn, viewsKey } from './load-interface.ts';

/** The view of a model as the user sees it, with the origin of each element. */
export async function viewOrigins(kernel: Kernel, actor: Actor, model: string, type: string): Promise<DevView> {
  const [written, shown] = await Promise.all([interfaceIn(kernel, 'en_US'), interfaceIn(kernel, actor.lang)]);
  return kernel.read(
    actor,
    async (env) => {
      const known = env.registry.model(model);
      checkModelAccess(env, known, 'read');
      const view = findView(viewSources(kernel, env, written), model, type);
      if (!view) {
        const message = text('{model} has no {type} view, and no fields for one.', { model: known.label, type });
        throw new KontorError('NOT_FOUND', message, { model, view_type: type });
      }
      const translated = findView(viewSources(kernel, env, shown), model, type)?.node ?? view.node;
      const all = written.views.get(viewsKey(model, type)) ?? [];
      const family = all.filter((each) => inGroups(each.groups, actor));
      const base = family.find(({ inheritId }) => inheritId === null);
      return {
        view: base?.key ?? '',
        extensions: family.filter((each) => each !== base && baseOf(all, each.id) === base).map(({ key }) => key),
        root: viewTree(view.node, translated, (place) => (base ? originOf(family, base, place) : '')),
      };
    },
    { isOutside: true },
  );
}
