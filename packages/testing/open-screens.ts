import { KontorError } from '@kontor/protocol';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import type { TestKernel } from './test-kernel.ts';

/**
 * Opens every window action of one or several modules in each of its views, new (if the actor may create one) and with a record,
 * and every board of an app; returns the failures.
 */
export async function openScreens(
  { kernel, work }: TestKernel,
  modules: string | readonly string[],
  actor: TestKernel['admin'],
): Promise<readonly string[]> {
  const [actions, boards] = await work(async (env) => [
    await env
      .sudo()
      .model('sys.action.window')
      .searchRead([['module', 'in', [modules].flat()]], ['name', 'view_mode']),
    await env
      .sudo()
      .model('sys.board')
      .searchRead([['user_id', '=', null]], ['name']),
  ]);
  const open = async (failures: string[], query: Readonly<Record<string, string>>, name: unknown) => {
    try {
      const asked = readWorkspaceQuery(query);
      return await buildWorkspace(kernel, { actor, csrf: 'token', lastWrite: null }, asked);
    } catch (error) {
      const isNewOnly = query.view_type === 'form' && query.id === undefined;
      if (isNewOnly && error instanceof KontorError && error.code === 'ACCESS_DENIED') return null;
      failures.push(`${name}, ${query.view_type} ${query.id ?? ''}: ${(error as Error).message}`);
      return null;
    }
  };
  const openAction = async ({ id, name, view_mode: modes }: (typeof actions)[number]): Promise<string[]> => {
    const failures: string[] = [];
    const query = { action: String(id) };
    let record: string | undefined;
    for (const viewType of String(modes).split(',')) {
      const payload = await open(failures, { ...query, view_type: viewType.trim() }, name);
      record ??= payload?.records[0]?.id === undefined ? undefined : String(payload.records[0].id);
    }
    if (record && String(modes).includes('form'))
      await open(failures, { ...query, view_type: 'form', id: record }, name);
    return failures;
  };
  const openBoard = async ({ id, name }: (typeof boards)[number]): Promise<string[]> => {
    const failures: string[] = [];
    const payload = await open(failures, { model: 'sys.board', view_type: 'form', id: String(id) }, name);
    for (const tile of payload?.arch.board?.tiles ?? []) {
      if (tile.error) failures.push(`${name}, tile ${tile.name}: ${tile.error.message}`);
    }
    return failures;
  };
  // In parallel, as users do: the database answers one while the next is prepared.
  return (await Promise.all([...actions.map(openAction), ...boards.map(openBoard)])).flat();
}
