import { fileURLToPath } from 'node:url';
import type { Actor, Env } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { buildWorkspace } from '../build-workspace.ts';
import { readWorkspaceQuery } from '../query/workspace-query.ts';

/** Addons for tests: a help desk with a view of every type, and one that extends it. */
export const testAddons = fileURLToPath(new URL('./addons', import.meta.url));

export interface Desk extends TestKernel {
  /** May work on tickets. */
  readonly agent: Actor;
  /** May read tickets, and nothing else of the desk. */
  readonly reader: Actor;
  /** Stages by name: New, Doing, Done (folded). */
  readonly stages: Readonly<Record<'New' | 'Doing' | 'Done', number>>;
  readonly partners: readonly number[];
  /** The workspace as the agent gets it, or somebody else. */
  open(query: string | Readonly<Record<string, string>>, actor?: Actor): ReturnType<typeof buildWorkspace>;
  actionId(name: string): Promise<number>;
  create(values: readonly Readonly<Record<string, unknown>>[]): Promise<number[]>;
}

export async function openDesk(): Promise<Desk> {
  const world = await createTestKernel({ modules: ['desk'], addonsPath: [testAddons] });
  const { kernel } = world;
  const agent = await world.person('Agent Smith', ['desk.group_agent']);
  const reader = await world.person('Rita Reader', ['desk.group_reader']);
  const { stages, partners } = await world.work(async (env) => ({
    stages: await env.model('desk.stage').createMany([
      { name: 'New', sequence: 1 },
      { name: 'Doing', sequence: 2 },
      { name: 'Done', sequence: 3, fold: true },
    ]),
    partners: await env.model('core.partner').createMany([{ name: 'Brightwater' }, { name: 'Nordlys' }]),
  }));
  const [fresh, doing, done] = stages as [number, number, number];
  return {
    ...world,
    agent,
    reader,
    stages: { New: fresh, Doing: doing, Done: done },
    partners,
    open: async (query, actor = agent) => {
      const raw = typeof query === 'string' ? Object.fromEntries(new URLSearchParams(query)) : query;
      const caller = { actor, csrf: 'token', lastWrite: null };
      return buildWorkspace(kernel, caller, readWorkspaceQuery(raw));
    },
    actionId: (name) => world.work((env: Env) => env.ref(name)),
    create: (values) => world.work((env: Env) => env.model('desk.ticket').createMany(values)),
  };
}
