import type { Stages } from '../model/model.ts';
import { firstStage, fits, type Stage, type StageList } from './stage-list.ts';

/** The state and stage of a record, and the stage that it left for another state. */
export interface Place {
  readonly state: string | null;
  readonly stage: number | null;
  readonly before: number | null;
}

/** The values of a write; undefined: not set. */
export interface Asked {
  readonly state: string | undefined;
  readonly stage: number | null | undefined;
}

export type StageFault = 'other state' | 'not for it' | 'none';

interface Question {
  readonly stages: Stages;
  readonly list: StageList;
  /** The value after the write of the many2one that determines which stages a record may be in. */
  readonly own: number | null;
  readonly isRequired: boolean;
}

/** State and stage change together, whichever of them is written. */
export function nextPlace(now: Place, asked: Asked, question: Question): Place | StageFault {
  if (asked.stage === undefined) return afterState(now, asked.state ?? now.state, question);
  return afterStage(now, asked.stage, asked.state, question);
}

function afterState(now: Place, state: string | null, { stages, list, own, isRequired }: Question): Place | StageFault {
  const old = list.get(now.stage ?? 0);
  const first = state === now.state ? undefined : firstStage(list, stages, state, own);
  if (first) {
    if (old?.state === state && fits(old, own)) return { ...now, state };
    const before = list.get(now.before ?? 0);
    const isBack = before?.isActive && before.state === state && fits(before, own);
    return { state, stage: isBack ? before.id : first.id, before: now.stage };
  }
  // In a state without stages a record keeps its stage.
  if (!old || fits(old, own)) return { ...now, state };
  const next = firstStage(list, stages, old.state, own);
  return !next && isRequired ? 'none' : { ...now, state, stage: next?.id ?? null };
}

function afterStage(
  now: Place,
  stage: number | null,
  state: string | undefined,
  { stages, list, own }: Question,
): Place | StageFault {
  const next = list.get(stage ?? 0);
  // An id that is not a stage is rejected with the other relations.
  if (!next) return { ...now, state: state ?? now.state, stage };
  if (!fits(next, own)) return 'not for it';
  const to = state ?? followed(now, next, list, stages, own);
  const isOther = next.state !== to && firstStage(list, stages, to, own) !== undefined;
  if (isOther) return 'other state';
  return { state: to, stage, before: to === now.state ? now.before : now.stage };
}

/** The state that belongs to a stage. In a state without stages, a stage of another state is only remembered. */
function followed(now: Place, next: Stage, list: StageList, stages: Stages, own: number | null): string | null {
  if (next.state === null || next.state === now.state) return now.state;
  const hasStages = firstStage(list, stages, now.state, own) !== undefined;
  return !hasStages && list.get(now.stage ?? 0)?.state === next.state ? now.state : next.state;
}
