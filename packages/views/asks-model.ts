import type { Field, Model } from '@kontor/orm';

/** What an action asks, seen as a model: the dialog is a form of its fields. */
export function asksModel(model: Model, asks: ReadonlyMap<string, Field>): Model {
  return { ...model, fields: asks, onchange: new Map(), states: null, chatter: null, hasActive: false };
}
