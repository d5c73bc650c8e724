import { type Env, UserError } from '@kontor/addon';

export interface Stage {
  readonly id: number;
  readonly isDone: boolean;
  /** Empty: of every project. */
  readonly projectIds: readonly number[];
}
/** In their order. */
export type Stages = ReadonlyMap<number, Stage>;

export async function loadStages(env: Env): Promise<Stages> {
  const rows = await env.sudo().model('project.stage').searchRead([], ['is_done', 'project_ids']);
  return new Map(rows.map(({ id, is_done, project_ids }) => [id, { id, isDone: is_done, projectIds: project_ids }]));
}

/** Whether tasks of a project may stand there. */
export function fits({ projectIds }: Stage, projectId: number): boolean {
  return projectIds.length === 0 || projectIds.includes(projectId);
}

/** A project's own stages come before the shared ones, whatever their numbers say. */
function stageOf(stages: Stages, projectId: number, isDone: boolean): Stage | undefined {
  const usable = [...stages.values()].filter((stage) => stage.isDone === isDone && fits(stage, projectId));
  return usable.find((stage) => stage.projectIds.length > 0) ?? usable[0];
}

export function firstStage(stages: Stages, projectId: number): Stage {
  const first = stageOf(stages, projectId, false);
  if (!first) throw new UserError('This project has no stage to begin with. Add one under Configuration, Stages.');
  return first;
}

/** Undefined: done tasks stay where they are. */
export function doneStage(stages: Stages, projectId: number): Stage | undefined {
  return stageOf(stages, projectId, true);
}
