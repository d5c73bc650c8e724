import { exchangePart } from '@kontor/exchange';
import { kernelModels, type Part } from '@kontor/kernel';
import type { ModelDefinition } from '@kontor/orm';
import { workspacePart } from '@kontor/workspace';

/** What the running application consists of, beside its addons. */
export const systemParts: readonly Part[] = [workspacePart, exchangePart];

/**
 * The models of all parts. They belong to the module that lists them in its addon, `base`.
 *
 * @example
 * export default defineAddon({ models: [...systemModels] });
 */
export const systemModels: readonly ModelDefinition[] = [
  ...kernelModels,
  ...systemParts.flatMap(({ models }) => models),
];
