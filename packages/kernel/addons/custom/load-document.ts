import { type ComputeSpec, type FieldSpec, inheritModel, type ModelDefinition } from '@kontor/orm';
import { type ViewNode, writeXml } from '@kontor/views';
import type { Wordbook, Wordbooks } from '../../translations/read-wordbooks.ts';
import type { DataRecord } from '../data/data-record.ts';
import { inheritRecord } from '../data/xml-view-loader.ts';
import type { CustomChoice } from './choices.ts';
import { type CustomDocument, type CustomField, customModule } from './document.ts';
import { addedDefinitions } from './model-definitions.ts';
import { checkSpecs, moveSpecs, statesSpec } from './states.ts';
import { type CustomView, stepNode, viewNode } from './view-steps.ts';

/** The document as the definitions that `inheritModel` returns in the code of an addon. */
export function documentModels(document: CustomDocument): readonly ModelDefinition[] {
  const extensions = Object.entries(document.extends).map(([model, { fields, states, checks }]) =>
    inheritModel(model, {
      fields: {
        ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSpec(field)])),
        ...(states?.choices && { [states.field]: addedChoices(states.choices) }),
      },
      computes: Object.fromEntries(
        Object.entries(fields).flatMap(([name, { lines }]) =>
          lines ? [[name, { [lines.measure]: lines.path } as unknown as ComputeSpec] as const] : [],
        ),
      ),
      ...(states && { states: statesSpec(states), moves: moveSpecs(states) }),
      ...(checks && { constraints: checkSpecs(checks) }),
    }),
  );
  return [...addedDefinitions(document), ...extensions];
}

/** The choices of an extension are added to those that the field has. */
function addedChoices(choices: readonly CustomChoice[]): FieldSpec {
  return { type: 'selection', selection: choiceLabels(choices) };
}

function choiceLabels(choices: readonly CustomChoice[]): Readonly<Record<string, string>> {
  return Object.fromEntries(choices.map(({ value, label }) => [value, label]));
}

export function fieldSpec({ choices, retired: _, lines, ...spec }: CustomField): FieldSpec {
  return {
    ...(spec as FieldSpec),
    ...(lines && { computed: true, stored: true }),
    ...(choices && { selection: choiceLabels(choices) }),
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
  return viewNode('inherit', { view, priority: String(lastPriority) }, steps.map(stepNode));
}

/** The same as XML. */
export function inheritXml(view: CustomView): string {
  return writeXml(inheritNode(view));
}

/** The record that the file of an addon with this `<inherit>` would define. */
export function stepsRecord(view: CustomView): DataRecord {
  return inheritRecord({ place }, inheritNode(view));
}
