import { type Decimal, type Env, UserError } from '@kontor/addon';

export interface Stage {
  readonly id: number;
  readonly isWon: boolean;
  readonly probability: Decimal;
  readonly teamId: number | null;
}
/** In their order. */
export type Stages = ReadonlyMap<number, Stage>;

export async function loadStages(env: Env): Promise<Stages> {
  const rows = await env.sudo().model('crm.stage').searchRead([], ['is_won', 'probability', 'team_id']);
  return new Map(
    rows.map(({ id, is_won, probability, team_id }) => [id, { id, isWon: is_won, probability, teamId: team_id }]),
  );
}

/** The stages that a team works with: its own and those of all. */
function stagesOf(stages: Stages, teamId: number | null | undefined): readonly Stage[] {
  return [...stages.values()].filter((stage) => stage.teamId === null || stage.teamId === teamId);
}

export function firstStage(stages: Stages, teamId: number | null | undefined): Stage {
  const first = stagesOf(stages, teamId).find((stage) => !stage.isWon);
  if (!first) throw new UserError('There is no stage to begin with. Add one under Configuration, Stages.');
  return first;
}

export function wonStage(stages: Stages, teamId: number | null | undefined): Stage {
  const won = stagesOf(stages, teamId).find((stage) => stage.isWon);
  if (!won) throw new UserError('There is no stage for what is won. Mark one as won under Configuration, Stages.');
  return won;
}
