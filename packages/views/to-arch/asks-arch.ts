import type { Field, Model } from '@kontor/orm';
import type { AsksArch } from '@kontor/protocol';
import { nodeMaker } from '../generate/make-node.ts';
import type { ViewNode } from '../view-node.ts';
import { archFields } from './arch-fields.ts';
import { type ArchScope, noPaths } from './arch-scope.ts';

/** The dialog of an action: laid out by a form, or one field below the other. Null if nothing is asked. */
export function asksArch(scope: ArchScope, asks: ReadonlyMap<string, Field>, form?: ViewNode): AsksArch | null {
  if (asks.size === 0) return null;
  const model = asksModel(scope.model, asks);
  const dialog = {
    ...scope,
    model,
    fields: new Set<Field>(),
    paths: noPaths(),
    loadsFiles: false,
    depth: scope.depth + 1,
  };
  const make = nodeMaker(scope.model);
  const nodes = form?.children ?? [...asks.keys()].map((name) => make('field', { name }));
  const children = scope.bodyOf(dialog, nodes);
  return { fields: archFields(dialog), children };
}

/** The questions of an action as a model: the dialog is a form of its fields. */
export function asksModel(model: Model, asks: ReadonlyMap<string, Field>): Model {
  return { ...model, fields: asks, onchange: new Map(), states: null, chatter: null, hasActive: false };
}
