import { type Kernel, modelIn } from '@kontor/kernel';
import { type Actor, customisable, type Env, type Model, mayAccessModel } from '@kontor/orm';
import { KontorError, type RightsScreenData } from '@kontor/protocol';
import { authorView } from '../author-view.ts';
import { checkCustomiser, customiseState } from '../customise.ts';
import { knownGroups } from './known-groups.ts';
import { modelRights, seesRules } from './model-rights.ts';
import { personRights } from './person-rights.ts';

export interface RightsAsked {
  /** Empty: none is chosen yet. */
  readonly model: string;
  /** 0: nobody. */
  readonly user: number;
  /** A record of the model; 0: none. */
  readonly id: number;
}

/** Who sees and does what with a model, and what a person would see of it: for people who may customise, of models that they may read. */
export async function rightsScreen(kernel: Kernel, actor: Actor, asked: RightsAsked): Promise<RightsScreenData> {
  checkCustomiser(actor);
  const { document } = await customiseState(kernel);
  return kernel.read(actor, async (env) => {
    const models = [...env.registry.models.values()].filter((model) => isShown(env, model));
    const chosen = models.find(({ name }) => name === asked.model);
    // People who may not read a model do not learn whether it exists.
    if (asked.model !== '' && !chosen)
      throw new KontorError('MODEL_NOT_FOUND', undefined, { model: asked.model.slice(0, 80) });
    const groups = await knownGroups(env);
    const added = modelIn(document, asked.model) !== undefined;
    return {
      models: models.map(({ name, label }) => ({ name, label })).sort((a, b) => (a.label < b.label ? -1 : 1)),
      model: chosen
        ? {
            ...(await modelRights(kernel, env, chosen, groups)),
            mayChange: added && authorView(env, document).mayAccess(chosen.name, 'write'),
            isAdministrator: seesRules(env),
          }
        : null,
      person: chosen && asked.user > 0 ? await personRights(env, chosen, groups, asked) : null,
    };
  });
}

/** Models with rows that people have rights on. */
function isShown(env: Env, model: Model): boolean {
  return customisable(model) !== 'nothing' && mayAccessModel(env, model, 'read');
}
