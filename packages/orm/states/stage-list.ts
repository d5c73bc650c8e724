import type { Env, Field, Model, Stages } from '../model/model.ts';
import type { WireRecord } from '../model/records.ts';
import { settleState } from '../operation/settle-state.ts';
import { searchRead } from '../reading/search-read.ts';

export interface Stage {
  readonly id: number;
  readonly state: string | null;
  /** Ids, one of which a record must refer to for the stage; empty: the stage is for all records. */
  readonly within: readonly number[];
  readonly isActive: boolean;
}
/** By id, in order. */
export type StageList = ReadonlyMap<number, Stage>;

/** The stages of a model as the server sees them, read once per operation. */
export async function stageList(env: Env, model: Model): Promise<StageList> {
  const stages = model.states?.stages;
  if (!stages) return new Map();
  const { memo, depth } = settleState(env);
  const key = `stages of ${model.name}`;
  const known = memo.get(key) as StageList | undefined;
  if (known) return known;
  const list = await readStages(env.sudo(), stages);
  if (depth > 0) memo.set(key, list);
  return list;
}

async function readStages(env: Env, { model: name, state, within }: Stages): Promise<StageList> {
  const model = env.registry.model(name);
  const stored = [...model.fields.values()].filter(({ isStored, kind }) => isStored && !kind.isFile);
  const names = new Set([...stored.map((field) => field.name), ...(within ? [within.stage] : [])]);
  const rows = await searchRead(env, model, [], [...names]);
  const asRecord = (row: WireRecord) => ({
    ...row,
    ...Object.fromEntries(stored.flatMap((field) => linked(field, row))),
  });
  return new Map(
    rows.map((row) => {
      const isActive = !model.hasActive || row.active === true;
      return [row.id, { id: row.id, state: state(asRecord(row)), within: ownersOf(row, within), isActive }];
    }),
  );
}

/** A relation as a record with only its id. */
function linked({ name, kind }: Field, row: WireRecord): [string, { readonly id: number } | null][] {
  if (!kind.isToOne) return [];
  return [[name, row[name] === null ? null : { id: row[name] as number }]];
}

function ownersOf(row: WireRecord, within: Stages['within']): readonly number[] {
  const owners = within ? row[within.stage] : null;
  if (owners === null || owners === undefined) return [];
  return Array.isArray(owners) ? owners : [owners as number];
}

/** Whether records that refer to `own` may be in the stage. */
export function fits(stage: Stage, own: number | null): boolean {
  return stage.within.length === 0 || (own !== null && stage.within.includes(own));
}

/** The first stage of a state. */
export function firstStage(
  list: StageList,
  { ownFirst }: Stages,
  state: string | null,
  own: number | null,
): Stage | undefined {
  const usable = [...list.values()].filter((stage) => stage.isActive && stage.state === state && fits(stage, own));
  return (ownFirst ? usable.find((stage) => stage.within.length > 0) : undefined) ?? usable[0];
}
