import { readAttribute } from '../grammar/attribute-value.ts';
import { tagSpec } from '../grammar/grammar.ts';
import type { ViewNode } from '../view-node.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The attributes of a node as the grammar reads them, under the names that the arch has for them (`all-day` is `allDay`). */
export function valuesOf(node: ViewNode, kind: string): Values {
  const { attributes } = tagSpec(kind);
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(node.attributes)) {
    const spec = attributes[name];
    if (spec) values[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] = readAttribute(spec, text);
  }
  return values;
}

/** Those of the values that are there, for the keys of an arch node. */
export function pick<Shape>(values: Values, keys: readonly (keyof Shape & string)[]): Partial<Shape> {
  const entries = keys.filter((key) => values[key] !== undefined).map((key) => [key, values[key]]);
  return Object.fromEntries(entries) as Partial<Shape>;
}
