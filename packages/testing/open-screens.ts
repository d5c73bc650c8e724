import { KontorError } from '@kontor/protocol';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import type { TestKernel } from './test-kernel.ts';

/**
 * Opens every window action of a module in each of its views, new (where the actor may make one) and with a record, and every
 * board that came with an app; answers what did not open.
 */
export async function openScreens(
  { kernel, work }: TestKernel,
  module: string,
  actor: TestKernel['admin'],
): Promise<readonly string[]> {
  const actions = await work((env) =>
    env
      .sudo()
      .model('sys.action.window')
      .searchRead([['module', '=', module]], ['name', 'view_mode']),
  );
  const failures: string[] = [];
  const open = async (query: Readonly<Record<string, string>>, name: unknown) => {
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
  for (const { id, name, view_mode: modes } of actions) {
    const query = { action: String(id) };
    let record: string | undefined;
    for (const viewType of String(modes).split(',')) {
      const payload = await open({ ...query, view_type: viewType.trim() }, name);
      record ??= payload?.records[0]?.id === undefined ? undefined : String(payload.records[0].id);
    }
    if (record && String(modes).includes('form')) await open({ ...query, view_type: 'form', id: record }, name);
  }
  const boards = await work((env) =>
    env
      .sudo()
      .model('sys.board')
      .searchRead([['user_id', '=', null]], ['name']),
  );
  for (const { id, name } of boards) {
    const payload = await open({ model: 'sys.board', view_type: 'form', id: String(id) }, name);
    for (const tile of payload?.arch.board?.tiles ?? []) {
      if (tile.error) failures.push(`${name}, tile ${tile.name}: ${tile.error.message}`);
    }
  }
  return failures;
}
