import { type LoadedRecord, mayAccessModel } from '@kontor/orm';
import type { Arch, StageStep } from '@kontor/protocol';
import type { ViewRequest } from './view-request.ts';

const maxSteps = 200;

/** The stages of the model's states, each with its state, for the status bar and for cards that are dragged. One statement. */
export async function stageSteps({ env, model, arch }: ViewRequest): Promise<Pick<Arch, 'states'>> {
  const stages = model.states?.stages;
  if (!stages || !arch.states?.stages) return {};
  const related = env.registry.model(stages.model);
  if (!mayAccessModel(env, related, 'read')) return {};
  const stored = [...related.fields.values()].filter((field) => field.column !== null && !field.spec.groups);
  const paths = new Set(['display_name', ...stored.map((field) => field.name)]);
  if (stages.within) paths.add(stages.within.stage);
  const active = related.hasActive ? [['active', '=', true] as const] : [];
  const rows = await env.model(related.name).searchRead(active, [...paths], { limit: maxSteps });
  const steps = rows.flatMap((row): StageStep[] => {
    const state = stages.state(row as LoadedRecord);
    const within = stages.within === null ? [] : [row[stages.within.stage] ?? []].flat();
    if (state === null) return [];
    const only = within.length > 0 && { within: within as number[] };
    return [{ id: row.id, label: String(row.display_name ?? ''), state, ...only }];
  });
  return { states: { ...arch.states, stages: { ...arch.states.stages, steps } } };
}
