import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll } from 'vitest';

type Row = Readonly<Record<string, unknown>>;
type Actor = TestKernel['admin'];

export interface ProjectWorld extends TestKernel {
  readonly stages: Readonly<Record<'todo' | 'doing' | 'done', number>>;
  /** A running project. */
  project(values?: Row, actor?: Actor): Promise<number>;
  task(values: Row, actor?: Actor): Promise<number>;
  create(model: string, values: Row, actor?: Actor): Promise<number>;
  read(model: string, id: number, fields: readonly string[], actor?: Actor): Promise<Row>;
  write(model: string, id: number, values: Row, actor?: Actor): Promise<unknown>;
  call(model: string, id: number, action: string, actor?: Actor): Promise<unknown>;
}

/** A kernel with project installed, for the tests of one file. */
export function projectWorld(): () => ProjectWorld {
  let world: ProjectWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());
  return () => world;
}

async function open(): Promise<ProjectWorld> {
  const kernel = await createTestKernel({ modules: ['project'] });
  const stages = await kernel.work(async (env) => ({
    todo: await env.ref('project.stage_todo'),
    doing: await env.ref('project.stage_doing'),
    done: await env.ref('project.stage_done'),
  }));
  const create: ProjectWorld['create'] = (model, values, actor) =>
    kernel.work((env) => env.model(model).create(values), actor);
  const call: ProjectWorld['call'] = (model, id, action, actor) =>
    kernel.work((env) => env.model(model).call([id], action), actor);
  return {
    ...kernel,
    stages,
    create,
    call,
    async project(values = {}, actor) {
      const id = await create('project.project', { name: 'Boathouse', ...values }, actor);
      await call('project.project', id, 'start', actor);
      return id;
    },
    task: (values, actor) => create('project.task', { name: 'Task', ...values }, actor),
    read: async (model, id, fields, actor) =>
      (await kernel.work((env) => (actor ? env : env.sudo()).model(model).read([id], fields), actor))[0] as Row,
    write: (model, id, values, actor) => kernel.work((env) => env.model(model).write([id], values), actor),
  };
}
