import { type FieldSpec, inheritModel, type ModelDefinition } from '@kontor/orm';
import type { ViewNode } from '@kontor/views';
import type { Wordbook, Wordbooks } from '../../translations/read-wordbooks.ts';
import type { DataRecord } from '../data/data-record.ts';
import { inheritRecord } from '../data/xml-view-loader.ts';
import { type CustomDocument, type CustomField, type CustomView, customModule, type ViewStep } from './document.ts';

/** The document as the definitions that `inheritModel` returns in the code of an addon. */
export function documentModels(document: CustomDocument): readonly ModelDefinition[] {
  return Object.entries(document.extends).map(([model, { fields }]) =>
    inheritModel(model, {
      fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSpec(field)])),
    }),
  );
}

export function fieldSpec({ choices, retired: _, ...spec }: CustomField): FieldSpec {
  return {
    ...(spec as FieldSpec),
    ...(choices && { selection: Object.fromEntries(choices.map(({ value, label }) => [value, label])) }),
  };
}

const noWords: ReadonlyMap<string, string> = new Map();

export function documentWords({ words }: CustomDocument): Wordbooks {
  return new Map(
    Object.entries(words).map(([lang, said]): [string, Wordbook] => [
      lang,
      { words: new Map(Object.entries(said)), clientWords: noWords, dataWords: noWords, importWords: noWords },
    ]),
  );
}

/** After the inherits of all addons. */
const lastPriority = 1_000_000;
const place = { addon: customModule, file: 'views', line: 1 };

/** The `<inherit>` of a view, as an addon would write it. */
export function inheritNode({ view, steps }: CustomView): ViewNode {
  return node('inherit', { view, priority: String(lastPriority) }, steps.map(stepNode));
}

/** The record that the file of an addon with this `<inherit>` would define. */
export function viewRecord(view: CustomView): DataRecord {
  return inheritRecord({ place }, inheritNode(view));
}

function stepNode(step: ViewStep): ViewNode {
  const content =
    step.position === 'attributes'
      ? Object.entries(step.attributes).map(([name, value]) => node('attribute', { name }, [], value))
      : step.fields.map(({ name, widget, options, optional }) =>
          node('field', {
            name,
            ...(widget && { widget }),
            ...(options && { options: JSON.stringify(options) }),
            ...(optional && { optional }),
          }),
        );
  return node('xpath', { expr: step.expr, position: step.position }, content);
}

function node(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly ViewNode[] = [],
  text = '',
): ViewNode {
  return { tag, attributes, text, children, place };
}
