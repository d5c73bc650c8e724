import { type Env, mayAccessModel, type TimelineEntry } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';

/** The record with the timeline. */
export interface Subject {
  readonly model: string;
  readonly id: number;
}

/** Of each model in a timeline, what is about its latest records is shown. */
const mostRecords = 500;

type AboutPaths = { readonly model: string; readonly id: string };

/**
 * Matches what is about the record, about those below it, or about the records in its timeline that people discuss, as far as the
 * reader may read them.
 */
export async function aboutDomain(
  env: Env,
  entries: readonly TimelineEntry[],
  subject: Subject,
  below: 'child_of' | '=',
): Promise<(paths: AboutPaths) => Domain> {
  const own: [string, Domain] = [subject.model, [['id', below, subject.id]]];
  const discussed = new Map<string, Domain>([own]);
  for (const { model, spec } of entries) {
    if (spec.of === undefined || model.chatter === null || !mayAccessModel(env, model, 'read')) continue;
    discussed.set(model.name, [[spec.of, below, subject.id]]);
  }
  const found = await Promise.all(
    [...discussed].map(async ([name, domain]) => {
      const rows = await env.model(name).searchRead(domain, ['id'], { order: '-id', limit: mostRecords });
      return { name, ids: rows.map(({ id }) => id) };
    }),
  );
  return ({ model, id }) => [
    ...found.slice(1).map(() => '|' as const),
    ...found.flatMap(({ name, ids }) => ['&' as const, [model, '=', name] as const, [id, 'in', ids] as const]),
  ];
}
