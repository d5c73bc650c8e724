import { join } from 'node:path';
import { expect, it } from 'vitest';

const { clientRoomProblem } = (await import(join(import.meta.dirname, '../check/client-rooms.mjs'))) as {
  clientRoomProblem(file: string, target: string): string | null;
};

it('lets a room of the client import from rooms below it, and from no other', () => {
  const problem = (file: string, target: string) => clientRoomProblem(`apps/web/${file}`, `apps/web/${target}`);
  expect(problem('views/list/view.tsx', 'door/index.ts')).toBeNull();
  expect(problem('views/list/view.tsx', 'navigation/router.ts')).toContain('from door/, not');
  expect(problem('views/form/view.tsx', 'views/list/view.tsx')).toContain('form/ does not lie above list/');
  expect(problem('views/list/view.tsx', 'views/form/view.tsx')).toBeNull();
  expect(problem('main.tsx', 'shell/app.tsx')).toBeNull();
  expect(problem('tests/list.test.ts', 'shell/app.tsx')).toBeNull();
  expect(problem('navigation/router.ts', 'data/rpc.ts')).toContain('navigation/ lies below data/');
  expect(problem('views/list/view.tsx', 'shell/app.tsx')).toContain('views/ lies below shell/');
  expect(problem('shell/app.tsx', 'main.tsx')).toContain('cannot import apps/web/main.tsx');
  expect(problem('cellar/wine.ts', 'state/store.ts')).toContain('cellar/ is no room of the client');
});
