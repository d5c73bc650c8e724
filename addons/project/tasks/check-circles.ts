import { type Env, ValidationError } from '@kontor/addon';

/**
 * A task waits for those it depends on and for its subtasks. Where that leads back to itself nobody could ever finish, so it
 * is refused. One statement for each step of the longest way.
 */
export async function checkCircles(env: Env, ids: readonly number[]): Promise<void> {
  const awaited = await awaitedBy(env, ids);
  const isClear = new Set<number>();
  for (const start of ids) {
    if (leadsBack(start, awaited, isClear)) {
      throw new ValidationError({
        depends_on_ids: ['A task cannot wait for itself, not even through others or its own subtasks.'],
      });
    }
  }
}

/** For every task within reach, what it waits for. */
async function awaitedBy(env: Env, ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const tasks = env.sudo().model('project.task');
  const awaited = new Map<number, readonly number[]>();
  let next = [...ids];
  while (next.length > 0) {
    const rows = await tasks.read(next, ['depends_on_ids', 'child_ids']);
    for (const row of rows) awaited.set(row.id, [...row.depends_on_ids, ...row.child_ids]);
    next = [...new Set(rows.flatMap((row) => awaited.get(row.id) ?? []))].filter((id) => !awaited.has(id));
  }
  return awaited;
}

/** Walks without recursion: chains of tasks may be long. */
function leadsBack(start: number, awaited: ReadonlyMap<number, readonly number[]>, isClear: Set<number>): boolean {
  const onWay = new Set<number>();
  const stack: { readonly id: number; readonly left: number[] }[] = [];
  const enter = (id: number) => {
    onWay.add(id);
    stack.push({ id, left: [...(awaited.get(id) ?? [])] });
  };
  enter(start);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const next = top.left.pop();
    if (next === undefined) {
      stack.pop();
      onWay.delete(top.id);
      isClear.add(top.id);
    } else if (onWay.has(next)) return true;
    else if (!isClear.has(next)) enter(next);
  }
  return false;
}
