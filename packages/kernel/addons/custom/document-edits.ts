import { textsOfModel } from './added-model.ts';
import type { CustomDocument } from './document.ts';
import { textsOfStates } from './states.ts';
import { type CustomView, textsIn, type ViewStep } from './view-steps.ts';

export type Words = CustomDocument['words'];

export function withStep(document: CustomDocument, view: string, step: ViewStep): CustomDocument {
  return withSteps(document, view, (known) => [...known, step]);
}

export function withSteps(
  document: CustomDocument,
  view: string,
  change: (known: readonly ViewStep[]) => readonly ViewStep[],
): CustomDocument {
  const isThere = document.views.some((each) => each.view === view);
  const views = (isThere ? document.views : [...document.views, { view, steps: [] }]).map((each) =>
    each.view === view ? { ...each, steps: change(each.steps) } : each,
  );
  return { ...document, views: views.filter(({ steps }) => steps.length > 0) };
}

export function mapSteps(document: CustomDocument, change: (step: ViewStep) => readonly ViewStep[]): CustomDocument {
  const views = document.views
    .map((view): CustomView => ({ ...view, steps: view.steps.flatMap(change) }))
    .filter(({ steps }) => steps.length > 0);
  return { ...document, views };
}

export function withWords(document: CustomDocument, words: Words = {}): CustomDocument {
  const merged = Object.entries(words).map(([lang, said]) => [lang, { ...document.words[lang], ...said }] as const);
  return { ...document, words: { ...document.words, ...Object.fromEntries(merged) } };
}

/** Without translations of texts that nothing has any more. */
export function pruned(document: CustomDocument): CustomDocument {
  const used = new Set(
    Object.values(document.extends)
      .flatMap(({ fields }) => Object.values(fields))
      .flatMap(({ label, help = '', choices = [] }) => [label, help, ...choices.map((choice) => choice.label)]),
  );
  for (const { states, checks = [] } of Object.values(document.extends)) {
    for (const value of states ? textsOfStates(states) : []) used.add(value);
    for (const { message } of checks) used.add(message);
  }
  for (const model of Object.values(document.models ?? {})) for (const value of textsOfModel(model)) used.add(value);
  for (const step of document.views.flatMap(({ steps }) => steps)) for (const value of textsIn(step)) used.add(value);
  const words = Object.entries(document.words).flatMap(([lang, said]) => {
    const left = Object.entries(said).filter(([english]) => used.has(english));
    return left.length === 0 ? [] : [[lang, Object.fromEntries(left)] as const];
  });
  return { ...document, words: Object.fromEntries(words) };
}
